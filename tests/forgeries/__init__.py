"""Forgeries of games, and what the site would say of each: for tests."""
