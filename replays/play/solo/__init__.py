"""Single play: one visitor, one board, decided on the server, a replay in the end."""
