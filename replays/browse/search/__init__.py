"""One search for players, replays, boards and statistics."""
