"""What is known of a player: the page, charts, countries and improvements."""
