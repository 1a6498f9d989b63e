"""Filters of boards as they stand in an address."""

from __future__ import annotations

from collections.abc import Mapping

from players.leaderboards.filters import FILTERS, BoardFilter, board_filter
from players.web.parameters import form_of


def filter_in(query: Mapping[str, str], *, combined: bool = False) -> BoardFilter:
    """The filter of the parameters ``query``; raises ``BadParameter``."""
    return board_filter(form_of(*FILTERS)(query).values(), combined=combined)
