"""Template tags of replays."""
