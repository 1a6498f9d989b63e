"""Settling: the only place that turns results of files into rows, boards, links and judgements."""
