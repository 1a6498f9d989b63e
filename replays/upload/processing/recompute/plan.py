from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from analysis.statistics import (
    BASE_VERSION,
    BY_ANY_NAME,
    DERIVED,
    LUCK_VERSION,
    STATISTICS,
    VERSION,
    Statistic,
    StatKind,
)
from replays.models import Replay

_ALL_DERIVED = tuple(row.name for row in DERIVED)
Bound: TypeAlias = int | None


class UnknownStatistic(ValueError):
    """A name of no stored statistic; the message is shown to the user of the command."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A set of rows, and what is recomputed in them.

    ``kind``: BASE reads the files and writes all columns that depend on them; DERIVED reads the stored base values and
    writes the columns ``names``; LUCK reads the files and writes the columns of luck.  The rows are those with
    ``oldest`` <= version < ``below`` (of LUCK: ``luck_version``).
    """

    kind: StatKind
    names: tuple[str, ...] = ()
    oldest: int = 0
    below: Bound = None

    @property
    def key(self) -> str:
        """The key of the pass in ``RecomputeProgress``; it has the version of the registry."""
        names = "all" if self.names == _ALL_DERIVED else ",".join(self.names)
        version = LUCK_VERSION if self.kind is StatKind.LUCK else VERSION
        return f"{self.kind} {self.oldest}-{self.below} of {version}: {names}"

    def rows(self) -> QuerySet[Replay]:
        rows = Replay.objects.filter(status=Replay.Status.DONE)
        if self.below is None:
            return rows
        if self.kind is StatKind.LUCK:
            return rows.filter(Q(luck_version__lt=self.below) | Q(luck_version=None))
        version = Q(statistics_version__lt=self.below)
        if self.oldest:
            return rows.filter(version, statistics_version__gte=self.oldest)
        return rows.filter(version | Q(statistics_version=None))

    def version_after(self, version: int | None) -> int | None:
        """The version of a row after the pass, which had ``version`` before.

        A row has a version only if all its values are of that version.
        """
        complete = self.kind is StatKind.BASE or self.names == _ALL_DERIVED
        return VERSION if complete and (self.kind is StatKind.BASE or (version or 0) >= BASE_VERSION) else version


def passes(
    *, statistics: Collection[str] = (), kind: StatKind | None = None, every_row: bool = False
) -> tuple[Pass, ...]:
    """The passes that recompute the given statistics.

    ``statistics``: names; those that are derived from them are included.  A base statistic needs a pass over the files,
    one of luck recomputes all luck.  ``kind``: all statistics of that kind (None: base and derived; luck is updated by the
    workers).  ``every_row``: also rows of the current version.  Raises :class:`UnknownStatistic`.
    """
    below = None if every_row else VERSION
    luck = Pass(StatKind.LUCK, below=None if every_row else LUCK_VERSION)
    rows = [_row(name) for name in statistics]
    if any(row.kind is StatKind.LUCK for row in rows):
        others = [row.name for row in rows if row.kind is not StatKind.LUCK]
        return (*(passes(statistics=others, every_row=every_row) if others else ()), luck)
    if kind is StatKind.LUCK:
        return (luck,)
    if any(row.kind is StatKind.BASE for row in rows):
        return (Pass(StatKind.BASE, below=below),)
    if rows:
        return (Pass(StatKind.DERIVED, with_dependents(row.name for row in rows), below=below),)
    if kind is StatKind.DERIVED:
        return (Pass(StatKind.DERIVED, _ALL_DERIVED, below=below),)
    if kind is StatKind.BASE:
        return (Pass(StatKind.BASE, below=below),)
    if every_row:
        return (Pass(StatKind.BASE),)
    return (
        Pass(StatKind.BASE, below=BASE_VERSION),
        Pass(StatKind.DERIVED, _ALL_DERIVED, oldest=BASE_VERSION, below=VERSION),
    )


def with_dependents(names: Iterable[str]) -> tuple[str, ...]:
    """``names`` and every derived statistic that needs one of them, in the order of the registry."""
    found = set(names)
    grown = True
    while grown:
        more = {row.name for row in DERIVED if not found.isdisjoint(row.needs)} - found
        found |= more
        grown = bool(more)
    return tuple(name for name in _ALL_DERIVED if name in found)


def _row(name: str) -> Statistic:
    row = BY_ANY_NAME.get(name)
    if row is not None and row.stored:
        return row
    if row is not None:
        raise UnknownStatistic(_("The statistic “%(name)s” isn't stored; we compute it on request.") % {"name": name})
    stored = [statistic.name for statistic in STATISTICS if statistic.stored]
    near = difflib.get_close_matches(name, stored, n=3)
    known = _("Did you mean %(names)s?") if near else _("Available: %(names)s.")
    text = _("Unknown statistic “%(name)s”.") % {"name": name}
    raise UnknownStatistic(f"{text} {known % {'names': ', '.join(near or stored)}}")
