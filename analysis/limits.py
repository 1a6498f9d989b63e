"""Limits of what is read, each with its reason.  They are checked before memory is taken."""

from __future__ import annotations

MAX_REPLAY_BYTES = 5 * 1024 * 1024  # every site of the field uses 5 MB; the largest real replay seen has 341 KB
MAX_EVENTS = 1_000_000  # the largest real replay seen has 56,659
MAX_SIDE = 255  # rows and columns are one byte in every binary format
MAX_CELL_PX = 255  # cell size is one byte
MAX_TIME_MS = 24 * 60 * 60 * 1000  # a day; the widest field (EVF v4) could say 49 days
MAX_TEXT_BYTES = 1_000  # names and program strings; binary formats allow 255
MAX_LINE_CHARS = 1_000  # one line of a text format
