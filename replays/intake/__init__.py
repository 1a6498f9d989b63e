"""Intake: files of strangers come in, are checked, stored and queued for their analysis."""
