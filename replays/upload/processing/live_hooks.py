"""Functions of live play that processing calls without importing them: ``replays.play.apps`` registers them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from django.db import transaction

from players.models import Player
from replays.models import Replay
from replays.upload.processing.compute import Analysed

#: Marks the live games among analysed replays, and returns the players of their accounts, by id of the replay.
Mark: TypeAlias = Callable[[Collection[tuple[Replay, Analysed]]], Mapping[int, Player | None]]
#: Gets the ids of replays that are analysed or rejected from now on.
Announce: TypeAlias = Callable[[Sequence[int]], None]
_registered: list[tuple[Mark, Announce]] = []


def register(mark: Mark, announce: Announce) -> None:
    _registered[:] = [(mark, announce)]


def played_here(games: Collection[tuple[Replay, Analysed]]) -> Mapping[int, Player | None]:
    """Call ``replays.play.solo.played_here.mark_played_here``."""
    return _registered[0][0](games)


def announce_settled(ids: Sequence[int]) -> None:
    """Tell live play, after the current transaction commits (at once outside of one), that these replays are settled."""
    if ids:
        transaction.on_commit(partial(_registered[0][1], ids), robust=True)
