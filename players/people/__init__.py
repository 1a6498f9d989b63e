"""Players, the names inside replays that belong to them, and how they are found."""
