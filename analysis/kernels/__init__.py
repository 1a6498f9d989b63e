"""Compiled loops on plain arrays.  They check nothing: the public functions beside this package do."""
