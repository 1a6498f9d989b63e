"""Every real replay at hand is read, and equals what ms_toollib reads."""

from __future__ import annotations

import numpy as np
import pytest

from analysis import formats
from analysis.board import board_facts
from analysis.click_machine import Result, play
from analysis.formats import rawvf
from analysis.recording import Level, Mode
from tests.analysis.formats import oracle
from tests.analysis.formats.comparing import assert_same
from tests.shared_files import needs_shared, replay_files

pytestmark = [needs_shared, pytest.mark.shared]

#: Findings of the real files; every other file has none.
KNOWN_FINDINGS = {"Wang_Jia_Ning_Beg_15.523bv24.avf": ["header_time_early"]}

#: One game with edited names; the line of its result still has the old one.
RENAMED = ("test_rmv1_noutf8_but_valid_utf8", "test_rmv1_utf8_nonascii")
#: The library makes a Chinese sign of a letter and half of another one.
NOT_GBK = "test_rmv1_noutf8_but_valid_utf8"


@pytest.mark.long(beside="tests/analysis/formats/test_real_files.py::test_every_mvf_of_0_97_equals_the_library")
def test_every_avf_is_read_and_equals_the_library() -> None:
    paths = replay_files("avf")
    assert len(paths) == 205
    for path, theirs in zip(paths, oracle.ask("AvfVideo", paths), strict=True):
        ours = formats.read(path.read_bytes())
        assert ours.format == "avf"
        assert ours.events.tolist() == [tuple(event) for event in theirs["events"]], path.name
        assert ours.board.mines.tolist() == theirs["mines"], path.name
        assert (ours.player, ours.cell_px) == (theirs["player"], theirs["cell_px"]), path.name
        assert ours.claims.bv == theirs["bv"] == board_facts(ours.board).bv, path.name
        assert ours.country in (theirs["country"], ""), path.name
        assert ours.claims.level is ours.board.level, path.name


def test_the_header_of_every_avf_is_complete_and_agrees_with_its_events() -> None:
    for path in replay_files("avf"):
        read = formats.read(path.read_bytes())
        assert [finding.code for finding in read.findings] == KNOWN_FINDINGS.get(path.name, [])
        assert read.software.startswith("Minesweeper Arbiter 0."), path.name
        assert read.extra == {"Skin": "3.1"}, path.name
        assert None not in (read.played_at, read.ended_at, read.claims.time_ms)
        if read.played_at and read.ended_at and read.claims.time_ms and not read.findings:
            assert read.claims.time_ms == read.events["time_ms"][-1], path.name
            lasted_ms = (read.ended_at - read.played_at).total_seconds() * 1000
            assert abs(lasted_ms - read.claims.time_ms) < 100, path.name


@pytest.mark.long(beside="tests/analysis/formats/test_real_files.py::test_a_rawvf_of_freesweeper")
def test_every_avf_survives_the_way_through_text() -> None:
    for path in replay_files("avf"):
        read = formats.read(path.read_bytes())
        data = rawvf.write(read)
        assert_same(formats.read(data), read, but=("format", "format_variant", "findings", "player_encoding"))
        assert rawvf.write(formats.read(data)) == data


def test_the_smallest_rawvf() -> None:
    (path,) = (path for path in replay_files("rawvf") if path.name.startswith("Cus_1x1"))
    read = formats.read(path.read_bytes())
    assert (read.board.rows, read.board.columns, read.board.mine_count) == (1, 1, 0)
    assert len(read.events) == 2


def test_a_rawvf_of_freesweeper() -> None:
    (path,) = (path for path in replay_files("rawvf") if path.name.startswith("nested"))
    read = formats.read(path.read_bytes())
    assert (read.player, read.software, read.format_variant) == ("双击设置姓名", "FreeSweeper R10", "Rev3")
    assert (read.mode, read.claims.level, read.board.level) == (Mode.UPK, Level.EXPERT, Level.CUSTOM)
    lines = path.read_bytes().splitlines()
    mouse = [line for line in lines if line[-1:] == b")" and b"(" in line]
    assert len(read.events) == len(mouse) == 852
    assert np.count_nonzero(read.board.mines) == b"".join(lines[12:28]).count(b"*") == 112


def test_every_mvf_of_0_97_equals_the_library() -> None:
    paths = [path for path in replay_files("mvf") if b"version 0.97" in path.read_bytes()[:80]]
    assert len(paths) == 2
    for path, theirs in zip(paths, oracle.ask("MvfVideo", paths), strict=True):
        ours = formats.read(path.read_bytes())
        assert ours.events.tolist() == [tuple(event) for event in theirs["events"]], path.name
        assert ours.board.mines.tolist() == theirs["mines"], path.name
        assert (ours.player, ours.claims.bv) == (theirs["player"], theirs["bv"]), path.name


def test_every_mvf_is_a_won_game_that_takes_as_long_as_its_header_says() -> None:
    paths = replay_files("mvf")
    assert len(paths) == 5
    for path in paths:
        read = formats.read(path.read_bytes())
        facts = board_facts(read.board)
        game = play(read, facts)
        assert (read.format, game.result, read.findings) == ("mvf", Result.WON, ()), path.name
        assert read.claims.time_ms is not None
        assert game.time_ms == read.claims.time_ms, path.name
        assert read.claims.bv in (None, facts.bv), path.name
        assert read.claims.lcl in (None, game.lcl), path.name
        assert read.claims.dcl in (None, game.dcl), path.name


def test_every_rmv_equals_the_library_and_two_break_their_promise_of_utf_8() -> None:
    paths = replay_files("rmv")
    assert len(paths) == 11
    spoiled = [path for path in paths if path.stem.endswith("utf8_invalid")]
    assert len(spoiled) == 2
    for path in spoiled:  # the library aborts on these
        ours = formats.read(path.read_bytes())
        renamed = ["name_differs"] if "rmv1" in path.name else []  # version 2 has the name only once
        assert [finding.code for finding in ours.findings] == ["text_not_utf8", *renamed], path.name
        assert (ours.player, ours.player_encoding) == ("ôhomas Kolar", "cp1252"), path.name
        assert play(ours, board_facts(ours.board)).result is Result.WON, path.name
    good = [path for path in paths if path not in spoiled]
    for path, theirs in zip(good, oracle.ask("RmvVideo", good), strict=True):
        ours = formats.read(path.read_bytes())
        assert ours.events.tolist() == [tuple(event) for event in theirs["events"]], path.name
        assert ours.board.mines.tolist() == theirs["mines"], path.name
        name = "aaȑaa Kolar" if path.stem == NOT_GBK else theirs["player"]
        assert (ours.player, ours.cell_px, ours.claims.bv) == (name, theirs["cell_px"], theirs["bv"])
        facts = board_facts(ours.board)
        game = play(ours, facts)
        assert (game.result, game.time_ms, facts.bv) == (Result.WON, ours.claims.time_ms, ours.claims.bv), path.name
        assert (ours.claims.win, ours.claims.nf) == (True, game.toggles == 0), path.name
        renamed = ["name_differs"] if path.stem in RENAMED else []
        assert [finding.code for finding in ours.findings] == renamed, path.name


def test_every_evf_equals_the_library() -> None:
    paths = replay_files("evf")
    assert len(paths) == 3
    for path, theirs in zip(paths, oracle.ask("EvfVideo", paths), strict=True):
        ours = formats.read(path.read_bytes())
        assert ours.events.tolist() == [tuple(event) for event in theirs["events"]], path.name
        assert ours.board.mines.tolist() == theirs["mines"], path.name
        assert (ours.player, ours.cell_px, ours.country) == (theirs["player"], theirs["cell_px"], theirs["country"])
        facts = board_facts(ours.board)
        game = play(ours, facts)
        assert (game.result, game.time_ms, facts.bv) == (Result.WON, ours.claims.time_ms, ours.claims.bv), path.name
        assert (ours.claims.nf, ours.findings) == (game.toggles == 0, ()), path.name


@pytest.mark.parametrize(
    ("reader", "suffix", "name"),
    [
        ("AvfVideo", "avf", "Beg_6.97_3BV=24_3BVs=3.44_Wang Jianing.avf"),
        ("RmvVideo", "rmv", "test_rmv2_24px_preflags.rmv"),
        ("MvfVideo", "mvf", "0.97_beta.mvf"),
    ],
)
def test_a_game_that_the_library_converts_to_evf_stays_the_same(reader: str, suffix: str, name: str) -> None:
    (path,) = (path for path in replay_files(suffix) if path.name == name)
    original = formats.read(path.read_bytes())
    for version, data in zip(oracle.EVF_VERSIONS, oracle.convert(reader, path), strict=True):
        read = formats.read(data)
        assert (read.format, read.format_variant) == ("evf", f"v{version}")
        np.testing.assert_array_equal(read.events, original.events)
        np.testing.assert_array_equal(read.board.mines, original.board.mines)
        assert (read.player, read.cell_px) == (original.player, original.cell_px)
        # The library writes the version byte 0 into files of version 2.
        assert [finding.code for finding in read.findings] == ["version_byte"] * (version == 2)
