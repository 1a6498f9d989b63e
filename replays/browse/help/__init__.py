"""Pages that explain the site: how to begin, where clones keep replays, what ranks, words, privacy, licence."""
