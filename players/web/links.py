"""Addresses of which a page or response has hundreds, and the one to which a form leads back.

``reverse`` is called once for each pattern, not for each link.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import TypeAlias
from urllib.parse import quote

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme

from players.web.parameters import MAX_QUERY_CHARS, known_query

View: TypeAlias = Callable[..., HttpResponse]


def address_of(name: str, pk: int) -> str:
    return _numbered(name) % pk


def absolute_address(path: str) -> str:
    """``path`` with the host of the site, whatever host the request names."""
    return f"{settings.SITE_URL}{path}"


def player_address(pk: int) -> str:
    return address_of("player", pk)


def replay_address(pk: int) -> str:
    return address_of("replay", pk)


def compare_address(first: int, second: int) -> str:
    return f"{reverse('compare')}?a={first}&b={second}"


def progress_address(player: int, level: str, statistic: str) -> str:
    return _numbered("player-progress", level, statistic) % player


@cache
def history_address(level: str, statistic: str) -> str:
    """The page of the site's records of all styles on a board of one level."""
    return reverse("board-history", args=[level, statistic])


@cache
def _numbered(name: str, *more: str) -> str:
    """The address ``name`` with ``%d`` for its first argument, an integer; ``more``: its other arguments."""
    before, _zero, after = reverse(name, args=[0, *more]).partition("/0/")
    return f"{before.replace('%', '%%')}/%d/{after.replace('%', '%%')}"


def here(request: HttpRequest) -> str:
    """Return the address of the page, for a form or a link that leads back to it."""
    query = known_query(request.GET).urlencode()
    address = f"{quote(request.path)}?{query}" if query else quote(request.path)
    return address if len(address) <= 2 * MAX_QUERY_CHARS else "/"


def redirect_to_clean(view: View) -> View:
    """Decorator of a view: redirect from an address with empty parameters, as a form without script sends, to it without.

    An empty parameter is a missing one.  A request of htmx is answered at once, and told which address to show.
    """

    @wraps(view)
    def redirecting(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        given = request.GET
        if all(text.strip() for _name, texts in given.lists() for text in texts):
            return view(request, *args, **kwargs)
        query = given.copy()
        for name, texts in given.lists():
            query.setlist(name, [text for text in texts if text.strip()])
        written = query.urlencode()
        address = f"{quote(request.path)}?{written}" if written else quote(request.path)
        if "HX-Request" not in request.headers:
            return HttpResponseRedirect(address)
        response = view(request, *args, **kwargs)
        response["HX-Push-Url"] = address
        return response

    return redirecting


def redirect_to_next(request: HttpRequest, otherwise: str) -> HttpResponseRedirect:
    """Redirect to :func:`safe_next`, else to the address ``otherwise``.

    Django's ``redirect`` would take ``next`` for the name of a view too.
    """
    return HttpResponseRedirect(safe_next(request) or otherwise)


def safe_next(request: HttpRequest) -> str:
    """Return the address that a form or a link sent as ``next``; "" without one, or if it is not on this site."""
    back = request.POST.get("next") or request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    return back if is_ours else ""
