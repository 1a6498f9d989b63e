"""Judgements by rules follow from numbers: one chunk of rows whose numbers are made again without their files."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from players import bulk
from players.services import bests_add, bests_remove
from replays.models import Replay
from replays.services.appeals import appeals_settle
from replays.services.ranking import counts_on_boards
from replays.services.rules import ACCEPTED, JUDGED, Rules, could_rank, judge_by_rules, judged

#: Columns that :func:`others` needs beside the statistics.
NEEDED: Final = ("id", "win", "mode", "level", "findings", "judgement", "judgement_code", "judgement_params")
_WRITTEN: Final = (*JUDGED, "ranked")
_WRITTEN_OF: Final = attrgetter("id", *_WRITTEN)


def others(rows: Iterable[Sequence[Any]], at: Mapping[str, int]) -> list[int]:
    """The ids of rows that the rules judge in another way than is stored; ``at``: where each column stands."""
    rules = Rules.of_site()
    return [row[at["id"]] for row in rows if _is_other(row, at, rules)]


def _is_other(row: Sequence[Any], at: Mapping[str, int], rules: Rules) -> bool:
    if row[at["judgement_code"]] == Replay.DECIDED:
        return False
    level, verdict = row[at["level"]], ACCEPTED
    if could_rank(win=row[at["win"]], mode=row[at["mode"]], level=level):
        verdict = judged(lambda name: row[at[name]], row[at["findings"]], level, rules)
    stored = row[at["judgement"]], row[at["judgement_code"]], row[at["judgement_params"]]
    return stored != (verdict.judgement, verdict.code, verdict.params)


def take_off(ids: Collection[int]) -> None:
    """Take those of ``ids`` off the boards that count there, with the numbers that they have there."""
    leaving = list(Replay.objects.filter(pk__in=ids, ranked=True)) if ids else []
    if leaving:
        Replay.objects.filter(pk__in=[row.pk for row in leaving]).update(ranked=False)
        bests_remove(leaving)


def judge_again(ids: Collection[int]) -> None:
    """Judge rows, which count on no board, by their new numbers; those that are accepted now enter the boards."""
    rows = list(Replay.objects.select_related("player").filter(pk__in=ids).order_by("pk")) if ids else []
    rules = Rules.of_site()
    for row in rows:
        judge_by_rules(row, rules)
        row.ranked = counts_on_boards(row)
    bulk.update(Replay, _WRITTEN, [_WRITTEN_OF(row) for row in rows])
    bests_add([row for row in rows if row.ranked])
    appeals_settle([row.pk for row in rows if row.judgement == Replay.Judgement.ACCEPTED])
