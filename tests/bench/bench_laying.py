"""What laying a board takes, and how many moves a second a server's game decides.

    python -m tests.bench.bench_laying --rounds 20

The anchors are the slow twin of the tests (plain Python, the same rules) on the same boards in this run, and the
figures that are known of the reference, measured elsewhere.  A figure is the median of its rounds.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

import numpy as np

from analysis.multiplayer.client import ClientGame
from analysis.multiplayer.game import MOVE, Opened, ServerGame
from analysis.multiplayer.laying import Laying, lay
from tests.naive_rooms import NaiveBoard, NaiveServer, naive_lay

SMALL, LARGE = Laying(), Laying(rows=1000, columns=1000)
REFERENCE = {SMALL: "27 ms", LARGE: "about 10 s (its own comment)"}
PLAYERS = 50


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


def random_moves(count: int) -> list[tuple[int, int]]:
    rng = np.random.default_rng(1)
    cells, players = rng.integers(0, SMALL.cells, count), rng.integers(1, PLAYERS + 1, count)
    return list(zip(cells.tolist(), players.tolist(), strict=True))


def encoded(game: ServerGame, cell: int, player: int, answer: Opened) -> bytes:
    """What a referee has to send at least: stamp, player, cell, and the opened cells with their numbers."""
    head = b"%c%c%c" % (answer.stamp & 255, player & 255, cell & 255)
    return (
        head
        + answer.cells.tobytes()
        + game.numbers[answer.cells // game.columns, answer.cells % game.columns].tobytes()
    )


def moves(rounds: int, count: int) -> None:
    """Random clicks on 75x75, a new game when one is over or 5,000 clicks are made."""
    mines, clicks = lay(SMALL), random_moves(count)
    per_game = 5_000
    games = [clicks[first : first + per_game] for first in range(0, count, per_game)]
    accepted = 0

    def play(*, encode: bool) -> None:
        nonlocal accepted
        accepted = 0
        for made in games:
            game = ServerGame(mines)
            for cell, player in made:
                answer = game.open(cell, player)
                if answer.stamp:
                    accepted += 1
                    if encode:
                        encoded(game, cell, player, answer)

    def slow() -> None:
        server = NaiveServer(NaiveBoard(mines))
        for cell, player in games[0]:
            server.move(cell, player, "open")

    plain = median_s(lambda: play(encode=False), rounds)
    with_bytes = median_s(lambda: play(encode=True), rounds)
    only = [(cell, player) for cell, player in distinct_moves(mines) for _ in range(1)]
    fresh = median_s(lambda: play_accepted(mines, only, encode=False), rounds)
    fresh_bytes = median_s(lambda: play_accepted(mines, only, encode=True), rounds)
    log = np.array([(cell, player, 0) for cell, player in games[0]], MOVE)
    replayed = median_s(lambda: ServerGame(mines).replay(log), rounds)
    client_moves = [(stamp, cell, player) for stamp, (cell, player) in enumerate(only, 1)]

    def receive() -> None:
        client = ClientGame(ServerGame(mines).numbers)
        for message in client_moves:
            client.receive(*message)

    client_s = median_s(receive, rounds)
    print(f"moves on 75x75, {count} random clicks of {PLAYERS} players, {accepted} of them accepted:")
    print(f"  {count / plain:,.0f} clicks/s; with the bytes of the answers {count / with_bytes:,.0f} clicks/s")
    print(f"  accepted clicks alone: {len(only) / fresh:,.0f}/s; with the bytes {len(only) / fresh_bytes:,.0f}/s")
    print(f"  replay at once: {log.size / replayed:,.0f} clicks/s, setting up the board included")
    print(f"  client in Python, accepted clicks: {len(only) / client_s:,.0f} messages/s")
    print(f"  slow twin: {per_game / median_s(slow, 1):,.0f} clicks/s")


def distinct_moves(mines: np.ndarray[tuple[int, int], np.dtype[np.uint8]]) -> list[tuple[int, int]]:
    """The accepted clicks of a game of random clicks."""
    game = ServerGame(mines)
    return [(cell, player) for cell, player in random_moves(60_000) if game.open(cell, player).stamp]


def play_accepted(
    mines: np.ndarray[tuple[int, int], np.dtype[np.uint8]], clicks: list[tuple[int, int]], *, encode: bool
) -> None:
    game = ServerGame(mines)
    for cell, player in clicks:
        answer = game.open(cell, player)
        if encode:
            encoded(game, cell, player, answer)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--moves", type=int, default=100_000)
    arguments = parser.parse_args()
    laying(arguments.rounds)
    moves(arguments.rounds, arguments.moves)


if __name__ == "__main__":
    main()
