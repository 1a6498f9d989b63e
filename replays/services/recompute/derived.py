"""One chunk of derived statistics, from the base values of the rows; no file is touched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.recording import Level
from analysis.statistics import BASE, BY_NAME, DERIVED, LEVEL_CODES, Floats, derive, plain
from players import bulk
from players.boards import GAME_COLUMNS, Game, game_of_row
from replays.models import Replay
from replays.services.recompute.boards import boards_follow
from replays.services.recompute.plan import Pass
from replays.services.recompute.rejudge import NEEDED, judge_again, others, take_off

_NUMBERS: Final = tuple(row.name for row in (*BASE, *DERIVED))
_READ: Final = tuple(dict.fromkeys((*NEEDED, "ranked", "statistics_version", *GAME_COLUMNS, *_NUMBERS)))
_AT: Final = {name: place for place, name in enumerate(_READ)}
_GAME_AT: Final = tuple(_AT[name] for name in GAME_COLUMNS)

_Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class _Change:
    """A row whose numbers, or whose version, become others."""

    old: _Row
    new: _Row


def derived_again(what: Pass, ids: Sequence[int]) -> int:
    """Renew the columns of ``what`` in these rows, their judgement by rules, and the boards.

    Returns how many rows got other numbers.  Call it inside a transaction.  Rows that already hold the right numbers
    are not written.
    """
    rows = list(
        Replay.objects.select_for_update()
        .filter(pk__in=ids, status=Replay.Status.DONE)
        .order_by("pk")
        .values_list(*_READ)
    )
    changes, renumbered = _changes(what, rows)
    now = {row[_AT["id"]]: row for row in rows} | {change.new[_AT["id"]]: change.new for change in changes}
    rejudged = set(others(now.values(), _AT))
    take_off(rejudged)  # before its numbers change: the boards know it by the old ones
    written = (*what.names, "statistics_version")
    places = [_AT[name] for name in ("id", *written)]
    bulk.update(Replay, written, [tuple(change.new[place] for place in places) for change in changes])
    ranked = [change for change in changes if change.old[_AT["ranked"]] and change.old[_AT["id"]] not in rejudged]
    boards_follow(_games(change.old for change in ranked), _games(change.new for change in ranked))
    judge_again(rejudged)
    return renumbered


def _changes(what: Pass, rows: Sequence[_Row]) -> tuple[list[_Change], int]:
    """Rows to write, and in how many of them a number changes."""
    if not rows:
        return [], 0
    columns = dict(zip(_READ, zip(*rows, strict=True), strict=True))
    derived = derive(_inputs(columns))
    differs = np.zeros(len(rows), np.bool_)
    for name in what.names:
        if BY_NAME[name].integer:
            derived[name] = np.rint(derived[name])
        differs |= _differs(derived[name], _floats(columns[name]))
    changes = []
    for number, row in enumerate(rows):
        version = what.version_after(row[_AT["statistics_version"]])
        if differs[number] or version != row[_AT["statistics_version"]]:
            new = list(row)
            new[_AT["statistics_version"]] = version
            for name in what.names:
                new[_AT[name]] = plain(BY_NAME[name], float(derived[name][number]))
            changes.append(_Change(row, tuple(new)))
    return changes, int(differs.sum())


def _inputs(columns: Mapping[str, Sequence[Any]]) -> dict[str, Floats]:
    """What :func:`analysis.statistics.derive` takes."""
    inputs = {row.name: _floats(columns[row.name]) for row in BASE}
    inputs["win"] = _floats(columns["win"])
    inputs["level"] = np.array([LEVEL_CODES[Level(level)] for level in columns["level"]], np.float64)
    return inputs


def _floats(column: Sequence[Any]) -> Floats:
    """NULL as NaN."""
    return np.array(column, np.float64)


def _differs(new: Floats, old: Floats) -> NDArray[np.bool_]:
    return np.asarray((new != old) & ~(np.isnan(new) & np.isnan(old)))


def _games(rows: Iterable[_Row]) -> dict[int, Game]:
    return {row[_AT["id"]]: game_of_row(tuple(row[place] for place in _GAME_AT)) for row in rows}
