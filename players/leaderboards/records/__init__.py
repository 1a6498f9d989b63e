"""The record history as a log: every personal best and site record as it came in, with the ranks before and after."""
