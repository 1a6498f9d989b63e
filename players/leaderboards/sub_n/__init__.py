"""Sub-N: how many games of a player ended below N seconds.  ``analysis.time_convention`` says what that means."""
