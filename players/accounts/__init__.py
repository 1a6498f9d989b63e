"""Accounts: sign-up, sign-in, preferences, API token."""
