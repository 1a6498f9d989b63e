from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Final
from urllib.parse import unquote

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import defaults

from players.models import Player
from players.web.gone import is_gone
from players.web.parameters import BadParameter
from players.web.problems import Refused, is_api

View = Callable[..., HttpResponse]
#: A browser keeps a 301 for ever unless told otherwise, but a name that is released gets its number back.
MERGED_CACHE: Final = "max-age=600"


class UnknownAddress(ValueError):
    """An address of something that does not exist (404); the message says what."""


class PlayerMerged(Exception):
    """The player of an address was merged into the player ``survivor_id``, who has a like address (301)."""

    def __init__(self, survivor_id: int) -> None:
        super().__init__(survivor_id)
        self.survivor_id = survivor_id


def bad_request(request: HttpRequest, reason: str) -> HttpResponse:
    """400 with the reason, for addresses that no page of this site links to."""
    return render(request, "400.html", {"reason": reason}, status=400)


def not_found(request: HttpRequest, reason: str) -> HttpResponse:
    return render(request, "404.html", {"reason": reason}, status=404)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's ``handler404``: the page, or a problem under ``/api/``."""
    if is_api(request):
        return Refused("not_found", _("There's nothing at this URL.")).response()
    if is_gone(request):
        return render(request, "404.html", {"reason": _("This was here once, but it has been deleted.")}, status=410)
    return defaults.page_not_found(request, exception)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """429, for forms of accounts that were sent too often."""
    return render(request, "429.html", status=429)


def survivor_address(request: HttpRequest, survivor_id: int) -> str:
    """The address of ``request`` with the number of a merged player replaced, in the path and in ``?player=``."""
    match, address, query = request.resolver_match, request.path, request.GET.copy()
    if match is not None and "pk" in match.kwargs:
        address = reverse(match.view_name, kwargs={**match.kwargs, "pk": survivor_id})
    else:
        query["player"] = str(survivor_id)
    return f"{address}?{query.urlencode()}" if query else address


def public_address(request: HttpRequest) -> str:
    """Return the path of ``request`` as this site writes it, quoted; the request may name a statistic by an alias."""
    match = request.resolver_match
    return request.path if match is None else reverse(match.view_name, kwargs=match.kwargs)


def forbidden(request: HttpRequest, reason: str) -> HttpResponse:
    return render(request, "403.html", {"reason": reason}, status=403)


def handle_bad_addresses(view: View) -> View:
    """Decorator of a view: 404 for an unknown board or player, 301 for a merged one, 400 for bad parameters.

    Also 301 from an alias of a statistic in the path to its public name.
    """

    @wraps(view)
    def handling(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        try:
            if "statistic" in kwargs and unquote(address := public_address(request)) != request.path:
                query = request.META.get("QUERY_STRING", "")
                return HttpResponsePermanentRedirect(f"{address}?{query}" if query else address)
            return view(request, *args, **kwargs)
        except UnknownAddress as error:
            return not_found(request, str(error))
        except Player.DoesNotExist as error:
            raise Http404 from error
        except PlayerMerged as error:
            moved = HttpResponsePermanentRedirect(survivor_address(request, error.survivor_id))
            moved["Cache-Control"] = MERGED_CACHE
            return moved
        except BadParameter as error:
            return bad_request(request, str(error))

    return handling
