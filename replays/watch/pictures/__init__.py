"""Pictures of replays: what other sites show with a link, and the board at one moment."""
