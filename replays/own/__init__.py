"""Features of an account: its start page, its data as a file, its deletion."""
