"""The help of a room about clicks on numbers: its picture against the rule, and its place on the page."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.test import Client
from pytest_django import Settings

from analysis.multiplayer.server_game import ServerGame
from replays.play.models import Room

PICTURE = Path(settings.BASE_DIR) / "templates/replays/play/rooms/_zeros_beside.html"
ROWS, COLUMNS, CLICK = 5, 7, (2, 2)
_CELL = re.compile(r"M(\d) (\d)h1v1h-1z")
_DIGIT = re.compile(r'class="t(\d)" x="([\d.]+)" y="([\d.]+)">(\d)<')


def drawn(svg: str) -> list[str]:
    """The rows of one drawing, "." closed and 0 for open cells without a digit."""
    rows = [["0"] * COLUMNS for _ in range(ROWS)]
    for column, row in _CELL.findall(re.search(r'class="closed" d="([^"]+)"', svg)[1]):  # type: ignore[index]
        rows[int(row)][int(column)] = "."
    for colour, x, y, digit in _DIGIT.findall(svg):
        assert colour == digit
        rows[int(float(y))][int(float(x))] = digit
    return ["".join(row) for row in rows]


def test_the_picture_shows_the_rule() -> None:
    single, room = PICTURE.read_text().split("<figure>")[1:]
    mines = np.zeros((ROWS, COLUMNS), np.uint8)
    for cell in ((0, 5), (1, 1), (2, 6), (3, 1), (4, 6)):
        mines[cell] = 1
    game = ServerGame(mines)
    opened = {divmod(cell, COLUMNS) for cell in game.open(game.cell(*CLICK), 1).cells.tolist()}

    def rows_of(cells: set[tuple[int, int]]) -> list[str]:
        return [
            "".join(str(game.numbers[row, column]) if (row, column) in cells else "." for column in range(COLUMNS))
            for row in range(ROWS)
        ]

    assert drawn(single) == rows_of({CLICK})
    assert drawn(room) == rows_of(opened)
    assert len(opened) > 1
    lit = re.search(r'class="lit" d="([^"]+)"', room)
    assert lit is not None
    assert {(int(row), int(column)) for column, row in _CELL.findall(lit[1])} == opened - {CLICK}
    assert "lit" not in single


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("language", "words"),
    [("en", ("What a click on a number opens", "Got it")), ("zh-hans", ("点开数字时会打开哪些格", "知道了"))],
)
def test_a_room_tells_the_rule(client: Client, settings: Settings, language: str, words: tuple[str, ...]) -> None:
    settings.PLAY_BUS_URL = "redis://127.0.0.1:1/0"  # pages ask only whether there is one
    room = Room.objects.create(name="Friday evening", sealed=True)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    source = client.get(room.get_absolute_url()).content.decode()
    assert [word for word in words if word not in source] == []
    assert re.search(r'<div class="zeros-notice" data-zeros hidden>', source)
    assert source.count('<svg viewBox="-0.1 -0.1') == 2
