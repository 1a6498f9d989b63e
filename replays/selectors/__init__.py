"""Everything that is read of replays."""

from __future__ import annotations

from replays.selectors.filters import FILTER_CHOICES, FILTER_NAMES, SORT_NAMES, FilterError, ReplayFilters
from replays.selectors.lists import MAX_PAGE, PAGE_SIZE, newest, replay_list
from replays.selectors.one import reject_text, replay_detail, unseen_originals, upload_statuses, visible_to
from replays.selectors.pages import Tally, boards_of, held_bests, replays_of_player, tally, tally_renew

__all__ = [
    "FILTER_CHOICES",
    "FILTER_NAMES",
    "MAX_PAGE",
    "PAGE_SIZE",
    "SORT_NAMES",
    "FilterError",
    "ReplayFilters",
    "Tally",
    "boards_of",
    "held_bests",
    "newest",
    "reject_text",
    "replay_detail",
    "replay_list",
    "replays_of_player",
    "tally",
    "tally_renew",
    "unseen_originals",
    "upload_statuses",
    "visible_to",
]
