"""Clips on request: one job for all who ask for the same one, behind the analysis of uploads."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import Enum
from typing import Final

from celery import current_app
from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from kombu.exceptions import OperationalError
from rest_framework.request import Request

from analysis.recording import digest
from players.web.problems import Refused
from players.web.rate_limits import RateLimit, client_address, count_or_refuse, visitor_of
from replays.models import Replay
from replays.upload.processing.queue import broker_connection
from replays.watch.clips import store
from replays.watch.clips.clip_drawing import draw_clip
from replays.watch.clips.clip_times import seconds
from replays.watch.film.selectors import film_of_replay, film_version
from replays.watch.pictures.selectors import picture_line, pictured_replay

TASK: Final = "replays.clip"
CLIP_LIMIT: Final = RateLimit("clips", "20/hour")
#: Whatever the accounts.
ADDRESS_CLIP_LIMIT: Final = RateLimit("clips-of-an-address", "60/hour")
MOST_MS: Final = 6_000
#: Times are rounded to it, so that nearly the same clip is not drawn twice.
_STEP_MS: Final = 100
#: Raise it when drawing changes.
_VERSION: Final = 1
#: A job that has not been done by then is forgotten, and its message with it: whoever still wants it asks again.
_JOB_SECONDS: Final = 600
_FAILED_SECONDS: Final = 60

logger = logging.getLogger(__name__)


class State(Enum):
    NONE = "none"
    WAITING = "waiting"
    DRAWING = "drawing"
    FAILED = "failed"
    READY = "ready"


@dataclass(frozen=True, slots=True)
class Clip:
    replay: Replay
    from_ms: int
    to_ms: int

    @property
    def name(self) -> str:
        """Differs whenever the bytes do."""
        texts = digest(picture_line(self.replay).encode())[:16]
        film = f"{_VERSION}.{film_version(self.replay)}.{self.replay.sha256[:16]}"
        return f"{self.replay.pk}-{self.from_ms}-{self.to_ms}-{film}-{texts}"

    def address(self, view: str) -> str:
        """The address of the page, or of the GIF, of this clip."""
        query = urlencode({"from": seconds(self.from_ms), "to": seconds(self.to_ms)})
        return f"{reverse(view, args=[self.replay.pk])}?{query}"

    @property
    def state(self) -> State:
        if store.exists(self.name):
            return State.READY
        return State(cache.get(self._job, State.NONE.value))

    @property
    def _job(self) -> str:
        return f"clip:{self.name}"

    def begin(self) -> bool:
        return bool(cache.add(self._job, State.WAITING.value, _JOB_SECONDS))

    def note(self, state: State) -> None:
        cache.set(self._job, state.value, _FAILED_SECONDS if state is State.FAILED else _JOB_SECONDS)

    def end(self) -> None:
        cache.delete(self._job)


def clip_of(replay: Replay, from_ms: int, to_ms: int) -> Clip:
    """Raise ``Refused`` (400) if it is no part of the game or too long."""
    begin, end = (round(time / _STEP_MS) * _STEP_MS for time in (from_ms, to_ms))
    if not begin < end <= begin + MOST_MS:
        raise Refused("bad_parameter", _("A clip can be at most 6 seconds long and must end after it begins."))
    length_ms = replay.statistic("time_ms")
    if length_ms is not None and begin > length_ms:
        raise Refused("bad_parameter", _("The game had already ended by then."))
    return Clip(replay, begin, end)


def ask(clip: Clip, request: HttpRequest | Request) -> State:
    """Have ``clip`` drawn unless it is there or on its way.  Raises ``Refused``: too many asked for, or no queue."""
    state = clip.state
    if state is not State.NONE:
        return state
    message = _("Too many clips requested. Try again later.")
    count_or_refuse(CLIP_LIMIT, visitor_of(request), message)
    count_or_refuse(ADDRESS_CLIP_LIMIT, client_address(request), message)
    if clip.begin():
        _send(clip)
    return State.WAITING


def _send(clip: Clip) -> None:
    try:
        with broker_connection() as connection:
            job = current_app.signature(TASK, args=(clip.replay.pk, clip.from_ms, clip.to_ms))
            job.apply_async(connection=connection, retry=False, ignore_result=True, expires=_JOB_SECONDS)
    except OperationalError as error:
        clip.end()
        logger.warning("A clip cannot be queued: %s", error)
        raise Refused("busy", _("We can't make clips at the moment. Try again later."), 60) from error


def make(pk: int, from_ms: int, to_ms: int) -> None:
    """Draw a clip that was asked for.  Raises ``Http404`` if the replay has no pictures by now."""
    clip = Clip(pictured_replay(pk), from_ms, to_ms)
    if store.exists(clip.name):
        return
    clip.note(State.DRAWING)
    try:
        data = draw_clip(film_of_replay(clip.replay), from_ms, to_ms, picture_line(clip.replay))
        stored = store.write(clip.name, data)
    except BaseException:
        clip.note(State.FAILED)
        raise
    if stored:
        clip.end()
    else:
        clip.note(State.FAILED)
