"""Accounts: sign-up, sign-in, the account page with preferences and token."""
