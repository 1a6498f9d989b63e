"""What concerns the visitor: ranks, last games, questions and notes of a signed-in account."""
