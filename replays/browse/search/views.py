from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.names import shown_name
from players.people.selectors import NAME_CHARS
from players.web.errors import handle_bad_addresses
from players.web.parameters import choice, form_of
from players.web.users import signed_in_user
from replays.browse.search.selectors import KINDS, QUERY, count_search, search, search_kind, with_holders

SearchForm = form_of(QUERY, choice("kind", KINDS))


@require_safe
@handle_bad_addresses
def search_page(request: HttpRequest) -> HttpResponse:
    values = SearchForm(request.GET).values()
    query, kind = values["q"], values["kind"]
    if query:
        count_search(request)
    found = search_kind(query, kind) if query and kind else search(query, signed_in_user(request))
    context = {
        "query": query,
        "shown_query": shown_name(query),  # of the title: hidden characters would turn the rest of it around
        "found": found,
        "boards": with_holders(found.boards),
        "max_chars": NAME_CHARS,
    }
    return render(request, "replays/browse/search/search.html", context)
