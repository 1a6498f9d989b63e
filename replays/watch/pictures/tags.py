"""Title, text and picture of links to a replay, for other sites."""

from __future__ import annotations

import re
from typing import Final

from django.http import HttpRequest
from django.urls import reverse

from analysis.statistics import BY_NAME
from analysis.time_convention import MS_PER_SECOND
from players.leaderboards.pages.board_texts import level_text
from players.web.clock import shown_text
from players.web.links import absolute_address
from players.web.share import Picture, Share, card_of
from replays.models import Replay
from replays.watch.pictures.selectors import has_pictures

_MOMENT: Final = re.compile(r"(-?)(?:([0-9]{1,4}):(?=[0-5]?[0-9](?:[.,]|$)))?([0-9]{1,6}(?:[.,][0-9]{1,3})?)", re.ASCII)
_MINUTE: Final = 60


def moment_ms(text: str) -> int | None:
    """Return a time since the opening in ms, as in ``?t=12.34``, ``?t=12,34`` or ``?t=1:02.5``; None if ``text`` is none.

    The viewer reads the same (``msOf`` of ``film/words.js``).
    """
    found = _MOMENT.fullmatch(text)
    if found is None:
        return None
    minus, minutes, seconds = found.groups()
    since = round((_MINUTE * int(minutes or 0) + float(seconds.replace(",", "."))) * MS_PER_SECOND)
    return -since if minus else since


def share_of_replay(request: HttpRequest, replay: Replay) -> Share:
    """Title and description, and for replays that have pictures one: of the moment ``?t=`` or the card."""
    time = _value(replay, "time", " s")
    level, name = level_text(replay.level), replay.player.shown_name if replay.player else ""
    parts = [time, f"3BV {replay.statistic('bv')}", _value(replay, "bvs", " 3BV/s")]
    description = " · ".join([replay.get_result_display(), *filter(None, parts)])
    picture = _picture(request, replay, description) if has_pictures(replay) else None
    title = " · ".join(filter(None, (time, level, name)))
    if replay.judgement == Replay.Judgement.PROVISIONAL:  # its numbers are not spread before they are final
        title, description = " · ".join(filter(None, (level, name))), replay.get_judgement_display()
    return Share(replay.get_absolute_url(), description, picture, title, "article")


def _picture(request: HttpRequest, replay: Replay, alt: str) -> Picture | None:
    asked = request.GET.get("t", "")
    if moment_ms(asked) is None:
        return card_of(replay.pk, alt)
    return Picture(absolute_address(f"{reverse('replay-frame', args=[replay.pk])}?t={asked}"), alt, size=None)


def _value(replay: Replay, name: str, unit: str) -> str:
    value = replay.statistic(name)
    if value is None:
        return ""
    return shown_text(BY_NAME[name], value, precision_ms=replay.time_precision_ms) + unit
