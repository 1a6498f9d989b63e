"""Answers to addresses that lead nowhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from players.boards import UnknownBoard
from players.frames import BadFrame
from players.keyset import BadCursor
from players.models import Player
from players.views.errors import bad_request, not_found
from players.views.jumps import BadJump

View = Callable[..., HttpResponse]


def answers_bad_addresses(view: View) -> View:
    """A board or player that does not exist is 404; a cursor, a frame or a place that cannot be is 400."""

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except UnknownBoard as error:
            return not_found(request, str(error))
        except Player.DoesNotExist as error:
            raise Http404 from error
        except BadCursor as error:
            return bad_request(request, _(str(error)))
        except (BadJump, BadFrame) as error:
            return bad_request(request, str(error))

    return answer
