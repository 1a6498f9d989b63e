from __future__ import annotations

from typing import Final

from django.utils.translation import gettext as _

from players.web.parameters import Parameter
from replays.watch.pictures.tags import moment_ms


def _parse(text: str) -> int:
    found = moment_ms(text)
    if found is None or found < 0:
        raise ValueError(_("Enter times in seconds (62.5) or in minutes and seconds (1:02.5)."))
    return found


def _moment(name: str, description: str) -> Parameter[int]:
    return Parameter(name, _parse, 0, {"type": "string", "maxLength": 15}, description, required=True)


FROM: Final = _moment("from", "Where the clip begins, in seconds since the opening: 12.5 or 1:02.5.")
TO: Final = _moment("to", "Where it ends: at most 6 s later.")


def seconds(time_ms: int) -> str:
    return f"{time_ms / 1000:.1f}"
