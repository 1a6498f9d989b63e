from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from players.web.errors import forbidden, handle_bad_addresses
from players.web.links import here, redirect_to_next
from players.web.parameters import CURSOR, form_of
from players.web.users import signed_in_user
from replays.models import GameLink
from replays.trust.equals.selectors import pairs_page
from replays.trust.equals.services import pair_decide
from replays.trust.judging.permissions import may_judge

PairsForm = form_of(CURSOR)


@login_required
@require_safe
@handle_bad_addresses
def pairs(request: HttpRequest) -> HttpResponse:
    if not may_judge(signed_in_user(request)):
        return forbidden(request, _("Only moderators can judge replays."))
    page = pairs_page(PairsForm(request.GET).values()["cursor"])
    return render(request, "replays/trust/equals/pairs.html", {"page": page, "here": here(request)})


@login_required
@require_POST
def pair(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = signed_in_user(request)
    if viewer is None or not may_judge(viewer):
        return forbidden(request, _("Only moderators can judge replays."))
    try:
        link = GameLink.objects.get(pk=pk)
        pair_decide(link, request.POST.get("stands", ""), request.POST.get("reason", ""), viewer)
    except GameLink.DoesNotExist as error:
        raise Http404 from error
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        text = _("Saved your decision about #%(first)s and #%(second)s.")
        messages.success(request, text % {"first": link.first_id, "second": link.second_id})
    return redirect_to_next(request, reverse("pairs"))
