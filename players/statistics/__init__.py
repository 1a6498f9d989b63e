"""The registry of statistics as a page and in the API."""
