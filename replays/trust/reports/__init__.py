"""Reports by people of things that break a rule."""
