"""Start page of a signed-in account: its ranks, last games, questions and notes."""
