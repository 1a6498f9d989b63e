"""Places: files of the same play keep their rows, a game holds the place of the play, and staff decide a place once."""
