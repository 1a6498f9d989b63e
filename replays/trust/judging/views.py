from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from analysis.statistics import BY_NAME
from players.leaderboards.pages.board_texts import level_text
from players.web.errors import forbidden, handle_bad_addresses
from players.web.links import here, redirect_to_next
from players.web.parameters import form_of
from players.web.staff import moderators_only
from players.web.users import required_user, signed_in_user
from replays.models import Appeal, Replay
from replays.trust.judging import rules
from replays.trust.judging.appeals import appeal_create, appeal_refusal
from replays.trust.judging.permissions import may_judge, owns, replay_or_404
from replays.trust.judging.rules import Rules
from replays.trust.judging.selectors import (
    JUDGEMENT_CODES,
    QUEUE_PARAMETERS,
    QUEUED,
    appeals_of,
    decisions_of,
    judgement_page,
    judgement_text,
)
from replays.trust.judging.services import replay_judge, replay_trust_date

QueueForm = form_of(*QUEUE_PARAMETERS)


def judgement_context(request: HttpRequest, found: Replay) -> dict[str, object]:
    viewer = signed_in_user(request)
    judging, owning = may_judge(viewer), owns(found, viewer)
    appeals = appeals_of(found) if judging or owning else []
    return {
        "judgement_text": judgement_text(found),
        "appeals": appeals,
        "may_appeal": owning and appeal_refusal(found, [appeal.state for appeal in appeals]) is None,
        "may_judge": judging,
        "decisions": decisions_of(found) if judging else [],
        "here": found.get_absolute_url(),
    }


# --- staff ---


@moderators_only("replays.change_replay")
@require_safe
@handle_bad_addresses
def judgements(request: HttpRequest) -> HttpResponse:
    given = QueueForm(request.GET).values()
    page = judgement_page(
        state=given["state"] or "", code=given["code"] or "", appealed=bool(given["appeal"]),
        cursor=given["cursor"],
    )  # fmt: skip
    context = {
        "page": page,
        "rows": [(row, judgement_text(row)) for row in page.rows],
        "states": [(word, Replay.Judgement(word).label) for word in QUEUED],
        "codes": JUDGEMENT_CODES,
        "given": given,
        "here": here(request),
    }
    return render(request, "replays/trust/judging/judgements.html", context)


@moderators_only("replays.change_replay")
@require_POST
def replay_judgement(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = required_user(request)
    found = replay_or_404(request, pk)
    try:
        replay_judge(found, request.POST.get("judgement", ""), request.POST.get("reason", ""), viewer)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Saved the judgement of replay #%(number)s.") % {"number": pk})
    return redirect_to_next(request, found.get_absolute_url())


@moderators_only("replays.change_replay")
@require_POST
def replay_date(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = required_user(request)
    found = replay_or_404(request, pk)
    try:
        replay_trust_date(found, viewer, trusted=request.POST.get("trusted") == "yes")
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Saved the date of replay #%(number)s.") % {"number": pk})
    return redirect(found)


# --- owners ---


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def replay_appeal(request: HttpRequest, pk: int) -> HttpResponse:
    found, viewer = replay_or_404(request, pk), signed_in_user(request)
    if viewer is None or not owns(found, viewer):
        return forbidden(request, _("Only the uploader, or the player the replay counts for, can appeal."))
    refusal = appeal_refusal(found, [appeal.state for appeal in appeals_of(found)])
    if refusal is not None:
        messages.error(request, " ".join(refusal.messages))
        return redirect(found)
    text, errors = request.POST.get("text", ""), []
    if request.method == "POST":
        try:
            appeal_create(found, viewer, text)
        except ValidationError as error:
            errors = error.messages
        else:
            messages.success(request, _("Appeal sent. You'll see the answer on this page."))
            return redirect(found)
    context = {
        "replay": found, "why": judgement_text(found), "text": text, "errors": errors, "max_chars": Appeal.MAX_CHARS,
    }  # fmt: skip
    return render(request, "replays/trust/judging/appeal.html", context, status=400 if errors else 200)


# --- the rules, for everybody ---


@require_safe
def help_evidence(request: HttpRequest) -> HttpResponse:
    context = {
        "open_formats": [name.upper() for name in settings.RANK_OPEN_FORMATS],
        "days": settings.PROVISIONAL_DAYS,
        "limits": [
            f"{level_text(level)} {_(BY_NAME[statistic].label)} {sign} {bound:g}"
            for level, statistic, sign, bound in Rules.of_site().provisional_limits
        ],
        "top": rules.TOP_PLACES,
        "leap": rules.LEAP_PERCENT,
        "players": rules.LEAST_PLAYERS,
    }
    return render(request, "replays/trust/judging/help_evidence.html", context)
