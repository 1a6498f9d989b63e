"""Rules for what a game proves and whether it counts: evidence, equal games, judging, ownership, provisional places."""
