"""What a replay risked, and what each moment of it looked like: read from its file when somebody asks."""
