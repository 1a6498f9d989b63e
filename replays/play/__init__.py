"""Games that are played here: single games, which become replays, and rooms, where many play on one board."""
