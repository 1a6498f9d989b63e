"""Claiming the names inside replays, and giving them up."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from players.claims import services
from players.claims.forms import ClaimForm
from players.claims.selectors import identities_of_account
from players.claims.services import ClaimRefused
from players.models import Identity
from players.web.users import required_user


@login_required
@require_POST
def claim_name(request: HttpRequest) -> HttpResponse:
    """Claim a name that stands in one's own replays."""
    form = ClaimForm(request.POST)
    if not form.is_valid():  # no name is empty, as long as that or holds NUL, which PostgreSQL refuses to search
        messages.error(request, _("Upload a replay that carries this name first."))
        return _to_names()
    try:
        identity = services.claim_name(required_user(request), form.cleaned_data["name"])
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
    """Give a name up, or withdraw the claim to it."""
    own = {identity.pk: identity for identity in identities_of_account(required_user(request))}
    if pk not in own:
        raise Http404
    services.release_name(own[pk])
    messages.success(request, _("The name “%(name)s” is no longer yours.") % {"name": own[pk].name})
    return _to_names()


def _to_names() -> HttpResponse:
    return redirect(f"{reverse('account')}#names")
