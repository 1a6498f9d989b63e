"""Everything that is read of replays."""

from __future__ import annotations

from replays.selectors.filters import FILTER_CHOICES, FILTER_NAMES, SORT_NAMES, FilterError, ReplayFilters
from replays.selectors.lists import MAX_PAGE, PAGE_SIZE, newest, replay_list
from replays.selectors.one import reject_text, replay_detail, upload_statuses, visible_to

__all__ = [
    "FILTER_CHOICES",
    "FILTER_NAMES",
    "MAX_PAGE",
    "PAGE_SIZE",
    "SORT_NAMES",
    "FilterError",
    "ReplayFilters",
    "newest",
    "reject_text",
    "replay_detail",
    "replay_list",
    "upload_statuses",
    "visible_to",
]
