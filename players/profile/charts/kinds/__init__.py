"""The charts: what each one reads and draws.  ``catalogue`` names them all."""
