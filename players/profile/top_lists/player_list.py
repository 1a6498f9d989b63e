"""The list of all players: by their combined best time, or by name; found players are sorted by where the name matches."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from analysis.statistics import BY_NAME
from players.db.keyset import Page
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED
from players.leaderboards.ranks import page_at
from players.people.selectors import NAME_CHARS, PlayerRow, PlayerTimes, best_times, players_page
from players.web.errors import handle_bad_addresses
from players.web.links import redirect_to_clean
from players.web.parameters import CURSOR, choice, form_of, text

#: The columns after the sum, the hardest level first.
_LEVELS: Final = ("expert", "intermediate", "beginner", "beginner-9x9")
_ORDERS: Final = ("time", "name")
PlayersForm = form_of(text("q", most_chars=NAME_CHARS), choice("order", _ORDERS, default="time"), CURSOR)


def ranked_players(cursor: str | None = None) -> Page[PlayerTimes]:
    """Return a page of the players on the combined board, with their ranks and best times."""
    page = page_at(Board(COMBINED, "time"), cursor=cursor)
    times = best_times([row.player.pk for row in page.rows])
    rows = [PlayerTimes(row.player, times[row.player.pk], row.rank) for row in page.rows]
    return Page(rows, page.next_cursor, page.previous_cursor)


@require_safe
@vary_on_headers("HX-Request")  # else "back" may show the fragment of a search from the browser's cache
@handle_bad_addresses
@redirect_to_clean
def players(request: HttpRequest) -> HttpResponse:
    values = PlayersForm(request.GET).values()
    cursor, by_time = values["cursor"], values["order"] == "time" and not values["q"]
    page: Page[PlayerTimes] | Page[PlayerRow] = ranked_players(cursor) if by_time else players_page(values["q"], cursor)
    if by_time and not page.rows and not cursor:  # a young site: nobody has all three levels
        page, by_time = players_page(), False
    context = {"page": page, "query": values["q"], "by_time": by_time, "levels": _LEVELS, "row": BY_NAME["time"]}
    template = "players/people/_players.html" if getattr(request, "htmx", False) else "players/people/players.html"
    return render(request, template, context)
