"""A site under mixed traffic: how much it bears, what outages do, and how it grows with processes."""
