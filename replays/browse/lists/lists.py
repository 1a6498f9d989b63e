"""Lists of replays with keyset paging; each sort order has an index."""

from __future__ import annotations

from typing import Final

from players.db.keyset import Page, page_of
from players.web.parameters import DEFAULT_PAGE_SIZE
from replays.browse.lists.filters import NEWEST, ReplayFilters
from replays.models import Replay
from replays.models.reactions import with_reactions

_UNLISTED: Final = ("board", "findings", "reject_params")  # large, and shown on the page of one replay only
#: The columns (of seventy) that a line of the list shows, besides the statistic by which it is sorted.
_LINE: Final = (
    "level", "style", "status", "result", "ownership", "original_name", "uploaded_at", "time", "time_precision_ms", "bv", "bvs", "ioe",
    "player__name", "player__is_bot",
)  # fmt: skip


def replay_list(
    filters: ReplayFilters, *, cursor: str | None = None, size: int = DEFAULT_PAGE_SIZE, lines: bool = False
) -> Page[Replay]:
    """A page of the replays that match ``filters``, in the order of its ``sort``, with their reactions.  One query.

    ``lines``: load only the columns of a line of the list.  Raises ``players.db.keyset.BadCursor``.
    """
    whole = Replay.objects.select_related("player")
    rows = with_reactions(whole.only(*_LINE) if lines else whole.defer(*_UNLISTED)).filter(**filters.conditions)
    if filters.sort == NEWEST:
        return page_of(rows, ("-id",), cursor, size)
    name = filters.sort.removeprefix("-")
    sign = "-" if filters.sort.startswith("-") else ""
    # The conditions of the partial index of this statistic.
    rows = rows.filter(status=Replay.Status.DONE, **{f"{name}__isnull": False})
    if lines:
        rows = rows.only(*_LINE, name)
    return page_of(rows, (f"{sign}{name}", f"{sign}id"), cursor, size)
