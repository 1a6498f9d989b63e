"""Reading and writing the rows of personal bests and of combined bests."""
