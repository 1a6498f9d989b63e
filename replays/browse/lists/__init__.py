"""Browsing: lists of replays, the page of a replay."""
