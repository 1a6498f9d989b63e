from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from analysis.statistics import BY_NAME
from players.people.selectors import NAME_CHARS, players_page
from players.web.errors import handle_bad_addresses
from players.web.links import redirect_to_clean
from players.web.parameters import CURSOR, form_of, text

#: The columns after the sum, the hardest level first.
_LEVELS: Final = ("expert", "intermediate", "beginner", "beginner-9x9")
PlayersForm = form_of(text("q", most_chars=NAME_CHARS), CURSOR)


@require_safe
@vary_on_headers("HX-Request")  # else "back" may show the fragment of a search from the browser's cache
@handle_bad_addresses
@redirect_to_clean
def players(request: HttpRequest) -> HttpResponse:
    values = PlayersForm(request.GET).values()
    page = players_page(values["q"], values["cursor"])
    context = {"page": page, "query": values["q"], "levels": _LEVELS, "row": BY_NAME["time"]}
    template = "players/people/_players.html" if getattr(request, "htmx", False) else "players/people/players.html"
    return render(request, template, context)
