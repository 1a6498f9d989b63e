"""Judging rows again after their values changed, for a chunk of rows that is recomputed without files.

The judgement by rules and ``ranked`` depend on the values and on the settings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from operator import attrgetter
from typing import Final

from django.db.models import Q

from players.db import bulk
from players.db.select import Row
from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import add_games, remove_games
from players.models import Player
from replays.models import Replay
from replays.trust.judging.appeals import appeals_grant
from replays.trust.judging.ranking import log_corpses
from replays.trust.judging.rules import (
    JUDGED,
    Judged,
    Rules,
    could_count,
    could_count_as_corpse,
    counts_as_corpse,
    counts_on_boards,
    judge_by_rules,
    judged,
    keeps_judgement,
)
from replays.trust.places.services import settle

#: Columns that :func:`ids_to_rejudge` needs besides the statistics.
NEEDED: Final = (
    "id", "win", "mode", "level", "format", "evidence", "findings", "judgement", "judgement_code", "judgement_params",
    "ranked", "corpse", "result", "player_id", "ownership",
)  # fmt: skip
_WRITTEN: Final = (*JUDGED, "ranked", "corpse")
_WRITTEN_OF: Final = attrgetter("id", *_WRITTEN)


def ids_to_rejudge(rows: Iterable[Row], at: Mapping[str, int]) -> list[int]:
    """The ids of rows whose judgement, ``ranked`` or ``corpse`` differs from the stored one; ``at``: the index of each column."""
    rules = Rules.of_site()
    off_boards = set(Player.objects.filter(on_boards=False).values_list("pk", flat=True))
    return [row[at["id"]] for row in rows if _differs(row, at, rules, off_boards)]


def _differs(row: Row, at: Mapping[str, int], rules: Rules, off_boards: Collection[int]) -> bool:
    win, result, mode, level, judgement = (row[at[name]] for name in ("win", "result", "mode", "level", "judgement"))
    if row[at["judgement_code"]] != Replay.DECIDED:
        evidence, format_ = row[at["evidence"]], row[at["format"]]
        game = Judged(lambda name: row[at[name]], row[at["findings"]], level, evidence, format_, win, mode, result)
        verdict = judged(game, rules)
        if judgement in Replay.FOR_OTHERS:
            return True  # its place is decided again
        stored = judgement, row[at["judgement_code"]], row[at["judgement_params"]]
        if not keeps_judgement(judgement, stored[1], verdict) and stored != (
            verdict.judgement,
            verdict.code,
            verdict.params,
        ):
            return True
    player = row[at["player_id"]]
    on_boards = player is not None and player not in off_boards and row[at["ownership"]] not in Replay.NOT_OWNED
    bv, completion = row[at["bv"]], row[at["completion"]]
    won = on_boards and could_count(win=win, mode=mode, level=level, judgement=judgement, bv=bv)
    lost = on_boards and could_count_as_corpse(
        result=result, mode=mode, level=level, judgement=judgement, bv=bv, completion=completion
    )
    return bool(won != row[at["ranked"]] or lost != row[at["corpse"]])


def remove_from_boards(ids: Collection[int]) -> None:
    """Remove the games of ``ids`` from the boards; call it before their values change."""
    on_boards = Q(ranked=True) | Q(corpse=True)
    leaving = list(Replay.objects.filter(on_boards, pk__in=ids)) if ids else []
    if leaving:
        Replay.objects.filter(pk__in=[row.pk for row in leaving]).update(ranked=False, corpse=False)
        remove_games([game_of(row) for row in leaving if row.ranked])
        log_corpses(row for row in leaving if row.corpse)


def judge_again(ids: Collection[int]) -> None:
    """Judge rows, which are not ranked, by their new values; those that count on boards are added."""
    rows = list(Replay.objects.select_related("player").filter(pk__in=ids).order_by("pk")) if ids else []
    rules = Rules.of_site()
    for row in rows:
        judge_by_rules(row, rules)
        row.ranked, row.corpse = counts_on_boards(row), counts_as_corpse(row)
    bulk.update(Replay, _WRITTEN, [_WRITTEN_OF(row) for row in rows])
    add_games([game_of(row) for row in rows if row.ranked])
    log_corpses(row for row in rows if row.corpse)
    appeals_grant([row.pk for row in rows if row.judgement == Replay.Judgement.ACCEPTED])
    settle(ids)
