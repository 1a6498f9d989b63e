"""A function of live play that processing calls without importing it: ``replays.play.apps`` registers it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TypeAlias

from players.models import Player
from replays.models import Replay
from replays.upload.processing.compute import Analysed

#: Marks the live games among analysed replays, and returns the players of their accounts, by id of the replay.
Mark: TypeAlias = Callable[[Collection[tuple[Replay, Analysed]]], Mapping[int, Player | None]]
_registered: list[Mark] = []


def register(mark: Mark) -> None:
    _registered[:] = [mark]


def played_here(games: Collection[tuple[Replay, Analysed]]) -> Mapping[int, Player | None]:
    """Call ``replays.play.solo.played_here.mark_played_here``."""
    return _registered[0](games)
