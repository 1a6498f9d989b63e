"""Intake: uploaded files are checked, stored and queued for analysis."""
