"""One game to look at: film, review, comparison, pictures, its standing, comments."""
