"""One chunk of derived statistics, from the base values of the rows; no file is touched."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from analysis.recording import Level
from analysis.statistics import BASE, BY_NAME, LEVEL_CODES, Floats, derive, plain
from replays.models import Replay
from replays.processing.recompute.plan import Pass
from replays.processing.recompute.renumber import READ, Change, Row, renumber

_READ: Final = (*READ, "statistics_version")
_AT: Final = {name: place for place, name in enumerate(_READ)}


def derived_again(what: Pass, ids: Sequence[int]) -> int:
    """Renew the columns of ``what`` in these rows, their judgement by rules, what counts, and the boards.

    Returns how many rows got other numbers.  Call it inside a transaction.  Rows that already hold the right numbers
    are not written.
    """
    rows = list(
        Replay.objects.select_for_update(no_key=True)
        .filter(pk__in=ids, status=Replay.Status.DONE)
        .order_by("pk")
        .values_list(*_READ)
    )
    changes, renumbered = _changes(what, rows)
    renumber(rows, changes, (*what.names, "statistics_version"), _AT)
    return renumbered


def _changes(what: Pass, rows: Sequence[Row]) -> tuple[list[Change], int]:
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
            changes.append(Change(row, tuple(new)))
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
