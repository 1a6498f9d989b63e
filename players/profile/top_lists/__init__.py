"""Rankings that are made from boards: of countries, and of who improved most."""
