from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.names import shown_name
from players.web.errors import handle_bad_addresses
from players.web.users import signed_in_user
from replays.browse.search.search_limits import count_search
from replays.browse.search.search_parameters import SearchForm
from replays.browse.search.selectors import MAX_CHARS, search


@require_safe
@handle_bad_addresses
def search_page(request: HttpRequest) -> HttpResponse:
    query = SearchForm(request.GET).values()["q"]
    if query:
        count_search(request)
    context = {
        "query": query,
        "shown_query": shown_name(query),  # of the title: hidden characters would turn the rest of it around
        "found": search(query, signed_in_user(request)),
        "max_chars": MAX_CHARS,
    }
    return render(request, "replays/search.html", context)
