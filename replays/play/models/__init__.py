"""The tables of games that are played here."""
