"""Two replays beside each other: which ones, how far each was at equal progress, and by how much their numbers differ."""
