from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from players.web.errors import forbidden
from players.web.users import required_user
from replays.models import Objection
from replays.trust.judging.permissions import replay_or_404
from replays.trust.provisional.selectors import may_object
from replays.trust.provisional.services import objection_create


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def replay_object(request: HttpRequest, pk: int) -> HttpResponse:
    found, viewer = replay_or_404(request, pk), required_user(request)
    if not may_object(found, viewer):
        return forbidden(
            request, _("You can't object to this game: it doesn't count, it's your own, or you've already objected.")
        )
    text, errors = request.POST.get("text", ""), []
    if request.method == "POST":
        try:
            objection_create(found, viewer, text)
        except ValidationError as error:
            errors = error.messages
        else:
            messages.success(request, _("Objection sent. A moderator will look at the game."))
            return redirect(found)
    context = {"replay": found, "text": text, "errors": errors, "max_chars": Objection.MAX_CHARS}
    return render(request, "replays/trust/provisional/object.html", context, status=400 if errors else 200)
