"""How records and personal bests came to be, by the days of their games."""
