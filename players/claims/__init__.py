"""Claims: accounts say which names inside replays are theirs, staff approve, and the games move."""
