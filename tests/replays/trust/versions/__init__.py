"""Tests of versions of programs that are not on the list."""
