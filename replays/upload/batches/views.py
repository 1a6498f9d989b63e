from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from players.models import MAX_ID
from players.web.errors import bad_request, handle_bad_addresses
from players.web.parameters import CURSOR, form_of, posted_id
from players.web.users import required_user
from replays.models import UploadBatch
from replays.trust.judging.permissions import may_delete
from replays.upload.batches.outcome import outcome_of
from replays.upload.batches.selectors import (
    UPLOADS_PARAMETERS,
    State,
    batch_files,
    batch_of,
    reason_of,
    upload_state,
    uploads_of,
    uploads_page,
)
from replays.upload.batches.services import MOST_DELETED, names_claim, uploads_delete

_TABS = (
    ("", gettext_lazy("All")),
    (State.WAITING.value, gettext_lazy("Waiting")),
    (State.DONE.value, gettext_lazy("Done")),
    (State.JUDGED.value, gettext_lazy("Not accepted")),
    (State.REJECTED.value, gettext_lazy("Rejected")),
)
#: Replays that the page of the confirmation names.
_NAMED = 10
UploadsForm = form_of(*UPLOADS_PARAMETERS)
FilesForm = form_of(CURSOR)


@login_required
@never_cache
@require_safe
@handle_bad_addresses
def own_uploads(request: HttpRequest) -> HttpResponse:
    given = UploadsForm(request.GET).values()
    page = uploads_page(required_user(request), given["state"], given["cursor"])
    context = {
        "page": page,
        "lines": [(row, upload_state(row), reason_of(row)) for row in page.rows],
        "state": given["state"] or "",
        "tabs": _TABS,
        "most": MOST_DELETED,
    }
    return render(request, "replays/upload/batches/own_uploads.html", context)


@login_required
@require_POST
def own_uploads_delete(request: HttpRequest) -> HttpResponse:
    """The page that asks whether to delete chosen uploads, or the newest of one state; with ``confirmed`` it is done."""
    user, state = required_user(request), request.POST.get("state", "")
    if state and state not in list(State):
        raise Http404
    if request.POST.get("choice") == "state" and state:
        ids = list(uploads_of(user, state).order_by("-id").values_list("pk", flat=True)[:MOST_DELETED])
    else:
        ids = [posted_id(text) for text in request.POST.getlist("replay")]
    back = f"{redirect('own-uploads').url}?state={state}" if state else redirect("own-uploads").url
    if not ids:
        messages.error(request, _("Choose at least one replay."))
        return redirect(back)
    if request.POST.get("confirmed") != "yes":
        return _confirm(request, ids, state)
    try:
        count = uploads_delete(user, ids)
    except ValidationError as error:
        return bad_request(request, " ".join(error.messages))
    messages.success(
        request, ngettext("Deleted %(count)s replay.", "Deleted %(count)s replays.", count) % {"count": count}
    )
    return redirect(back)


def _confirm(request: HttpRequest, ids: Sequence[int], state: str) -> HttpResponse:
    if len(set(ids)) > MOST_DELETED:
        return bad_request(request, _("At most %(limit)s replays at once.") % {"limit": MOST_DELETED})
    user = required_user(request)
    own = list(uploads_of(user).filter(pk__in=ids).defer("board", "findings").order_by("-pk"))
    rows = [row for row in own if may_delete(row, user)]
    context = {"rows": rows, "named": rows[:_NAMED], "kept": len(own) - len(rows), "state": state}
    return render(request, "replays/upload/batches/own_uploads_delete.html", context)


# --- batches ----------------------------------------------------------------------------------------------------------


@login_required
@never_cache
@require_safe
@handle_bad_addresses
def upload_batch(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a batch's outcome; the page polls while files wait.  ``part=outcome``: that part alone, for the script."""
    batch = _batch(request, pk)
    context = {"batch": batch, "outcome": outcome_of(batch)}
    if request.GET.get("part") == "outcome":
        return render(request, "replays/upload/batches/_outcome.html", context)
    context["page"] = batch_files(batch, FilesForm(request.GET).values()["cursor"])
    return render(request, "replays/upload/batches/upload_batch.html", context)


@login_required
@require_POST
def upload_batch_names(request: HttpRequest, pk: int) -> HttpResponse:
    batch = _batch(request, pk)
    found = {name.name for name in outcome_of(batch).claimable}
    names = [name for name in request.POST.getlist("name") if name in found]
    if not names:
        messages.error(request, _("Choose at least one name."))
        return redirect(batch)
    try:
        claims, refused = names_claim(required_user(request), names)
    except ValidationError as error:
        return bad_request(request, " ".join(error.messages))
    for name, reason in refused.items():
        messages.error(request, f"{name}: {reason}")
    if len(claims) == 1:
        return redirect("claim", pk=claims[0].pk)
    return redirect(f"{redirect('account').url}#names")


def _batch(request: HttpRequest, pk: int) -> UploadBatch:
    try:
        return batch_of(required_user(request), min(pk, MAX_ID))
    except UploadBatch.DoesNotExist as error:
        raise Http404 from error
