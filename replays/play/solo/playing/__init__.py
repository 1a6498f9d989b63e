"""Games that this process holds: played in memory, persisted asynchronously."""
