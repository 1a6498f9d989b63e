"""Pictures of those replays that have them: drawn on request, and kept for a while."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np
from django.core.cache import cache
from django.http import Http404
from django.utils import translation
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from analysis.film import Film
from analysis.film.moments import cursor_after, events_until, faces_after
from analysis.recording import digest
from analysis.statistics import BY_NAME
from analysis.time_convention import MS_PER_SECOND, number_text, value_text
from players.leaderboards.pages.board_texts import level_text
from players.web.rate_limits import RateLimit, count_or_refuse
from replays.models import Replay
from replays.watch.film.selectors import film_of_replay, film_version, watched_replay
from replays.watch.pictures.drawing import draw_card, draw_moment, is_drawable, shown_faces

#: :func:`value_text`, or on the reader's clock.
ValueText = Callable[..., str]

PICTURE_LIMIT: Final = RateLimit("pictures", "60/minute")
#: Raise it when drawing changes.
_VERSION: Final = 4
_CACHE_SECONDS: Final = 24 * 60 * 60


def has_pictures(replay: Replay) -> bool:
    """Return whether other sites may show it: analysed and accepted, not provisional; no owner denies it or is yet asked."""
    return (
        replay.status == Replay.Status.DONE
        and replay.judgement == Replay.Judgement.ACCEPTED
        and replay.ownership not in Replay.NOT_OWNED
    )


def pictured_replay(pk: int) -> Replay:
    """Raise ``Http404`` if it has no pictures."""
    replay = watched_replay(pk)
    if not has_pictures(replay):
        raise Http404(_("There's no picture of this replay."))
    return replay


def card_tag(replay: Replay) -> str:
    """Differs whenever the card does."""
    return f"{_VERSION}-{film_version(replay)}-{replay.sha256[:16]}-{digest(repr(_card_texts(replay)).encode())[:16]}"


def moment_tag(replay: Replay, time_ms: int | None) -> str:
    return (
        f"{_VERSION}-{film_version(replay)}-{replay.sha256[:16]}-{digest(picture_line(replay).encode())[:16]}-{time_ms}"
    )


def picture_line(replay: Replay, *, named: bool = True, text: ValueText = value_text) -> str:
    """Name (if ``named``), level, time and 3BV/s, in English; a name that the font lacks is left out."""
    name, title, large, *lines = _card_texts(replay, text)
    parts = (name if named and is_drawable(name) else "", title, large, lines[-1])
    return " · ".join(("Sweepbook", *filter(None, parts)))


def card(replay: Replay, visitor: str) -> bytes:
    """Raise ``Refused`` if ``visitor`` had too many drawn."""
    key = f"card:{card_tag(replay)}"
    found: bytes | None = cache.get(key)
    if found is None:
        _count(visitor)
        film = film_of_replay(replay)
        name, title, large, *lines = _card_texts(replay)
        found = draw_card(_faces(film, len(film.events)), title=title, name=name, large=large, lines=lines)
        cache.set(key, found, _CACHE_SECONDS)
    return found


def moment(replay: Replay, time_ms: int | None, visitor: str) -> bytes:
    """The board and the cursor ``time_ms`` after the opening (None: at the end) as PNG.  Raises as :func:`card`.

    There is one picture of all times before the opening that show the same events, and one of all from the end on.
    """
    _count(visitor)
    film = film_of_replay(replay)
    shown_ms = film.time_ms if time_ms is None else min(time_ms, film.time_ms)
    events = len(film.events) if shown_ms == film.time_ms else events_until(film, shown_ms)
    at = f"{number_text(max(shown_ms, 0) / MS_PER_SECOND, 2)} s"
    key = f"moment:{moment_tag(replay, None)}:{events}:{max(shown_ms, 0)}"
    found: bytes | None = cache.get(key)
    if found is None:
        found = draw_moment(_faces(film, events), cursor_after(film, events), f"{at}  |  {picture_line(replay)}")
        cache.set(key, found, _CACHE_SECONDS)
    return found


def _faces(film: Film, events: int) -> NDArray[np.uint8]:
    return shown_faces(faces_after(film, events), film.facts, over=events == len(film.events))


def _count(visitor: str) -> None:
    count_or_refuse(PICTURE_LIMIT, visitor, _("Too many pictures requested. Try again in a minute."))


def _card_texts(replay: Replay, text: ValueText = value_text) -> tuple[str, ...]:
    """Name, title, the large number, and the lines below it; in English."""
    with translation.override("en"):
        title = level_text(replay.level)
        if replay.result != Replay.Result.WON:
            title = f"{title} · {replay.get_result_display()}"
        name = replay.player.shown_name if replay.player else ""
        time, bv, bvs = (replay.statistic(name) for name in ("time", "bv", "bvs"))
        large = "" if time is None else f"{text(BY_NAME['time'], time, precision_ms=replay.time_precision_ms)} s"
        lines = [f"3BV {bv}", "" if bvs is None else f"3BV/s {text(BY_NAME['bvs'], bvs)}"]
        return name, title, large, *lines
