"""Real and random games against ms_toollib: every number of every file, and the cause of each difference."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from analysis.board import board_facts
from analysis.recording import EVENT, Board, Claims, Kind, Recording
from tests import naive_game
from tests.bench.compare_oracle import FORGOTTEN, UNEXPLAINED, Difference, compare
from tests.encoders import avf as encoder
from tests.shared_files import needs_shared, replay_files

#: "A chord tried before the first opening": counted here as Arbiter does; the library goes back to its ready state.
KNOWN = (
    Difference("Beg_6.94_3BV=23_3BVs=3.31_Wang Jianing G01825.avf", "dcl", 9, 8, f"{FORGOTTEN}: 1"),
    Difference("Int_24.62_3BV=71_3BVs=2.88_Wang Jianing.avf", "dcl", 16, 15, f"{FORGOTTEN}: 1"),
    Difference("Int_25.10_3BV=73_3BVs=2.90_Wang Jianing.avf", "dcl", 5, 4, f"{FORGOTTEN}: 1"),
)


@needs_shared
@pytest.mark.shared
def test_every_number_of_every_real_avf_equals_the_library_or_is_known_to_differ() -> None:
    paths = replay_files("avf")
    here = {path.name for path in paths}
    assert sorted(compare(paths), key=lambda row: row.file) == [row for row in KNOWN if row.file in here]


# --- random games, written as AVF: the situations of a real player in minutes instead of years


def two_button_events(rng: np.random.Generator, board: Board, length: int) -> list[tuple[int, int, int, Kind]]:
    """Left and right, each pressed and released in turn, in any overlap; lefts on safe cells, some released outside."""
    safe, mines = np.argwhere(board.mines == 0), np.argwhere(board.mines == 1)
    held = {"left": False, "right": False}
    events: list[tuple[int, int, int, Kind]] = []
    codes = {"left": (Kind.LEFT_PRESS, Kind.LEFT_RELEASE), "right": (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE)}
    for button in rng.choice(["left", "left", "right", "move"], length):
        kind = Kind.MOVE if button == "move" else codes[button][held[button]]
        if button != "move":
            held[button] = not held[button]
        aims = mines if kind is Kind.RIGHT_PRESS and rng.random() < 0.9 else safe
        row, column = (int(side) for side in aims[rng.integers(len(aims))])
        if kind in (Kind.LEFT_RELEASE, Kind.RIGHT_RELEASE) and rng.random() < 0.1:
            row, column = board.rows, board.columns  # the one point outside that the format knows
            events.append((0, 16 * column, 16 * row, kind))
        else:
            events.append((0, 16 * column + int(rng.integers(16)), 16 * row + int(rng.integers(16)), kind))
    return events


def random_avf(seed: int) -> bytes | None:
    """A game as Arbiter would write it: 10 ms grid, nothing before time 0, nothing after the end."""
    rng = np.random.default_rng(seed)
    rows, columns = (int(side) for side in rng.integers(4, 12, 2))
    mines = (rng.random((rows, columns)) < rng.choice([0.08, 0.15, 0.2])).astype(np.uint8)
    mines[0, 0], mines[-1, -1] = 1, 0
    board = Board(mines)
    events = np.array(two_button_events(rng, board, 120), EVENT)
    events["time_ms"] = 10 * np.cumsum(rng.integers(0, 30, len(events)))
    recording = Recording("avf", "", board, events, player_bytes=b"random", played_at=PLAYED_AT, ended_at=PLAYED_AT)
    game = naive_game.replay(recording)
    if game.start is None:
        return None
    played = events[: None if game.end is None else game.end + 1].copy()
    played["time_ms"] = np.maximum(0, played["time_ms"] - events["time_ms"][game.start])
    claims = Claims(time_ms=int(played["time_ms"][-1]), bv=board_facts(board).bv)
    return encoder.encode(replace(recording, events=played, claims=claims))


PLAYED_AT = datetime(2020, 1, 1, tzinfo=UTC)


def test_random_games_differ_from_the_library_for_known_causes_only(tmp_path: Path) -> None:
    paths = []
    for seed in range(150):
        content = random_avf(seed)
        if content is not None:
            paths.append(tmp_path / f"{seed:03}.avf")
            paths[-1].write_bytes(content)
    found = list(compare(paths))
    assert [row for row in found if row.cause == UNEXPLAINED] == []
    assert {row.name for row in found} <= {"lcl", "rcl", "dcl", "rce_strict", "level"}
    assert len(paths) > 140
    assert len(found) > 20  # the random hand does reach the situations in which the two differ
