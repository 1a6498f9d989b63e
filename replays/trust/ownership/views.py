from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from players.models import MAX_ID, User
from players.web.errors import forbidden, handle_bad_addresses
from players.web.parameters import CURSOR, choice, form_of
from players.web.users import required_user
from replays.models import Replay
from replays.trust.judging.permissions import may_judge, replay_or_404
from replays.trust.ownership.selectors import asked_page, games_of_owner, uploaders_waiting
from replays.trust.ownership.services import (
    ANSWERS,
    DECISIONS,
    NotYours,
    games_answer,
    games_answer_waiting,
    ownership_decide,
)

_SHOWN = (Replay.Ownership.WAITING, *ANSWERS)
_TAB_LABELS = (gettext_lazy("Waiting"), gettext_lazy("My games"), gettext_lazy("Not mine"), gettext_lazy("Reported"))
AskedForm = form_of(choice("show", _SHOWN, default=Replay.Ownership.WAITING.value), CURSOR)


def ownership_context(found: Replay, viewer: User | None) -> dict[str, object]:
    owning = viewer is not None and found.player is not None and found.player.user_id == viewer.pk
    return {
        "owns_name": owning,
        "not_owned": found.ownership in Replay.NOT_OWNED,
        "may_decide_ownership": may_judge(viewer) and found.player is not None and found.player.user_id is not None,
    }


@login_required
@never_cache
@require_safe
@handle_bad_addresses
def asked_games(request: HttpRequest) -> HttpResponse:
    owner, given = required_user(request), AskedForm(request.GET).values()
    page = asked_page(owner, given["show"], given["cursor"])
    context = {
        "page": page,
        "show": given["show"],
        "tabs": [(value.value, label) for value, label in zip(_SHOWN, _TAB_LABELS, strict=True)],
        "uploaders": uploaders_waiting(owner) if given["show"] == Replay.Ownership.WAITING else [],
    }
    return render(request, "replays/trust/ownership/asked.html", context)


@login_required
@require_POST
def games_answers(request: HttpRequest) -> HttpResponse:
    """Store the answer to the chosen games, to all of one uploader, or to all that wait."""
    owner, answer, back = required_user(request), request.POST.get("answer", ""), redirect("asked-games")
    chosen, scope = request.POST.getlist("replay"), request.POST.get("scope", "")
    try:
        if scope == "all":
            count = games_answer_waiting(owner, answer)
        elif scope:
            count = games_answer_waiting(owner, answer, _number(scope))
        elif chosen:
            count = games_answer(owner, [_number(text) for text in chosen], answer)
        else:
            messages.error(request, _("Choose at least one game."))
            return back
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return back
    except NotYours as error:
        raise Http404 from error
    text = ngettext("Answered %(count)s game.", "Answered %(count)s games.", count)
    messages.success(request, text % {"count": count})
    return back


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(MAX_ID))):
        raise Http404
    return min(int(text), MAX_ID)


@login_required
@require_POST
def replay_ownership(request: HttpRequest, pk: int) -> HttpResponse:
    viewer, found, answer = required_user(request), replay_or_404(request, pk), request.POST.get("answer", "")
    try:
        if "reason" in request.POST and answer in DECISIONS and may_judge(viewer):
            ownership_decide(found, answer, request.POST["reason"], viewer)
        elif games_of_owner(viewer).filter(pk=pk).exists():
            games_answer(viewer, [pk], answer)
        else:
            return forbidden(request, _("Only the owner of the name can confirm or disown this game."))
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    except NotYours as error:  # the name has just been released
        raise Http404 from error
    else:
        messages.success(request, _("Saved."))
    return redirect(found)
