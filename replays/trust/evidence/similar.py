"""Finding games that were likely made of one another: their sketches share shingles (``analysis.evidence.sketch``).

Only won games of ranked levels have a sketch.  A game is looked up by its smallest shingles among the first six of each
stored sketch, in six indexes; what is found is compared by whole sketches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

import numpy as np
from django.conf import settings
from django.db.models import F, Q

from analysis.evidence import SIMILAR_LEVELS, SKETCH, Evidence, Played, similar_games
from analysis.recording import Level, Mode
from analysis.statistics import RANKED_LEVELS
from players.db import bulk
from replays.models import SKETCH_COLUMNS, PlayTrace, Replay

#: Columns of ``PlayTrace`` that :func:`sketch_values` fills.
SKETCHED: Final = ("sketch", *SKETCH_COLUMNS)

#: Shingles of a game that are looked up.  The six smallest of its original, so far as it kept them, are among these.
_LOOKED_UP: Final = 32
#: Stored games that are compared with one, the oldest first: an original is older than a flood of its copies.
_MAX_CANDIDATES: Final = 2_000

_FIND: Final = " UNION ALL ".join(
    f"SELECT game, replay_id FROM requested JOIN replays_playtrace ON {column} = shingle"  # noqa: S608 - our own names
    for column in SKETCH_COLUMNS
)
_FIND_OLDEST: Final = f"""
    SELECT game, replay_id FROM (
        SELECT game, replay_id, row_number() OVER (PARTITION BY game ORDER BY replay_id) AS place
        FROM (SELECT DISTINCT game, replay_id FROM ({_FIND}) AS shared) AS others WHERE replay_id {{excluded}}
    ) AS placed WHERE place <= {_MAX_CANDIDATES}
"""  # noqa: S608 - as above


def holders() -> Q:
    """Traces of the games that hold the places of their plays; only such have one as could be on boards (``rules_apply``)."""
    far_enough = Q(replay__result=Replay.Result.LOST, replay__completion__gte=settings.MINIMUM_COMPLETION / 100)
    return Q(
        Q(replay__win=True) | far_enough,
        Q(replay__place=None) | Q(replay__game=F("replay__place__holder")),
        replay__status=Replay.Status.DONE, replay__mode=Mode.STANDARD, replay__level__in=RANKED_LEVELS,
    )  # fmt: skip


class Sketched(NamedTuple):
    played: Played
    here: bool


def sketched_games(games: Iterable[tuple[Replay, Evidence]]) -> dict[int, Sketched]:
    """Those of these analysed games that are compared, with all their shingles."""
    return {
        replay.pk: Sketched(
            Played(Level(replay.level), evidence.shingles, bytes(replay.board)),
            replay.evidence == Replay.Evidence.HERE,
        )
        for replay, evidence in games
        if replay.board is not None and replay.win and replay.level in SIMILAR_LEVELS
    }


def sketch_values(game: Sketched | None) -> tuple[object, ...]:
    """The values of the columns :data:`SKETCHED`; NULL without a game, or for one with too few clicks."""
    shingles = game.played.shingles if game is not None else ()
    if not shingles:
        return (None,) * len(SKETCHED)
    first = shingles[: len(SKETCH_COLUMNS)]
    missing = (None,) * (len(SKETCH_COLUMNS) - len(first))
    return np.array(shingles[:SKETCH], "<i8").tobytes(), *first, *missing


def similar_holders(games: Mapping[int, Sketched]) -> dict[int, list[int]]:
    """Find, for each of ``games`` by replay, similar games that hold their places, and others of ``games``; oldest first."""
    rows = [(replay_id, shingle) for replay_id, game in games.items() for shingle in game.played.shingles[:_LOOKED_UP]]
    found = bulk.select_from(rows, {"game": "bigint", "shingle": "bigint"}, _FIND_OLDEST, list(games))
    everybody = {**stored_sketches({int(row[1]) for row in found}), **games}
    played = {number: game.played for number, game in everybody.items()}
    others: dict[int, list[int]] = defaultdict(list)
    for one, two in sorted(similar_games({number: played[number] for number in games}, played)):
        if not (everybody[one].here and everybody[two].here):  # this site dealt them the same board
            others[one].append(two)
            others[two].append(one)
    return {number: sorted(others[number]) for number in games if number in others}


def stored_sketches(replay_ids: Iterable[int]) -> dict[int, Sketched]:
    """The sketches of these replays, if they are analysed and hold their places, and of those that hold their places."""
    ids = list(replay_ids)
    near = Q(replay__in=ids) | Q(replay__place__in=Replay.objects.filter(pk__in=ids).values("place"))
    rows = PlayTrace.objects.filter(holders(), near)
    columns = ("replay_id", "sketch", *(f"replay__{name}" for name in ("level", "board", "evidence")))
    return {
        replay_id: Sketched(
            Played(Level(level), tuple(np.frombuffer(sketch, "<i8").tolist()), bytes(board)),
            evidence == Replay.Evidence.HERE,
        )
        for replay_id, sketch, level, board, evidence in rows.values_list(*columns)
        if sketch is not None
    }
