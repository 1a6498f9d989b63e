"""Attacks on a running site with a visitor beside them; see ``__main__``."""
