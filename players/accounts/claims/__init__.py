"""Claims: an account claims names inside replays, staff approve where needed, and the replays change their player."""
