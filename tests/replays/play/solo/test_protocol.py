from __future__ import annotations

import pytest

from players.models import User
from replays.models import Replay
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.sockets.visitors import Visitor
from replays.play.solo.playing.registry import registry_of_loop
from tests.replays.conftest import store as store
from tests.replays.play.solo.player import SoloPlayer, run

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_game_won(owner: User) -> None:
    async def play() -> None:
        async with SoloPlayer(Visitor(owner.pk, "", "owner"), {"level": "beginner", "rules": "xp"}) as player:
            game = await player.begin()
            await player.click(0, 8)
            await player.wait_for(wire.Faces)
            board = next(iter(registry_of_loop().games.values())).board()
            await player.win(board)
            over = await player.wait_for(wire.Over)
            print(over)
            await registry_of_loop()._ends.copy().pop() if False else None
    run(play)
    print(LiveGame.objects.values())
    print(Replay.objects.values("id","status","evidence"))
