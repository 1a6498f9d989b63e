"""Pages of moderators: the queue of reports, bans and appeals, the log of decisions."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.decision_log import Rule
from players.web.errors import handle_bad_addresses
from players.web.links import here, redirect_to_next
from players.web.parameters import CURSOR, choice, form_of
from players.web.staff import moderators_only
from players.web.users import required_user
from replays.models import Ban, ReportedThing
from replays.moderation.bans import appeal_answer, ban_lift, ban_make
from replays.moderation.forms import DAYS, BanForm, VerdictForm, end_of
from replays.moderation.selectors import appealed_bans, bans_page, log_page, queue_page
from replays.moderation.services import report_decide
from replays.moderation.things import RULES
from replays.trust.versions.selectors import VERSION, accepted_versions, seen_versions
from replays.trust.versions.services import version_accept

KIND = choice("kind", [kind.value for kind in RULES], description="Only things of this kind.")
QueueForm = form_of(KIND, CURSOR)
LogForm = form_of(CURSOR)


@moderators_only("replays.change_replay")
@never_cache
@require_safe
@handle_bad_addresses
def reports(request: HttpRequest) -> HttpResponse:
    given = QueueForm(request.GET).values()
    context = {
        "page": queue_page(given["cursor"], kind=given["kind"] or ""),
        "kinds": [(kind.value, kind.label) for kind in RULES],
        "kind": given["kind"] or "",
        "rules": Rule.choices,
        "days": DAYS,
        "here": here(request),
    }
    return render(request, "replays/moderation/reports.html", context)


@moderators_only("replays.change_replay")
@require_POST
def report_decision(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = required_user(request)
    case, form = get_object_or_404(ReportedThing.objects.select_related("about"), pk=pk), VerdictForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("Choose an action."))
        return redirect_to_next(request, "/staff/reports/")
    try:
        report_decide(case, viewer, form.verdict())
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Decision saved."))
    return redirect_to_next(request, "/staff/reports/")


@moderators_only("replays.change_replay")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@handle_bad_addresses
def bans(request: HttpRequest) -> HttpResponse:
    viewer = required_user(request)
    form = BanForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            ban_make(given["username"], viewer, given["rule"], given["reason"], end_of(given["days"]))
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("Account banned."))
            return redirect("bans")
    page = bans_page(LogForm(request.GET).values()["cursor"])
    context = {"page": page, "appealed": appealed_bans(), "form": form}
    return render(request, "replays/moderation/bans.html", context, status=400 if form.errors else 200)


@moderators_only("replays.change_replay")
@require_POST
def ban_decision(request: HttpRequest, pk: int) -> HttpResponse:
    """Lift a ban, or answer the appeal against it: ``decision`` is lift, grant or deny."""
    viewer = required_user(request)
    found, decision = get_object_or_404(Ban, pk=pk), request.POST.get("decision", "")
    reason = request.POST.get("reason", "")
    try:
        if decision == "lift":
            ban_lift(found, viewer, reason)
        elif decision in ("grant", "deny"):
            appeal_answer(found, viewer, granted=decision == "grant", answer=reason)
        else:
            raise ValidationError(_("Choose an action."))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Decision saved."))
    return redirect("bans")


@moderators_only("replays.change_replay")
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def versions(request: HttpRequest) -> HttpResponse:
    viewer = required_user(request)
    if request.method == "POST":
        try:
            format_, format_variant, software = (request.POST.get(name, "") for name in VERSION)
            version_accept(format_, format_variant, software, viewer)
        except ValidationError as error:
            messages.error(request, " ".join(error.messages))
        else:
            messages.success(request, _("Version accepted. We're judging its games again."))
        return redirect("versions")
    context = {"seen": seen_versions(), "accepted": accepted_versions()}
    return render(request, "replays/moderation/versions.html", context)


@moderators_only("replays.change_replay")
@never_cache
@require_safe
@handle_bad_addresses
def decision_log(request: HttpRequest) -> HttpResponse:
    page = log_page(LogForm(request.GET).values()["cursor"])
    return render(request, "replays/moderation/log.html", {"page": page})
