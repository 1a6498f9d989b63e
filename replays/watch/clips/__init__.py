"""Clips of replays: some seconds as a GIF, drawn by a worker when somebody asks, and kept for a while."""
