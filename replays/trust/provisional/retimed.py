from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from analysis.evidence import Evidence, History, retimed_likely
from analysis.recording import Level
from replays.models import PlayTrace, Replay
from replays.trust.judging.findings import finding_row
from replays.trust.judging.rules import VERSION_NEW

_FIELDS: Final = tuple(History.__slots__)
_AROUND: Final = timedelta(days=30)
_MOST_GAMES: Final = 200


def mark_retimed(games: Iterable[tuple[Replay, Evidence]]) -> None:
    """Add the finding ``retimed_likely`` to those of ``games`` that have it, and make it the reason of their judgement.

    Only provisional uploads are looked at, since the finding asks for people: it orders their queue and decides nothing.
    One statement for each.  Nothing is saved.
    """
    for replay, evidence in games:
        if replay.judgement != Replay.Judgement.PROVISIONAL or replay.played_at is None:
            continue
        if replay.evidence == Replay.Evidence.HERE:  # its clock is ours
            continue
        finding = retimed_likely(Level(replay.level), evidence.history, _others(replay))
        if finding is not None:
            replay.findings = [finding_row(finding), *replay.findings]
            if replay.judgement_code != VERSION_NEW:  # by which the games of a version are found
                replay.judgement_code, replay.judgement_params = finding.code, dict(finding.params)


def _others(replay: Replay) -> list[History]:
    """The player's ranked games of the level from some weeks before and after, by the dates that the files state."""
    assert replay.played_at is not None  # noqa: S101 - the caller has looked
    rows = PlayTrace.objects.filter(
        replay__player=replay.player_id, replay__level=replay.level, replay__ranked=True,
        replay__evidence__in=(Replay.Evidence.HERE, Replay.Evidence.SEALED),
        replay__played_at__range=(replay.played_at - _AROUND, replay.played_at + _AROUND),
    )  # fmt: skip
    found = rows.exclude(replay=replay.pk).order_by("-replay_id").values_list(*_FIELDS)[:_MOST_GAMES]
    return [History(*row) for row in found]
