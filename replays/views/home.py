"""The start page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.board import board_facts
from analysis.recording import Board
from analysis.statistics import BY_NAME, RANKED, Statistic
from players.boards import COMBINED
from players.models import ALL_STYLES
from players.selectors import Recorded, Top, latest_records, top_places
from players.templatetags.sweepbook import level_text
from players.views.boards import tops_in_order
from replays.board_svg import board_svg
from replays.selectors import Drawn, board_drawn, newest, tally

_TOP = 5
_NEWEST = 10
_RECORDS = 8
#: A good game sets records of many statistics at once; this many events are read to find the games behind them.
_EVENTS_READ = 120
#: Shown by name when one game set several records, in this order.
_FIRST_NAMES = ("time", "bvs", "stnb", "ioe")


@dataclass(slots=True)
class RecordGame:
    """One game and the records that it set on its level; those of sums count where it set no other."""

    first: Recorded
    events: list[Recorded] = field(default_factory=list)

    @property
    def shown(self) -> list[tuple[Statistic, Recorded]]:
        """The most telling records, all of one level."""
        level = self.events[0].level
        return [(BY_NAME[event.statistic], event) for event in self.events if event.level == level][:2]

    @property
    def more(self) -> int:
        """How many are not shown."""
        return len(self.events) - len(self.shown)


def record_games(events: Sequence[Recorded], limit: int) -> list[RecordGame]:
    """``events`` (newest first) by game."""
    games: dict[int, RecordGame] = {}
    for event in events:
        games.setdefault(event.replay_id, RecordGame(event)).events.append(event)
    names = [*_FIRST_NAMES, *(row.name for row in RANKED)]
    for game in games.values():
        game.events.sort(key=lambda event: (event.level == COMBINED, names.index(event.statistic)))
        game.first = game.events[0]
    return list(games.values())[:limit]


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What the site is, what happened last, who leads."""
    tops = top_places(style=ALL_STYLES, size=_TOP)
    context: dict[str, Any] = {
        "tops": tops_in_order(tops),
        "tally": tally(),
        "newest": newest(_NEWEST),
        "records": record_games(latest_records(_EVENTS_READ), _RECORDS),
        "row": BY_NAME["time"],
        **_champion(tops),
    }
    return render(request, "replays/home.html", context)


def _champion(tops: list[Top]) -> dict[str, Any]:
    """The board of the fastest game of the hardest level that anybody has won."""
    for top in reversed(tops):
        best = top.rows[0] if top.rows else None
        if best is not None and best.replay_id is not None:
            drawing = _drawing(best.replay_id)
            return {"champion": best, "champion_level": top.key.level, "champion_board": drawing}
    return {}


def _drawing(replay_id: int) -> SafeString:
    drawn = board_drawn(replay_id)
    if drawn is None:  # it has gone this very moment
        return SafeString("")
    title = _("The board of the fastest game: %(level)s") % {"level": level_text(drawn.level)}
    return _svg(drawn, title)


@lru_cache(maxsize=20)
def _svg(drawn: Drawn, title: str) -> SafeString:
    """Once for every board that leads and every language."""
    board = Board.from_packed(drawn.packed, drawn.rows, drawn.columns)
    return board_svg(board_facts(board), title, f"3BV {drawn.bv}")
