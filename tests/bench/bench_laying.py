"""Benchmark of laying a board, and of the moves a second that a server's game decides.

    python -m tests.bench.bench_laying --rounds 20

The anchors are the slow twin of the tests (plain Python, the same rules) on the same boards in this run, and the
figures that are known of the reference, measured elsewhere.  A figure is the median of its rounds.
"""

from __future__ import annotations

import argparse
import statistics
import struct
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from analysis.multiplayer.laying import Laying, lay
from analysis.multiplayer.server_game import MOVE, Opened, ServerGame
from tests.analysis.multiplayer.naive_client import ClientGame
from tests.naive_rooms import NaiveBoard, NaiveServer, naive_lay

SMALL, LARGE = Laying(), Laying(rows=1000, columns=1000)
REFERENCE = {SMALL: "27 ms", LARGE: "about 10 s (its own comment)"}
PLAYERS = 50
CLICKS = 10_000
Click = tuple[int, int]  # cell, player


def median_s(work: Callable[[], object], rounds: int) -> float:
    """Median seconds of ``rounds`` calls, after one that is not counted."""
    work()
    times = []
    for _ in range(rounds):
        started = time.perf_counter()
        work()
        times.append(time.perf_counter() - started)
    return statistics.median(times)


def laying(rounds: int) -> None:
    for board in (SMALL, LARGE):
        ours = median_s(lambda board=board: lay(board), rounds)  # type: ignore[misc]
        slow = median_s(lambda board=board: naive_lay(board), 1)  # type: ignore[misc]
        print(
            f"lay {board.rows}x{board.columns}: {1e3 * ours:.3f} ms; "
            f"slow twin {1e3 * slow:.0f} ms; reference {REFERENCE[board]}"
        )


def random_clicks(count: int) -> list[Click]:
    rng = np.random.default_rng(1)
    cells, players = rng.integers(0, SMALL.cells, count), rng.integers(1, PLAYERS + 1, count)
    return list(zip(cells.tolist(), players.tolist(), strict=True))


def encoded(game: ServerGame, cell: int, player: int, answer: Opened) -> bytes:
    """Encode what everybody must be told of a move: stamp, player and cell, and the opened cells with their numbers."""
    numbers = game.numbers[answer.cells // game.columns, answer.cells % game.columns]
    return struct.pack("<IHI", answer.stamp, player, cell) + answer.cells.tobytes() + bytes(numbers)


def play(mines: NDArray[np.uint8], clicks: list[Click], *, encode: bool) -> list[Click]:
    """A game of these clicks; the accepted ones are returned."""
    game = ServerGame(mines)
    accepted = []
    for cell, player in clicks:
        answer = game.open(cell, player)
        if answer.stamp:
            accepted.append((cell, player))
            if encode:
                encoded(game, cell, player, answer)
    return accepted


def moves(rounds: int) -> None:
    """One game of random clicks on 75x75; setting up its board is part of each figure."""
    mines, clicks = lay(SMALL), random_clicks(CLICKS)
    accepted = play(mines, clicks, encode=False)
    log = np.array([(cell, player, 0) for cell, player in accepted], MOVE)
    numbers = ServerGame(mines).numbers

    def receive() -> None:
        client = ClientGame(numbers)
        for stamp, (cell, player) in enumerate(accepted, 1):
            client.receive(stamp, cell, player)

    def slow() -> None:
        server = NaiveServer(NaiveBoard(mines))
        for cell, player in clicks:
            server.move(cell, player, "open")

    print(f"{CLICKS:,} random clicks of {PLAYERS} players on 75x75, of which {len(accepted):,} are accepted; a second:")
    for name, made, work, times in (
        ("all clicks", clicks, lambda: play(mines, clicks, encode=False), rounds),
        ("all clicks, answers as bytes", clicks, lambda: play(mines, clicks, encode=True), rounds),
        ("accepted clicks", accepted, lambda: play(mines, accepted, encode=False), rounds),
        ("accepted clicks, answers as bytes", accepted, lambda: play(mines, accepted, encode=True), rounds),
        ("accepted clicks, replayed at once", accepted, lambda: ServerGame(mines).replay(log), rounds),
        ("messages to a client in Python", accepted, receive, rounds),
        ("all clicks, slow twin", clicks, slow, 1),
    ):
        print(f"  {name}: {len(made) / median_s(work, times):,.0f}")


def main() -> None:
    parser = argparse.ArgumentParser(description="Laying boards of rooms, and deciding moves on them.")
    parser.add_argument("--rounds", type=int, default=15)
    arguments = parser.parse_args()
    laying(arguments.rounds)
    moves(arguments.rounds)


if __name__ == "__main__":
    main()
