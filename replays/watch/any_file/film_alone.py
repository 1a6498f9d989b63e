from __future__ import annotations

from base64 import b64encode
from typing import Final

from django.http import HttpRequest
from django.utils.translation import gettext as _

from players.web.users import signed_in_user
from replays.watch.any_file.selectors import WatchedFile
from replays.watch.film.board_svg import board_svg
from replays.watch.film.counters import shown_labels
from replays.watch.film.film_texts import game_data, led_texts

#: Actions of the viewer that need what only an uploaded replay has: odds, routes, a review, an address.
_WITHOUT: Final = ("odds", "zini", "copy", "nextMoment", "previousMoment", "nextGuess", "previousGuess")
_CELL_PX: Final = 24


def film_alone(request: HttpRequest, found: WatchedFile) -> dict[str, object]:
    """Return the context of ``film/_film.html`` with ``alone``, of a game that is no stored replay: its film is in the page."""
    viewer = signed_in_user(request)
    replay = found.replay
    return {
        "replay": replay,
        "drawing": board_svg(found.facts, _board_title(found), f"3BV {found.facts.bv}", _CELL_PX),
        "film_data": {
            **game_data(replay, account=viewer),
            "name": "replay",
            "bytes": b64encode(found.film).decode(),
            "without": _WITHOUT,
        },
        "film_rows": shown_labels(viewer),
        **led_texts(replay),
    }


def _board_title(found: WatchedFile) -> str:
    rows, columns = found.facts.numbers.shape
    values = {"columns": columns, "rows": rows, "mines": found.replay.mines}
    return _("%(columns)s by %(rows)s board with %(mines)s mines") % values
