"""Everything that is read of replays."""

from __future__ import annotations

from replays.selectors.filters import FILTER_CHOICES, FILTER_NAMES, SORT_NAMES, FilterError, ReplayFilters
from replays.selectors.judgements import (
    JUDGEMENT_CODES,
    Decision,
    appeals_of,
    decisions_of,
    judgement_page,
    judgement_text,
    may_delete,
    may_judge,
    owns,
)
from replays.selectors.lists import MAX_PAGE, PAGE_SIZE, Line, ask_newest, newest, replay_list
from replays.selectors.one import reject_text, replay_detail, unseen_originals, upload_statuses, visible_to
from replays.selectors.pages import Drawn, Tally, board_drawn, held_bests, tally, tally_renew

__all__ = [
    "FILTER_CHOICES",
    "FILTER_NAMES",
    "JUDGEMENT_CODES",
    "MAX_PAGE",
    "PAGE_SIZE",
    "SORT_NAMES",
    "Decision",
    "Drawn",
    "FilterError",
    "Line",
    "ReplayFilters",
    "Tally",
    "appeals_of",
    "ask_newest",
    "board_drawn",
    "decisions_of",
    "held_bests",
    "judgement_page",
    "judgement_text",
    "may_delete",
    "may_judge",
    "newest",
    "owns",
    "reject_text",
    "replay_detail",
    "replay_list",
    "tally",
    "tally_renew",
    "unseen_originals",
    "upload_statuses",
    "visible_to",
]
