"""Shared by the pages and the API of every feature: parameters, errors, links, the visitor, charts, rate limits."""
