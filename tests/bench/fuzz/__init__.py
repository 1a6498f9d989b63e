"""Hostile bytes against the readers, the analysis and the RawVF writer: ``python -m tests.bench.fuzz --cases 300000``.

``seeds`` makes valid files of every format, ``mutations`` spoils them, ``judge`` puts one input through everything and
measures, ``hunt`` does that in processes that may die, ``worst`` builds the largest and slowest inputs that the limits
allow.  An input follows from the seed and its number alone, so a crash can be made again from what is printed.
"""
