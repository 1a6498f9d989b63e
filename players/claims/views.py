"""Claiming and releasing names inside replays."""

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
    """Claim a name of one's own replays."""
    form = ClaimForm(request.POST)
    if not form.is_valid():  # empty, too long, or with NUL, which PostgreSQL refuses: no replay has such a name
        messages.error(request, _("Upload a replay that carries this name first."))
        return _redirect_to_names()
    try:
        identity = services.claim_name(required_user(request), form.cleaned_data["name"])
    except ClaimRefused as error:
        messages.error(request, str(error))
        return _redirect_to_names()
    if identity.state == Identity.State.CLAIMED:
        messages.success(request, _("The name “%(name)s” is yours.") % {"name": identity.shown_name})
    else:
        messages.info(request, _("Others have uploaded games under this name too, so staff will look at your claim."))
    return _redirect_to_names()


@login_required
@require_POST
def release_name(request: HttpRequest, pk: int) -> HttpResponse:
    """Release a name, or withdraw the request for it."""
    own = {identity.pk: identity for identity in identities_of_account(required_user(request))}
    if pk not in own:
        raise Http404
    services.release_name(own[pk])
    messages.success(request, _("The name “%(name)s” is no longer yours.") % {"name": own[pk].shown_name})
    return _redirect_to_names()


def _redirect_to_names() -> HttpResponse:
    return redirect(f"{reverse('account')}#names")
