"""Measurements of live play."""
