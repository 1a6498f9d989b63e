"""Compiling the kernels of rooms before the first move waits for them."""

from __future__ import annotations

from analysis.multiplayer.laying import Laying, lay
from analysis.multiplayer.server_game import MOVE, Rules, ServerGame


def compile_kernels() -> None:
    import numpy as np

    game = ServerGame(lay(Laying(rows=8, columns=8, area=8, area_mines=10)), Rules(flags=True, chords=True))
    for move in (game.open, game.flag, game.chord):
        move(0, 1)
    game.replay(np.zeros(1, MOVE)[:0])
    game.replay(np.array([(63, 1, 0)], MOVE))
