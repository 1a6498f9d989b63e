from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.accounts.claims import services
from players.accounts.claims.forms import AskStaffForm, ClaimForm, DecisionForm
from players.accounts.claims.selectors import claims_page, identities_of_account, release_effects
from players.models import Claim, Identity
from players.web.errors import handle_bad_addresses
from players.web.parameters import CURSOR, form_of
from players.web.staff import moderators_only
from players.web.users import required_user

ClaimsForm = form_of(CURSOR)


@login_required
@require_POST
def claim_name(request: HttpRequest) -> HttpResponse:
    form = ClaimForm(request.POST)
    if not form.is_valid():  # empty, too long, or with NUL, which PostgreSQL refuses: no replay has such a name
        messages.error(request, _("Enter the name from your replays."))
        return _redirect_to_names()
    try:
        claim = services.claim_make(required_user(request), form.cleaned_data["name"])
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return _redirect_to_names()
    return redirect("claim", pk=claim.pk)


@login_required
@never_cache  # it shows a code
@require_http_methods(["GET", "HEAD", "POST"])
def claim(request: HttpRequest, pk: int) -> HttpResponse:
    found = _own_claim(request, pk)
    form = AskStaffForm(request.POST or None, initial={"text": found.text})
    if request.method == "POST" and form.is_valid():
        try:
            services.claim_ask_staff(found, form.cleaned_data["text"])
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
        else:
            messages.success(request, _("Claim sent. You'll see the answer on this page."))
        return redirect("claim", pk=pk)
    identity = Identity.objects.select_related("claimant").filter(name=found.name).first()
    context = {
        "claim": found,
        "form": form,
        "waits": found.state in Claim.WAITING,
        "expired": found.expires_at <= timezone.now(),
        "someone_else": identity is not None and identity.state == Identity.State.CLAIMED
        and identity.claimant_id != found.user_id,
        "exists": identity is not None,
    }  # fmt: skip
    return render(request, "players/accounts/claims/claim.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
def claim_withdraw(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        services.claim_withdraw(_own_claim(request, pk))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Claim withdrawn."))
    return _redirect_to_names()


def _own_claim(request: HttpRequest, pk: int) -> Claim:
    return get_object_or_404(Claim.objects.select_related("replay"), pk=pk, user=required_user(request))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def release_name(request: HttpRequest, pk: int) -> HttpResponse:
    """Release a name, if ``confirmed`` is posted; else show what that does."""
    own = {identity.pk: identity for identity in identities_of_account(required_user(request))}
    if pk not in own:
        raise Http404
    if request.method == "POST" and request.POST.get("confirmed") == "yes":
        services.release_name(own[pk])
        messages.success(request, _("“%(name)s” is no longer yours.") % {"name": own[pk].shown_name})
        return _redirect_to_names()
    context = {"identity": own[pk], "effects": release_effects(own[pk])}
    return render(request, "players/accounts/claims/release.html", context)


def _redirect_to_names() -> HttpResponse:
    return redirect(f"{reverse('account')}#names")


# --- staff ---


@moderators_only("players.change_identity")
@require_safe
@handle_bad_addresses
def claims(request: HttpRequest) -> HttpResponse:
    page = claims_page(ClaimsForm(request.GET).values()["cursor"])
    return render(request, "players/accounts/claims/claims.html", {"page": page})


@moderators_only("players.change_identity")
@require_POST
def claim_decision(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = required_user(request)
    found, form = get_object_or_404(Claim, pk=pk), DecisionForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(text) for texts in form.errors.values() for text in texts))
        return redirect("claims")
    reason = form.cleaned_data["reason"]
    try:
        if form.cleaned_data["decision"] == "approve":
            services.claim_approve(found, viewer, reason)
        else:
            services.claim_refuse(found, viewer, reason)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Saved your decision about “%(name)s”.") % {"name": found.shown_name})
    return redirect("claims")
