"""What an account has uploaded: the list, deleting from it, and batches with their outcome."""
