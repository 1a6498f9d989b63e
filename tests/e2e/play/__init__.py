"""Live play in a browser."""
