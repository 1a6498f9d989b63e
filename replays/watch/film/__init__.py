"""Watching a game: what the viewer on the page of a replay loads, and the page that other sites embed."""
