"""Sub-N: how many games of a player ended below N seconds, as ``analysis.time_convention`` defines it."""
