"""Players, the names inside replays that belong to them, and searching them."""
