"""The rows of personal bests and of their sums: reading, improving, replacing."""
