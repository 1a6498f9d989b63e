"""Facts about players: the page, charts, countries and improvements."""
