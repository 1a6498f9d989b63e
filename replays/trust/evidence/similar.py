"""Finding games that were likely made of one another: their sketches share shingles (``analysis.evidence.sketch``).

Only won games of ranked levels have a sketch.  A game is looked up by its smallest shingles among the first six of each
stored sketch, in six indexes; what is found is compared by whole sketches.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from analysis.evidence import SIMILAR_LEVELS, SKETCH, Evidence, Played, similar_games
from analysis.recording import Level
from players.db import bulk
from replays.models import SKETCH_COLUMNS, GameLink, PlayTrace, Replay

#: Columns of ``PlayTrace`` that :func:`sketch_values` fills.
SKETCHED: Final = ("sketch", *SKETCH_COLUMNS)

#: Shingles of a game that are looked up.  The six smallest of its original, so far as it kept them, are among these.
_LOOKED_UP: Final = 32
#: Stored games that are compared with one, the oldest first: an original is older than a flood of its copies.
_MAX_CANDIDATES: Final = 2_000

#: So many similar games are linked with a new one: those on boards first, then the oldest.
_MOST_LINKS: Final = 10

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


Kind = GameLink.Kind
#: Two replays, the lower number first, and what they share.
Pair: TypeAlias = tuple[int, int, Kind]


class Sketched(NamedTuple):
    played: Played
    here: bool
    ranked: bool


def sketched_games(games: Iterable[tuple[Replay, Evidence]]) -> dict[int, Sketched]:
    """Those of these analysed games that are compared, with all their shingles."""
    return {
        replay.pk: Sketched(
            Played(Level(replay.level), evidence.shingles, bytes(replay.board)),
            replay.evidence == Replay.Evidence.HERE,
            replay.ranked,
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


def similar_pairs(games: Mapping[int, Sketched]) -> list[Pair]:
    """Pairs of each of ``games`` and an analysed game that is similar, or another one of them.

    ``games``: by the number of the replay, with all shingles of it, or with its sketch alone.
    """
    rows = [(replay_id, shingle) for replay_id, game in games.items() for shingle in game.played.shingles[:_LOOKED_UP]]
    found = bulk.select_from(rows, {"game": "bigint", "shingle": "bigint"}, _FIND_OLDEST, list(games))
    everybody = {**stored_sketches({int(row[1]) for row in found}), **games}
    played = {number: game.played for number, game in everybody.items()}
    others: dict[int, list[int]] = defaultdict(list)
    for one, two in similar_games({number: played[number] for number in games}, played):
        if not (everybody[one].here and everybody[two].here):  # this site dealt them the same board
            for number, other in ((one, two), (two, one)):
                others[number].append(other)
    return [
        (min(number, other), max(number, other), Kind.SIMILAR_CLICKS)
        for number in games
        for other in sorted(others[number], key=lambda other: (not everybody[other].ranked, other))[:_MOST_LINKS]
    ]


def stored_sketches(replay_ids: Iterable[int]) -> dict[int, Sketched]:
    """The sketches of those of these replays that are analysed and have one."""
    rows = PlayTrace.objects.filter(replay__in=replay_ids, replay__status=Replay.Status.DONE)
    columns = ("replay_id", "sketch", *(f"replay__{name}" for name in ("level", "board", "evidence", "ranked")))
    return {
        replay_id: Sketched(
            Played(Level(level), tuple(np.frombuffer(sketch, "<i8").tolist()), bytes(board)),
            evidence == Replay.Evidence.HERE,
            ranked,
        )
        for replay_id, sketch, level, board, evidence, ranked in rows.values_list(*columns)
        if sketch is not None
    }
