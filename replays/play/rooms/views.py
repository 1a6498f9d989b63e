from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from players.web.errors import bad_request
from players.web.links import absolute_address
from players.web.parameters import parse_integer
from players.web.problems import Refused
from players.web.rate_limits import client_address
from players.web.users import moderator_in
from replays.play.laying.selectors import parameters_of
from replays.play.models import Room
from replays.play.models.rooms import MAX_ROOM_CELLS
from replays.play.referee.bus import Command
from replays.play.rooms import selectors
from replays.play.rooms.forms import RoomForm
from replays.play.rooms.services import room_command, room_create
from replays.play.sockets.visitors import Visitor, set_guest_cookie, visitor_of

_MAX_PLAYER = 2**16 - 1


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def rooms(request: HttpRequest) -> HttpResponse:
    visitor = visitor_of(request)
    form, refused = RoomForm(request.POST if request.method == "POST" else None), ""
    status = 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                made = room_create(visitor, form.save(commit=False), client_address(request))
            except Refused as error:
                refused, status = str(error), error.http_status
            else:
                return _with_guest(redirect(made), visitor)
    context = {
        "page": selectors.lobby(request.GET.get("cursor")),
        "mine": selectors.rooms_of(visitor),
        "finished": selectors.finished_boards().rows,
        "form": form,
        "refused": refused,
        "available": selectors.rooms_are_available(),
        "max_cells": MAX_ROOM_CELLS,
    }
    return render(request, "replays/play/rooms/rooms.html", context, status=status)


@never_cache
@require_safe
def room(request: HttpRequest, slug: str) -> HttpResponse:
    visitor, found = visitor_of(request), selectors.room_or_404(slug)
    owner = selectors.owns(found, visitor)
    context = {
        "room": found,
        "is_owner": owner,
        "may_play": visitor.user_id is not None or found.guests,
        "players": selectors.players_of(found),
        "boards": selectors.boards(found).rows,
        "available": selectors.rooms_are_available(),
        "config": room_config(found, visitor, owner=owner),
        "link": absolute_address(found.get_absolute_url()),
    }
    return _with_guest(render(request, "replays/play/rooms/room.html", context), visitor)


@require_POST
def command(request: HttpRequest, slug: str) -> HttpResponse:
    """Send the owner's command to the referee: ``do`` is restart, close, mute, unmute or kick, ``player`` a number."""
    found = selectors.room_or_404(slug)
    try:
        what = Command[request.POST.get("do", "").upper()]
        player = parse_integer(request.POST.get("player") or "0", "player", 0, _MAX_PLAYER)
    except (KeyError, ValueError) as error:
        return bad_request(request, str(error))
    try:
        room_command(found, visitor_of(request), what, player, moderator=moderator_in(request))
    except Refused as error:
        return render(request, "400.html", {"reason": str(error)}, status=error.http_status)
    if request.headers.get("HX-Request") or "application/json" in request.headers.get("Accept", ""):
        return HttpResponse(status=204)
    messages.success(request, _("Done."))
    return redirect("play-rooms") if what is Command.CLOSE else redirect(found)


@require_safe
def watch(request: HttpRequest, slug: str, epoch: int) -> HttpResponse:
    found = selectors.room_or_404(slug)
    board = selectors.board_or_404(found, epoch)
    scores = selectors.shown_scores(board)
    config = {
        "slug": found.slug,
        "name": found.name,
        "epoch": board.epoch,
        "laying": parameters_of(found.laying(board.start_number)),
        "flags": found.flags,
        "chords": found.chords,
        "coop": found.coop,
        "number": board.number,
        "elapsed_ms": board.elapsed_ms,
        "players": scores,
    }
    return render(
        request, "replays/play/rooms/watch.html", {"room": found, "board": board, "scores": scores, "config": config}
    )


def room_config(room: Room, visitor: Visitor, *, owner: bool) -> dict[str, Any]:
    return {
        "slug": room.slug,
        "name": room.name,
        "shape": {"rows": room.rows, "columns": room.columns},
        "sealed": room.sealed,
        "flags": room.flags,
        "chords": room.chords,
        "coop": room.coop,
        "next_board": room.next_board,
        "may_play": visitor.user_id is not None or room.guests,
        "owner": owner,
        "name_of_you": visitor.name,
    }


def _with_guest(response: HttpResponse, visitor: Visitor) -> HttpResponse:
    set_guest_cookie(response, visitor)
    return response
