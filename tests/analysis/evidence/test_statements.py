"""A program's own word is believed where it speaks against the player, and nowhere else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis.analyse import analyse
from analysis.click_machine import Result
from analysis.formats import read
from analysis.recording import Level, Mode, Recording
from tests.analysis.evidence.honest import codes_in, recording
from tests.encoders import native

_SUMMARY = 1  # the byte of EVF
_OFFICIAL, _FAIR = 0x40, 0x20


def with_bits(form: str, *, cleared: int, game: Recording | None = None) -> bytes:
    data = bytearray(native.write(game or recording(form, Level.EXPERT)))
    data[_SUMMARY] &= 0xFF ^ cleared
    return bytes(data)


@pytest.mark.parametrize("cleared", [_FAIR, _OFFICIAL, _FAIR | _OFFICIAL])
@pytest.mark.parametrize("form", ["evf 3", "evf 4"])
def test_a_won_standard_game_that_metasweeper_does_not_call_fair(form: str, cleared: int) -> None:
    """It clears the bits when boards were filtered, or a program could control the game."""
    assert codes_in(with_bits(form, cleared=cleared)) == ["not_fair"]


def lost(form: str) -> Recording:
    """Cut off behind a click on a mine, in place of the deciding one."""
    game = recording(form, Level.EXPERT)
    row, column = (int(value) for value in next(zip(*game.board.mines.nonzero(), strict=True)))
    events = game.events[: len(game.events) // 2].copy()
    events = events[: int((events["kind"] == 3).nonzero()[0][-1]) + 1]
    for event in events[-2:]:
        event["x_px"], event["y_px"] = column * game.cell_px + 3, row * game.cell_px + 3
    events["kind"][-2:] = (2, 3)
    return replace(game, events=events)


def test_a_lost_game_is_fair_and_never_official() -> None:
    game = lost("evf 4")
    whole = native.write(game)
    assert not whole[_SUMMARY] & _OFFICIAL
    assert analyse(game).game.result is Result.LOST
    assert "not_fair" not in codes_in(whole)
    assert "not_fair" in codes_in(with_bits("evf 4", cleared=_FAIR, game=game))


def test_other_modes_have_the_bit_fair_alone() -> None:
    data = bytearray(with_bits("evf 4", cleared=_OFFICIAL))
    data[8:10] = (5).to_bytes(2, "big")
    assert read(bytes(data)).mode is Mode.NO_GUESS
    assert "not_fair" not in codes_in(bytes(data))
    data[_SUMMARY] &= 0xFF ^ _FAIR
    assert "not_fair" in codes_in(bytes(data))


def test_an_unfinished_game_is_never_called_fair() -> None:
    game = recording("evf 4")
    half = replace(game, events=game.events[: len(game.events) // 2])
    assert analyse(half).game.result is Result.UNFINISHED
    assert "not_fair" not in codes_in(native.write(half))


def test_bits_that_a_converter_filled_in_say_nothing() -> None:
    game = replace(recording("evf 4"), software="Arbiter")
    assert "not_fair" not in codes_in(with_bits("evf 4", cleared=_FAIR | _OFFICIAL, game=game))


@pytest.mark.parametrize("settings", [0x00, 0x20, 0x40, 0x60])
def test_a_clipped_cursor_and_boards_that_begin_anew_speak_against_nobody(settings: int) -> None:
    data = bytearray(native.write(recording("evf 4")))
    data[2] = settings
    assert codes_in(bytes(data)) == []


@pytest.mark.parametrize(("place", "value", "found"), [(6, 1, []), (6, 5, ["version_byte"]), (7, 4, ["version_byte"])])
def test_the_numbers_of_the_program_in_rmv_are_those_of_its_name(place: int, value: int, found: list[str]) -> None:
    data = bytearray(native.write(recording("rmv 2")))
    data[place] = value
    assert codes_in(bytes(data)) == found


def test_a_game_that_rmv_ends_neither_won_nor_lost_is_not_won() -> None:
    data = bytearray(native.write(recording("rmv 1")))
    end = data.rindex(b"\x10" + analyse(recording("rmv 1")).game.time_ms.to_bytes(3, "big"))
    data[end] = 17
    assert codes_in(bytes(data)) == ["result_differs"]
