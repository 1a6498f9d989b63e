"""Browsing: lists of replays, the page of a replay, the start page."""
