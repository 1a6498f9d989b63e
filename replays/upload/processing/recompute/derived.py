"""Recomputing derived statistics of a chunk from the stored base values; no file is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from analysis.recording import Level
from analysis.statistics import BASE, BY_NAME, LEVEL_CODES, Floats, derive, plain
from players.db.select import Row
from replays.models import Replay
from replays.upload.processing.recompute.plan import Pass
from replays.upload.processing.recompute.update import READ, Change, update_rows

_READ: Final = (*READ, "statistics_version")
_AT: Final = {name: index for index, name in enumerate(_READ)}


def recompute_derived(pass_: Pass, ids: Sequence[int]) -> int:
    """Recompute the columns of ``pass_`` in these rows; judgements by rules, ranked games and boards are updated too.

    Returns in how many rows a value changed.  Call it inside a transaction.  Rows without changes are not written.
    """
    rows = list(
        Replay.objects.select_for_update(no_key=True)
        .filter(pk__in=ids, status=Replay.Status.DONE)
        .order_by("pk")
        .values_list(*_READ)
    )
    changes, changed = _changes(pass_, rows)
    update_rows(rows, changes, (*pass_.names, "statistics_version"), _AT)
    return changed


def _changes(pass_: Pass, rows: Sequence[Row]) -> tuple[list[Change], int]:
    """The rows to write, and in how many of them a value changes."""
    if not rows:
        return [], 0
    columns = dict(zip(_READ, zip(*rows, strict=True), strict=True))
    derived = derive(_inputs(columns))
    differs = np.zeros(len(rows), np.bool_)
    for name in pass_.names:
        if BY_NAME[name].integer:
            derived[name] = np.rint(derived[name])
        differs |= _differs(derived[name], _floats(columns[name]))
    changes = []
    for number, row in enumerate(rows):
        version = pass_.version_after(row[_AT["statistics_version"]])
        if differs[number] or version != row[_AT["statistics_version"]]:
            new = list(row)
            new[_AT["statistics_version"]] = version
            for name in pass_.names:
                new[_AT[name]] = plain(BY_NAME[name], float(derived[name][number]))
            changes.append(Change(row, tuple(new)))
    return changes, int(differs.sum())


def _inputs(columns: Mapping[str, Sequence[object]]) -> dict[str, Floats]:
    inputs = {row.name: _floats(columns[row.name]) for row in BASE}
    inputs["win"] = _floats(columns["win"])
    inputs["level"] = np.array([LEVEL_CODES[Level(str(level))] for level in columns["level"]], np.float64)
    return inputs


def _floats(column: Sequence[object]) -> Floats:
    """Return NaN for NULL."""
    return np.array(column, np.float64)


def _differs(new: Floats, old: Floats) -> NDArray[np.bool_]:
    return np.asarray((new != old) & ~(np.isnan(new) & np.isnan(old)))
