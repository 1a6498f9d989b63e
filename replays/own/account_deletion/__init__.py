"""The end of an account, by its owner, and the account's data as a file."""
