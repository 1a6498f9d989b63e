from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.multiplayer.laying import Laying
from players.web.parameters import BadParameter
from replays.odds.positions.budget import count_position
from replays.odds.positions.refusal import Refusal
from replays.play.laying.laying_drawing import laid_svg
from replays.play.laying.selectors import LaidBoard, LayingForm, laid_board, query_string
from replays.upload.kernels import require_kernels

#: Parameters that show what the page is about; titles are in the template.
_EXAMPLES = {
    "default": Laying(),
    "tiny": Laying(rows=4, columns=6, area=4, area_mines=3, modulus=101, start_number=7),
    "expert": Laying(rows=16, columns=30),
    "one": Laying(start_number=1),
    "two": Laying(start_number=2),
}


@require_safe
def laying(request: HttpRequest) -> HttpResponse:
    """Show a board; requests count towards the same limit as the probability tool."""
    require_kernels("rooms")
    values, errors = LayingForm(request.GET).read()
    board: LaidBoard | None = None
    status, wait = 200, 0
    try:
        if request.GET:
            count_position(request)
        if errors:
            raise BadParameter(errors)
        board = laid_board(values)
    except BadParameter as error:
        errors, status = error.errors, 400
    except Refusal as error:
        errors, status = {"": str(error)}, error.http_status
        wait = error.retry_seconds or 0
    shown = {name: request.GET.get(name, value) for name, value in values.items()}
    context = {
        "values": shown,
        "errors": errors,
        "board": board,
        "drawing": laid_svg(board, _("The board's mines and the borders of its areas.")) if board else "",
        "is_default": board is not None and board.laying == Laying(),
        "examples": {name: query_string(example) for name, example in _EXAMPLES.items()},
    }
    response = render(request, "replays/play/laying/laying.html", context, status=status)
    if wait:
        response["Retry-After"] = str(wait)
    return response
