"""Games that this process holds: played in memory, written to the database behind the players' backs."""
