"""Processing: analysing stored files, measuring luck, settling both, and deleting replays."""
