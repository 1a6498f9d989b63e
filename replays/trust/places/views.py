from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from players.db.keyset import Page
from players.web.errors import handle_bad_addresses
from players.web.parameters import CURSOR, form_of, posted_id
from players.web.staff import moderators_only
from players.web.users import required_user
from replays.models import Place
from replays.trust.places.selectors import place_shown, places_page
from replays.trust.places.services import place_decide

PlacesForm = form_of(CURSOR)


@moderators_only("replays.change_replay")
@require_safe
@handle_bad_addresses
def places(request: HttpRequest) -> HttpResponse:
    page = places_page(PlacesForm(request.GET).values()["cursor"])
    return render(request, "replays/trust/places/places.html", {"page": page})


@moderators_only("replays.change_replay")
@require_http_methods(["GET", "HEAD", "POST"])
def place(request: HttpRequest, pk: int) -> HttpResponse:
    viewer = required_user(request)
    try:
        if request.method != "POST":
            page = Page([place_shown(pk)], None, None)
            return render(request, "replays/trust/places/places.html", {"page": page})
        chosen, excused = request.POST.get("counts", ""), request.POST.getlist("honest_mistake")
        winner = None if chosen == "none" else posted_id(chosen)
        place_decide(pk, winner, request.POST.get("reason", ""), viewer, [posted_id(text) for text in excused])
    except Place.DoesNotExist as error:
        raise Http404 from error
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
        return redirect("place", pk)
    messages.success(request, _("Saved."))
    return redirect("places")
