"""What the command ``import_replays`` is made of: finding files, settling rows, telling the outcome."""
