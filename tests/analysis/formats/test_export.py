"""Export as RawVF: a recording that is written and read again gives exactly the same statistics."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from analysis import formats
from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.formats import rawvf
from analysis.recording import Recording
from tests.bench.fuzz.seeds import Seed, own_seeds
from tests.effort import examples
from tests.shared_files import needs_shared, replay_files
from tests.strategies import avf_recordings, recordings

SUFFIXES = ("avf", "evf", "mvf", "rawvf", "rmv")
#: What the file says of its game; RawVF has a word or an addition for each.
FIELDS = (
    "cell_px", "player", "software", "country", "mode", "question_marks", "played_at", "ended_at", "time_precision_ms",
    "claims",
)  # fmt: skip


def assert_same_game(recording: Recording) -> None:
    again = formats.read(rawvf.write(recording))
    assert again.events.tolist() == recording.events.tolist()
    assert again.board.packed() == recording.board.packed()
    first, second = analyse(recording), analyse(again)
    assert second.values == first.values  # floats compared exactly
    assert (second.game_hash, second.style, second.game) == (first.game_hash, first.style, first.game)


@pytest.mark.long(beside="tests/analysis/formats/test_export.py::test_the_games_of_every_encoder")
@pytest.mark.shared
@needs_shared
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_real_file(suffix: str) -> None:
    paths = replay_files(suffix)
    read = 0
    for path in paths:
        recording = _readable(path)
        if recording is None:
            continue
        read += 1
        assert_same_game(recording)
        again = formats.read(rawvf.write(recording))
        said = replace(recording, claims=replace(recording.claims, fair=None))  # no line of RawVF says that
        for field in FIELDS:
            assert (field, getattr(again, field)) == (field, getattr(said, field)), path.name
    assert read > 0 or not paths


def _readable(path: Path) -> Recording | None:
    """The recording; None for a file that is refused (``test_real_files`` says which ones may be)."""
    try:
        return formats.read(path.read_bytes())
    except ReplayError:
        return None


@pytest.mark.parametrize("seed", [one for one in own_seeds() if one.format != "evfs"], ids=lambda seed: seed.name)
def test_the_games_of_every_encoder(seed: Seed) -> None:
    assert_same_game(formats.read(seed.data))


@given(recordings(legal=True))
@settings(max_examples=examples(60))
def test_any_legal_game(recording: Recording) -> None:
    again = formats.read(rawvf.write(recording))
    assert again.events.tolist() == recording.events.tolist()
    try:
        expected = analyse(recording)
    except ReplayError as error:
        with pytest.raises(type(error)):
            analyse(again)
        return
    assert analyse(again).values == expected.values
    assert analyse(again).game_hash == expected.game_hash


@given(avf_recordings())
@settings(max_examples=examples(40))
def test_the_header_survives(recording: Recording) -> None:
    again = formats.read(rawvf.write(recording))
    for field in ("cell_px", "country", "mode", "question_marks", "played_at", "ended_at", "claims"):
        assert getattr(again, field) == getattr(recording, field)


def test_a_recording_of_many_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    recording = formats.read(next(seed.data for seed in own_seeds() if seed.name == "whole avf"))
    whole = rawvf.write(recording)
    for size in (1, 7, len(recording.events) - 1):
        monkeypatch.setattr(sys.modules[rawvf.write.__module__], "_BLOCK_EVENTS", size)
        assert rawvf.write(recording) == whole
