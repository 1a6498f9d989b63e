from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from players.decision_log import Kind
from players.web.errors import handle_bad_addresses
from players.web.parameters import CURSOR, form_of
from players.web.rate_limits import client_address
from players.web.users import required_user
from replays.moderation.bans import appeal_refusal, ban_appeal
from replays.moderation.forms import AppealForm, ReportForm
from replays.moderation.selectors import decisions_about, last_ban
from replays.moderation.things import RULES, thing_or_404
from replays.trust.reports.services import report_make

PageForm = form_of(CURSOR)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report(request: HttpRequest, what: str, which: str) -> HttpResponse:
    if what not in RULES:
        raise Http404
    kind, user = Kind(what), required_user(request)
    thing = thing_or_404(request, what, which)
    form = ReportForm(request.POST if request.method == "POST" else None, kind=kind)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            report_make(kind, thing.number, thing.about_id, user, client_address(request), given["rule"], given["text"])
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("Report sent. A moderator will look at it."))
            return redirect(thing.address)
    context = {"form": form, "thing": thing, "is_own": thing.about_id == user.pk}
    return render(request, "replays/moderation/report.html", context, status=400 if form.errors else 200)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def ban(request: HttpRequest) -> HttpResponse:
    user = required_user(request)
    form = AppealForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            ban_appeal(user, form.cleaned_data["text"])
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("Appeal sent. You'll see the answer on this page."))
            return redirect("ban")
    found = last_ban(user)
    context = {"ban": found, "form": form, "may_appeal": appeal_refusal(found) is None}
    return render(request, "replays/moderation/ban.html", context, status=400 if form.errors else 200)


@login_required
@never_cache
@require_safe
@handle_bad_addresses
def decisions(request: HttpRequest) -> HttpResponse:
    """Show what moderators decided about the account and its things."""
    page = decisions_about(required_user(request), PageForm(request.GET).values()["cursor"])
    return render(request, "replays/moderation/decisions.html", {"page": page})
