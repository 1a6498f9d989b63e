"""Charts of a player's games: pages, parts of the player page, and the API, all from the same rows."""
