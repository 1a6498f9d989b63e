"""Parts of the commands ``import_replays`` and ``convert``: finding files, analysing them, reporting."""
