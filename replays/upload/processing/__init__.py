"""Processing: analysing stored files, measuring luck, deleting replays, and recomputing stored statistics."""
