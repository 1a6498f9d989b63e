"""The games that a process holds."""

from __future__ import annotations

import asyncio
import uuid
from types import SimpleNamespace
from typing import Any

import pytest

from replays.play.models import LiveGame
from replays.play.solo.playing.registry import MOST_AWAY, Registry


def test_of_too_many_games_left_behind_the_oldest_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    registry, given_up = Registry(), []
    monkeypatch.setattr(registry, "give_up", lambda game, _reason: given_up.append(registry.games.pop(game.id)))
    states = {"state": LiveGame.State.PLAYING, "visitor": "somebody", "connection": None, "away_since": None}
    games: list[Any] = [SimpleNamespace(id=uuid.uuid4(), **states) for _ in range(MOST_AWAY + 2)]

    async def leave() -> None:
        for game in games:
            registry.games[game.id] = game
            registry.detach(game)

    asyncio.run(leave())
    assert given_up == games[:2]
