"""Which new games are provisional: those that would matter most if they were forged.

A game is provisional if it would enter the first places of a time or 3BV/s board, or if it beats its player's best by a
large step.  Both only on boards with many players; settings ``PROVISIONAL_…``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.utils import timezone

from analysis.statistics import BY_NAME
from players.db.pipeline import pipeline, send
from players.leaderboards.bests.personal import best_rank_keys
from players.leaderboards.boards import BoardKey, PersonalKey
from players.models import PersonalBest
from replays.judging.rules import LEAP, TOP
from replays.models import Replay
from replays.ranked_games import game_of

_STATISTICS: Final = ("time", "bvs")


def mark_provisional(replays: Iterable[Replay]) -> None:
    """Make those of ``replays`` provisional that should be; nothing is saved.

    ``replays``: games that are about to be added to the boards for the first time, with player and ``ranked`` set.  Games
    played here, and those that staff accepted, are final.  Games of one call are compared in the order of their dates.
    """
    asked = sorted(
        (replay for replay in replays if _could_be(replay)), key=lambda replay: (replay.achieved_at, replay.pk)
    )
    if not asked or not settings.PROVISIONAL_DAYS:
        return
    entries = {replay.pk: _entries(replay) for replay in asked}
    last_places = _last_places(
        {BoardKey(key.level, key.statistic, key.style) for keys in entries.values() for key in keys}
    )
    bests = best_rank_keys(
        {replay.player_id for replay in asked if replay.player_id is not None},
        _STATISTICS,
        {replay.level for replay in asked},
    )
    until = timezone.now() + timedelta(days=settings.PROVISIONAL_DAYS)
    for replay in asked:
        code, params = _why(entries[replay.pk], bests, last_places)
        if code:
            replay.judgement, replay.judgement_code = Replay.Judgement.PROVISIONAL, code
            replay.judgement_params, replay.provisional_until = params, until
        for key, rank_key in entries[replay.pk].items():
            bests[key] = min(rank_key, bests.get(key, rank_key))


def _could_be(replay: Replay) -> bool:
    return (
        replay.ranked
        and replay.judgement == Replay.Judgement.ACCEPTED
        and replay.judgement_code != Replay.DECIDED
        and replay.evidence != Replay.Evidence.HERE
    )


def _entries(replay: Replay) -> dict[PersonalKey, float]:
    """The rank keys of the game on its time and 3BV/s boards."""
    return {key: best.rank_key for key, best in game_of(replay).bests() if key.statistic in _STATISTICS}


def _last_places(boards: Collection[BoardKey]) -> dict[BoardKey, float]:
    """The rank key of the last of the first places, of those of ``boards`` that have enough players."""
    skipped = max(settings.PROVISIONAL_TOP - 1, 0)
    least = max(settings.PROVISIONAL_MIN_PLAYERS, skipped + 1)
    with pipeline():
        sent = []
        for board in boards:
            rows = PersonalBest.objects.filter(**board._asdict()).order_by("rank_key")
            sent.append((board, send(rows.values_list("rank_key")[skipped:least])))
        read = [(board, rows()) for board, rows in sent]
    return {board: rows[0][0] for board, rows in read if len(rows) == least - skipped}


def _why(
    entries: dict[PersonalKey, float], bests: dict[PersonalKey, float], last_places: dict[BoardKey, float]
) -> tuple[str, dict[str, object]]:
    """The code of the judgement and its parameters; ("", {}) if the game is not provisional."""
    for key, rank_key in entries.items():
        last = last_places.get(BoardKey(key.level, key.statistic, key.style))
        best = bests.get(key)
        if last is None or (best is not None and best <= rank_key):
            continue
        params: dict[str, object] = {"statistic": key.statistic, "style": key.style}
        if settings.PROVISIONAL_TOP and rank_key <= last:
            return TOP, {**params, "places": settings.PROVISIONAL_TOP}
        if best is not None and _leaps(key.statistic, best, rank_key):
            row = BY_NAME[key.statistic]
            return LEAP, {**params, "old": row.rank_key(best), "percent": settings.PROVISIONAL_LEAP_PERCENT}
    return "", {}


def _leaps(statistic: str, best: float, rank_key: float) -> bool:
    """Whether a time is shorter, or a speed higher, by more than the setting; ``rank_key`` is its own inverse."""
    row, percent = BY_NAME[statistic], settings.PROVISIONAL_LEAP_PERCENT
    old, new = row.rank_key(best), row.rank_key(rank_key)
    return bool(percent) and abs(new - old) * 100 > percent * abs(old)
