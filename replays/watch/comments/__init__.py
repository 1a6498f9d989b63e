"""Comments on replays, reports of comments, and likes."""
