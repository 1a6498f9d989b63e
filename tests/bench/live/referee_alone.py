"""Benchmark of the moves a second that the referee decides and writes, without network and database.

    python -m tests.bench.live.referee_alone [--moves 300000]

The moves are those of entries of the stream, packed as web processes pack them: ten a time, of 100 players, on the
paper's default board of 75x75 cells; when a board is finished the next one begins.  ``anywhere``: clicks on any cell, of
which most are open already; ``closed``: on cells that were closed when the batch began, as people click.  Counted is
everything from the bytes of an entry to the bytes of the batch with its answers; ``accepted`` of the moves opened
something.  The speed is by processor time, which a busy machine spoils little; beside it stands that by the clock.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Sequence

GOAL = 100_000
_PLAYERS = 100
_MOVES_OF_ENTRY = 10
_ENTRIES_OF_BATCH = 50


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=300_000)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            DJANGO_SETTINGS_MODULE="config.settings", DATA_DIR=folder, DATABASE_URL="", REDIS_URL="", ENV_FILE=os.devnull,
            SECRET_KEY="only for measurements",
        )  # fmt: skip
        import django

        django.setup()
        from players.garbage import OF_TASKS, rarely_collect_garbage
        from replays.play.referee.warmup import compile_kernels

        compile_kernels()
        rarely_collect_garbage(OF_TASKS)  # as the process of the referee does
        for sealed in (False, True):
            for aimed in (False, True):
                measure(given.moves, sealed=sealed, aimed=aimed)


def measure(count: int, *, sealed: bool, aimed: bool) -> None:
    """Print the moves a second of one kind of room."""
    from replays.play.models import Room
    from replays.play.referee import bus
    from replays.play.referee.state import Limits, RoomState

    draws = random.Random(1)
    room = Room(pk=1, name="Room", sealed=sealed, flags=False, chords=False, start_number=1_437_341)
    state = RoomState(room, Limits(1_000, 1_000, 1_000_000), 1, 1, 0)
    visitors = [[f"guest-{number:016x}", f"Guest {number}", True, f"{number:032x}"] for number in range(_PLAYERS)]
    owns = [0] * _PLAYERS
    spent = by_clock = packed = accepted = 0.0
    done = boards = 0
    while done < count:
        entries = []
        cells = (state.game.stamp.ravel() == 0).nonzero()[0].tolist() if aimed else range(75 * 75)
        for _entry in range(_ENTRIES_OF_BATCH):
            who = draws.sample(range(_PLAYERS), _MOVES_OF_ENTRY)
            moves = []
            for place, player in enumerate(who):
                owns[player] += 1
                moves.append((player, place, owns[player], state.epoch, 1, draws.choice(cells)))
            entries.append(bus.entry(bus.Entry.MOVES, 1, "web", [visitors[player] for player in who], moves)[bus.FIELD])
        began, clock = time.process_time(), time.perf_counter()
        for data in entries:
            _kind, _room, web, known, rows = bus.unpack(data)
            done += len(rows)
            while rows:
                rows = rows[state.decide_all(web, known, rows, done) :]
                if state.new_board:
                    boards += 1
                    state.take_batch(players=0)
        batch = state.take_batch(players=0)
        packed += len(bus.pack(bus.Batch(1, state.sequence, state.epoch, batch[0], state.game.number, *batch[1:3])))
        spent += time.process_time() - began
        by_clock += time.perf_counter() - clock
        accepted += sum(len(moves) for _first, moves in state.changes.moves.values())
        state.changes = type(state.changes)()
    print(
        f"{'sealed' if sealed else 'open':6} {'closed' if aimed else 'anywhere':8} {done / spent:9,.0f} moves/s (goal {GOAL:,}; by the clock {done / by_clock:,.0f}); {accepted / done:.0%} accepted,"
        f" {boards} boards, {packed / done:.1f} bytes a move"
    )


if __name__ == "__main__":
    main()
