"""Processing: stored files become numbers, players and boards; and stored numbers are made again."""
