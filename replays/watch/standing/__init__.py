"""The standing of a game: among all ranked games of its level, among its player's, and between the games around it."""
