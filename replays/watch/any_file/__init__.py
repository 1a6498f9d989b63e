"""Watching a replay file that nobody uploads: analysed by the process that computes, shown once, and written nowhere."""
