from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.web.errors import forbidden
from players.web.rate_limits import count_or_refuse
from players.web.users import required_user
from replays.odds.luck.selectors import unreadable_is_404
from replays.trust.judging.permissions import encoding_refusal, replay_or_404
from replays.upload.encodings.selectors import readings_of
from replays.upload.encodings.services import ENCODING_LIMIT, encoding_choose
from replays.upload.kernels import require_kernels


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def replay_encoding(request: HttpRequest, pk: int) -> HttpResponse:
    """Show how the name inside a replay reads in each encoding; a POST chooses one."""
    found, viewer = replay_or_404(request, pk), required_user(request)
    if refusal := encoding_refusal(found, viewer):
        return forbidden(request, refusal)
    with unreadable_is_404():
        readings = readings_of(found)
    if request.method != "POST":
        return render(request, "replays/upload/encodings/encoding.html", {"replay": found, "readings": readings})
    chosen = request.POST.get("encoding", "")
    if chosen not in {reading.encoding for reading in readings}:
        messages.error(request, _("Choose one of these names."))
        return redirect("replay-encoding", pk)
    require_kernels("analysis")
    count_or_refuse(ENCODING_LIMIT, str(viewer.pk))
    try:
        row = encoding_choose(found, chosen, viewer)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("The name now reads %(name)s.") % {"name": row.shown_identifier})
    return redirect(found)
