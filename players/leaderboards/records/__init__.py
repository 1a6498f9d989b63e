"""The record history: a log of every personal best and site record in order of upload, with ranks before and after."""
