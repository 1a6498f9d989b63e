"""One function decides which of two files of the same play stands.

It knows no database: everything it looks at is in the two :class:`Side`s.  It is asked again whenever one of them changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from replays.models import Replay

#: The stronger evidence has the higher number.
STRENGTH: Final = {Replay.Evidence.OPEN: 0, Replay.Evidence.SEALED: 1, Replay.Evidence.HERE: 2}
#: What was known here for so long before the other file came was not taken from it.
LONG: Final = timedelta(days=14)


class Stands(StrEnum):
    """``BOTH``: the one does not concern the other; ``NEITHER``: people must decide."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Side:
    """``could_rank``: it could be on boards, of won or of lost games.  ``doubted``: a finding of its own withholds it, the
    owner of the name has not said yes, or staff decided for another file of it.  ``accepted``, ``refused_at``: by staff.
    ``vouched``: the date, if staff vouch for it.  ``owner_id``: the account whose game it is by its claimed name, and
    ``claimed_at`` since when.  ``uploader_lost``: staff decided a pair against its uploader.
    """

    could_rank: bool
    doubted: bool
    accepted: bool
    refused_at: datetime | None
    evidence: str
    vouched: datetime | None
    owner_id: int | None
    claimed_at: datetime | None
    uploader_id: int | None
    uploader_lost: bool
    arrived_at: datetime
    won: bool = True


def which_stands(first: Side, second: Side, *, first_stands: bool) -> Stands:
    """Return which of two files of one play stands; ``first`` arrived first.

    Staff's word comes first, then doubt, then the class of the evidence, then what the site itself knows about the time.
    That a file arrived first decides only where it harms nobody: between files of one account.

    ``first_stands``: of ``GameLink``.
    """
    return next(_answers(first, second, first_stands=first_stands), Stands.NEITHER)


def _answers(first: Side, second: Side, *, first_stands: bool) -> Iterator[Stands]:
    """The answers of all rules that have one, the strongest first."""
    if first.accepted or second.accepted:
        yield Stands.BOTH if first.accepted and second.accepted else _the(first.accepted)
    if not (first.could_rank and second.could_rank):
        yield Stands.FIRST if first_stands else Stands.BOTH
    if first.won != second.won:
        yield Stands.FIRST if first_stands else _won(first, second)
    yield from _refused(first, second)
    if first.doubted != second.doubted:
        yield _the(second.doubted)
    ours, theirs = (STRENGTH[Replay.Evidence(side.evidence)] for side in (first, second))
    if ours != theirs:
        yield _the(ours > theirs)
    if first.vouched != second.vouched:
        yield _the(second.vouched is None or (first.vouched is not None and first.vouched < second.vouched))
    if first_stands:
        yield Stands.FIRST
    if (claimed := _long_claimed(first, second)) != _long_claimed(second, first):
        yield _the(claimed)
    if first.uploader_lost != second.uploader_lost:
        yield _the(second.uploader_lost)
    if first.owner_id is not None and first.owner_id == second.owner_id:
        yield Stands.FIRST


def _the(first: bool) -> Stands:
    return Stands.FIRST if first else Stands.SECOND


def _won(first: Side, second: Side) -> Stands:
    """Decide for the won one of a pair, so that a copy of its beginning, lost on purpose, neither counts nor harms it."""
    won = first if first.won else second
    return Stands.BOTH if won.doubted else _the(first.won)


def _refused(first: Side, second: Side) -> Iterator[Stands]:
    """Decide against a file that staff refused, and against other files of its uploader.

    What a stranger sends afterwards may be the same game in a new wrapper, or its original.
    """
    if (first.refused_at is None) == (second.refused_at is None):
        return
    if first.uploader_id is not None and first.uploader_id == second.uploader_id:
        yield _the(first.refused_at is not None)
    if first.refused_at is not None and first.refused_at < second.arrived_at:
        yield Stands.NEITHER
    yield _the(second.refused_at is not None)


def _long_claimed(side: Side, other: Side) -> bool:
    """Return whether ``side`` is a game of somebody who had owned its name for long when ``other`` came."""
    return side.claimed_at is not None and other.arrived_at - side.claimed_at > LONG
