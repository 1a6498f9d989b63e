"""Browsing: lists of replays, the page of one, the start page."""
