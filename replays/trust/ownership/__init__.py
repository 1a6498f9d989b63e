"""Ownership of games: those that others upload under a claimed name wait for its owner, who may disown any game."""
