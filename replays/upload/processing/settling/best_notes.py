"""Telling accounts that the values of their bests were recomputed: one note for an account and a day.

The record history is a log and is not recomputed, so nothing else tells why a number is another one than yesterday.
Accounts alone get notes, so this costs little in comparison with the analysis, however many players there are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils import timezone

from analysis.statistics import BY_NAME, RANKED
from players.leaderboards.bests.personal import Bests, as_bests
from players.models import ALL_STYLES, PersonalBest, Player
from replays.models import RecomputeNote, Replay

_Change = dict[str, float | int | None]


@dataclass(frozen=True, slots=True)
class Before:
    """The bests, of all styles, of players with accounts; ``accounts``: by player."""

    accounts: Mapping[int, int]
    bests: Bests


def bests_before(replay_ids: Collection[int]) -> Before:
    """Read the old bests for :func:`store_notes`; call it before these rows are written, in the same transaction.  No statement without ids."""
    if not replay_ids:
        return Before({}, {})
    players = Replay.objects.filter(pk__in=replay_ids, player__user__isnull=False).order_by().values("player")
    accounts = dict(Player.objects.filter(pk__in=players.distinct()).values_list("pk", "user"))
    return Before(accounts, _bests(accounts))


def store_notes(before: Before, replay_ids: Collection[int]) -> None:
    """Note which bests of ``before`` have other values, since these rows were recomputed."""
    if not before.accounts:
        return
    after, changed, recomputed = _bests(before.accounts), defaultdict[int, dict[str, _Change]](dict), set(replay_ids)
    worse = _values_now(recomputed.intersection(best.replay_id for best in before.bests.values()))
    for key, old in before.bests.items():
        new = after.get(key)
        if new is not None and new.value == old.value:
            continue
        # Not if an upload at the same time made the difference: a recomputed game must have lost or taken the place.
        if worse.get((old.replay_id, key.statistic), old.value) != old.value or (new and new.replay_id in recomputed):
            changed[before.accounts[key.player_id]][f"{key.level} {key.statistic}"] = {
                "before": old.value,
                "after": None if new is None else new.value,
                "replay": None if new is None else new.replay_id,
            }
    for user_id, changes in changed.items():
        _store(user_id, changes)


def _bests(players: Collection[int]) -> Bests:
    if not players:
        return {}
    return as_bests(PersonalBest.objects.filter(player__in=players, style=ALL_STYLES, statistic__in=BY_NAME))


def _values_now(replay_ids: Collection[int]) -> dict[tuple[int, str], float | None]:
    names = [row.name for row in RANKED]
    rows = Replay.objects.filter(pk__in=replay_ids).values_list("pk", *names)
    return {(pk, name): value for pk, *values in rows for name, value in zip(names, values, strict=True)}


def _store(user_id: int, changes: Mapping[str, _Change]) -> None:
    """Add to the note of the day, since each of many chunks may change the same best."""
    now = timezone.now()
    note, _created = RecomputeNote.objects.select_for_update(no_key=True).get_or_create(
        user_id=user_id, day=now.date(), defaults={"changed_at": now, "changes": {}}
    )
    for board, change in changes.items():
        first = note.changes.get(board, change)
        note.changes[board] = {**change, "before": first["before"]}
        if change["after"] == first["before"]:
            del note.changes[board]
    note.changed_at = now
    note.save(update_fields=["changed_at", "changes"])
