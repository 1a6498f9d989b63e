"""Lists of players, and claiming the names inside replays."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

from analysis.statistics import BY_NAME
from players.boards import ON_LEVEL
from players.forms import ClaimForm
from players.keyset import BadCursor
from players.models import Identity
from players.selectors import identities_of_account, players_page
from players.services import ClaimRefused, identity_claim, identity_release
from players.views.accounts import account_user
from players.views.errors import bad_request

PAGE_SIZE = 50
MAX_QUERY_CHARS = 100


@require_safe
@vary_on_headers("HX-Request")  # else "back" shows the bare list that a search as one types left in the browser's cache
def players(request: HttpRequest) -> HttpResponse:
    """Players by name; ``?q=`` looks for the beginning of a name."""
    query = request.GET.get("q", "").strip()
    if len(query) > MAX_QUERY_CHARS:
        return bad_request(request, _("Look for at most %(limit)s characters.") % {"limit": MAX_QUERY_CHARS})
    try:
        page = players_page(query, request.GET.get("cursor"), PAGE_SIZE)
    except BadCursor as error:
        return bad_request(request, _(str(error)))
    context = {"page": page, "query": query, "levels": list(ON_LEVEL), "row": BY_NAME["time"]}
    template = "players/_players.html" if getattr(request, "htmx", False) else "players/players.html"
    return render(request, template, context)


def _to_names() -> HttpResponse:
    return redirect(f"{reverse('account')}#names")


@login_required
@require_POST
def claim_name(request: HttpRequest) -> HttpResponse:
    """Ask for a name that stands in one's own replays."""
    form = ClaimForm(request.POST)
    if not form.is_valid():  # no name is empty, as long as that or holds NUL, which PostgreSQL refuses to look for
        messages.error(request, _("Upload a replay that carries this name first."))
        return _to_names()
    try:
        identity = identity_claim(account_user(request), form.cleaned_data["name"])
    except ClaimRefused as error:
        messages.error(request, str(error))
        return _to_names()
    if identity.state == Identity.State.CLAIMED:
        messages.success(request, _("The name “%(name)s” is yours.") % {"name": identity.name})
    else:
        messages.info(request, _("Others have uploaded games under this name too, so staff will look at your claim."))
    return _to_names()


@login_required
@require_POST
def release_name(request: HttpRequest, pk: int) -> HttpResponse:
    """Give a name up, or withdraw the request for it."""
    own = {identity.pk: identity for identity in identities_of_account(account_user(request))}
    if pk not in own:
        raise Http404
    identity_release(own[pk])
    messages.success(request, _("The name “%(name)s” is no longer yours.") % {"name": own[pk].name})
    return _to_names()
