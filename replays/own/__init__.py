"""What belongs to an account: its start page, its data as a file, its end."""
