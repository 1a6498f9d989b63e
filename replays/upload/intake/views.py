from __future__ import annotations

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from analysis import limits
from analysis.formats import FORMATS
from analysis.limits import MAX_REPLAY_BYTES, SCRIPT_BYTES, SCRIPT_FILES
from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.leaderboards.pages.board_texts import level_text
from players.models import User
from players.web.clock import shown_text
from players.web.parameters import BadParameter, form_of, ids
from players.web.users import signed_in_user
from replays.models import Replay
from replays.trust.judging.selectors import judgement_text
from replays.trust.reasons import reject_detail, reject_text, sentence
from replays.upload.batches.selectors import BATCH_FIELD
from replays.upload.batches.serializers import MOST_HASHES
from replays.upload.intake.names import SYSTEM_FILE
from replays.upload.intake.permissions import may_upload, sender_of
from replays.upload.intake.receipts import Outcome, Receipt
from replays.upload.intake.selectors import MAX_STATUSES, unseen_originals, upload_statuses
from replays.upload.intake.services import receive_upload

#: Requests of the page's script at the same time.
PARALLEL = 3
_FIELD = "files"
StatusForm = form_of(ids("ids", most=MAX_STATUSES, description=""))


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


@require_http_methods(["GET", "HEAD", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """The upload page; POST receives files and returns JSON for the script, else a page."""
    allowed = may_upload(request.user)
    if request.method == "POST":
        return _receive(request) if allowed else _sign_in_first(request)
    script_limits = {
        "files": SCRIPT_FILES,
        "bytes": SCRIPT_BYTES,
        "parallel": PARALLEL,
        "ids": MAX_STATUSES,
        "file": MAX_REPLAY_BYTES,
        "system_file": SYSTEM_FILE,
        "hashes": MOST_HASHES if signed_in_user(request) else 0,  # batches and known files need an account
    }
    context = {
        "allowed": allowed,
        "limits": script_limits,
        "texts": _texts(),
        "max_files": limits.UPLOAD_MAX_FILES,
        "formats": ", ".join(f".{module.NAME}" for module in FORMATS),
    }
    return render(request, "replays/upload/intake/upload.html", context)


def _sign_in_first(request: HttpRequest) -> HttpResponse:
    if _wants_json(request):
        return JsonResponse({"error": _("Sign in to upload replays.")}, status=403)
    return redirect(f"{reverse('account_login')}?next={reverse('upload')}")


def _receive(request: HttpRequest) -> HttpResponse:
    sender = sender_of(request)
    receipts = receive_upload(request.FILES.getlist(_FIELD), sender, request.POST.get(BATCH_FIELD, ""))
    rows = _receipt_rows(receipts, sender.user)
    if _wants_json(request):
        return JsonResponse({"receipts": rows})
    counts = [(outcome.value, sum(receipt.outcome == outcome for receipt in receipts)) for outcome in Outcome]
    return render(request, "replays/upload/intake/upload_result.html", {"receipts": rows, "counts": dict(counts)})


def _receipt_rows(receipts: Sequence[Receipt], viewer: User | None) -> list[dict[str, object]]:
    """Receipts without links to rows that the sender may not see; the reason of a rejection is shown anyway."""
    same = [receipt.replay_id for receipt in receipts if receipt.outcome is Outcome.DUPLICATE and receipt.replay_id]
    unseen = unseen_originals(same, viewer)
    return [_receipt_row(receipt, unseen.get(receipt.replay_id or 0)) for receipt in receipts]


def _receipt_row(receipt: Receipt, unseen: Replay | None) -> dict[str, object]:
    linked = receipt.replay_id is not None and unseen is None
    return {
        "name": receipt.name,
        "outcome": receipt.outcome,
        "id": receipt.replay_id,
        "url": reverse("replay", args=[receipt.replay_id]) if linked else "",
        "message": (reject_text(unseen) if unseen else "") or receipt.message,
    }


@require_safe
def upload_status(request: HttpRequest) -> HttpResponse:
    """The statuses of the replays ``?ids=1,2,3`` that the visitor may see."""
    try:
        ids = StatusForm(request.GET).values()["ids"]
    except BadParameter as error:
        return JsonResponse({"error": str(error)}, status=400)
    rows = upload_statuses(ids, signed_in_user(request))
    return JsonResponse({"replays": [_status_row(row) for row in rows]})


def _status_row(replay: Replay) -> dict[str, object]:
    row: dict[str, object] = {
        "id": replay.pk,
        "status": replay.status,
        "url": replay.get_absolute_url(),
        "reason": reject_text(replay),
        "detail": reject_detail(replay),
        "numbers": "",
    }
    if replay.status == Replay.Status.DONE:
        row["numbers"] = _key_numbers(replay)
        row |= {"judgement": replay.judgement, "why": judgement_text(replay)}
    return row


def _key_numbers(replay: Replay) -> str:
    """Return such as "Expert · 49.25 s · 3BV 127 · 2.579 3BV/s · won", in the reader's language."""
    time, bvs = replay.statistic("time"), replay.statistic("bvs")
    parts = [level_text(replay.level)]
    if time is not None:
        shown = shown_text(BY_NAME["time"], time, precision_ms=replay.time_precision_ms)
        parts.append(f"{shown} s")
    parts.append(f"3BV {replay.statistic('bv')}")
    if bvs is not None:
        parts.append(f"{value_text(BY_NAME['bvs'], bvs)} 3BV/s")
    return " · ".join([*parts, replay.get_result_display()])


def _texts() -> dict[str, str]:
    return {
        "checking": _("checking"),
        "known": sentence("duplicate_file", {"replay": "%(replay)s"}),
        "waiting": _("waiting"),
        "sending": _("sending"),
        "queued": _("queued"),
        "running": _("being analysed"),
        "done": _("done"),
        "rejected": _("rejected"),
        "duplicate": _("duplicate"),
        "failed": _("not sent"),
        "tooLarge": sentence("too_large", {"limit": MAX_REPLAY_BYTES}),
        "empty": sentence("empty"),
        "offline": _("Can't reach the site. Check your connection."),
        "details": _("Details"),
        "gone": _("We can no longer show this upload's progress: it was deleted, or you've signed out."),
        "passedOver": sentence("system_files", {"count": "%(count)s", "names": "%(names)s"}),
        "hidden": _("More files being processed: %(count)s. To keep this page fast, we don't list them."),
    }
