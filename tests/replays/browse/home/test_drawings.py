"""Boards of the home page as SVG."""

from __future__ import annotations

import re

import numpy as np

from analysis.board import MINE, board_facts
from analysis.recording import Board
from replays.browse.home.drawings import CLOSED, cell_symbols, finished_board, first_opening, started_board


def board(*lines: str) -> Board:
    return Board(np.array([[sign == "*" for sign in line] for line in lines], np.uint8))


OPEN = board("....*", ".....", "*....", ".....")


def test_a_finished_board_has_every_number_and_the_mines_with_the_flags_of_the_player() -> None:
    facts = board_facts(OPEN)
    flags = np.zeros(facts.numbers.shape, np.bool_)
    flags[2, 0] = True
    picture = str(finished_board(facts, flags, "A board"))
    for number in range(1, 9):
        path = re.search(rf'class="dg d{number}" d="([^"]*)"', picture)
        assert (path[1].count("M") if path else 0) == int((facts.numbers == number).sum())
    cloth = re.search(r'class="cloth" d="([^"]*)"', picture)
    mine = re.search(r'class="mn" d="([^"]*)"', picture)
    assert cloth
    assert mine
    assert re.findall(r"M(\d+) (\d+)", cloth[1]) == [("0", "200")]
    assert re.findall(r"M(\d+) (\d+)", mine[1]) == [("400", "0")]
    assert 'viewBox="0 0 500 400"' in picture


def test_the_first_click_opens_most_and_does_not_win() -> None:
    assert first_opening(board_facts(board("....", "....", "...*"))) is None  # its one opening would win
    facts = board_facts(board("...*...", "..*....", ".......", "****...", "......."))
    found = first_opening(facts)
    assert found is not None
    cell, opened = found
    assert facts.numbers.ravel()[cell] == 0
    assert not opened[facts.numbers == MINE].any()
    assert 0 < opened.sum() < (facts.numbers != MINE).sum()


def test_a_started_board_has_a_picture_for_every_cell() -> None:
    facts = board_facts(OPEN)
    opened = facts.numbers == 1
    faces = [int(face) for face in re.findall(r'href="#cell-(\d+)"', str(started_board(facts, opened, "A board")))]
    assert faces == [1 if is_open else CLOSED for is_open in opened.ravel()]
    symbols = {int(face) for face in re.findall(r'id="cell-(\d+)"', str(cell_symbols()))}
    assert set(faces) <= symbols
