"""Uploads of an account: the list, deleting from it, and batches with their outcome."""
