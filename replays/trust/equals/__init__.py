"""Equal games: files of the same play keep their rows and are linked, and one function decides which of two stands."""
