"""Finding games: lists, the page of a replay, home, search, help."""
