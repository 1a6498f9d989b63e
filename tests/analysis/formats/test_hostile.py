"""Inputs that once crashed a reader or took too long: each is read or refused; each is a file of this folder."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest

from analysis import formats
from analysis.errors import LimitExceeded, ReplayError
from analysis.formats import mvf, rawvf
from analysis.formats.reader import LineReader
from analysis.limits import MAX_EVENTS, MAX_LINE_CHARS
from analysis.recording import Board
from tests.bench.fuzz.judge import put_through
from tests.bench.fuzz.seeds import Seed, own_seeds, tiny_game
from tests.encoders import mvf as mvf_encoder

CRASHERS = sorted(Path(__file__).with_name("crashers").glob("*.bin"))


@pytest.mark.parametrize("path", CRASHERS, ids=lambda path: path.stem)
def test_crashers(path: Path) -> None:
    with contextlib.suppress(ReplayError):  # a clear refusal is as good as a reading
        put_through(path.read_bytes())


@pytest.mark.parametrize("seed", own_seeds(), ids=lambda seed: seed.name)
def test_every_valid_file_of_the_fuzzer_is_whole(seed: Seed) -> None:
    """Else the fuzzer would damage files that are damaged already."""
    assert put_through(seed.data) in ("won", "lost", "unfinished", "set")


@pytest.mark.parametrize("release", ["0.97", "2007"])
def test_mvf_records_that_give_more_events_than_are_allowed(release: str) -> None:
    size = 5 if release == "0.97" else 6
    states = [(500, 8, 8, "lmr"), (500, 9, 9, "")]
    block = b"".join(mvf_encoder.record(state, 56_766, size) for state in states)
    times = MAX_EVENTS // 8 + 1  # eight events a block
    game = mvf_encoder.Game(Board(np.array([[0, 1]], np.uint8)), [])
    data = mvf_encoder.encode(game, release, count=(2 * times).to_bytes(3, "big"), records=block * times)
    with pytest.raises(LimitExceeded, match="number of events"):
        mvf.read(data)
    fewer = mvf_encoder.encode(game, release, count=(2 * times - 4).to_bytes(3, "big"), records=block * (times - 2))
    # Eight a block, but the first state tells no move.
    assert len(mvf.read(fewer).events) == 8 * (times - 2) - 1


def test_mvf_events_do_not_depend_on_the_pieces_in_which_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    data = next(seed.data for seed in own_seeds() if seed.name == "whole mvf 2007")
    whole = mvf.read(data).events.tolist()
    for size in (1, 2, 7, len(whole)):
        monkeypatch.setattr("analysis.formats.mvf.records._PIECE", size)
        assert mvf.read(data).events.tolist() == whole


def test_blank_lines_are_passed_at_once_and_counted() -> None:
    lines = LineReader(b"\n \n\t\r\n\n  a\n\n" + b" " * MAX_LINE_CHARS + b"\nb\n \n ")
    assert (lines.next_filled("a"), lines.line) == (b"a", 5)
    assert (lines.next_filled("b"), lines.line) == (b"b", 8)
    with pytest.raises(ReplayError):
        lines.next_filled("more")


def test_a_blank_line_that_is_too_long_is_refused() -> None:
    with pytest.raises(LimitExceeded):
        LineReader(b"\n" + b" " * (MAX_LINE_CHARS + 2) + b"\na\n").next_filled("a")


def test_blank_lines_before_the_events() -> None:
    text = rawvf.write(tiny_game())
    assert rawvf.read(text.replace(b"Events:", b"\n\n \nEvents:")).events.tolist() == rawvf.read(text).events.tolist()


def test_an_error_is_the_only_thing_that_leaves() -> None:
    for data in (b"", b"\0", b"*rmv", b"RawVF_Version: Rev6\n", b"\x11Minesweeper Clone"):
        with pytest.raises(ReplayError):
            formats.read(data)
