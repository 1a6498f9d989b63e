"""Checking the board of a finished game in the browser: golden boards, random ones, and what was tampered with."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from django.templatetags.static import static
from playwright.sync_api import Error, Page

from analysis import fair
from analysis.fair import Rules
from tests.e2e.conftest import Visit
from tests.fair_goldens import COMMITMENT_OF_GAME_1, GOLDENS, NONCE, SECRET, Golden


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit("/robots.txt")


def verified(page: Page, games: list[dict[str, Any]]) -> list[dict[str, Any]]:
    script = """async ([address, games]) => {
        const { verifyBoard } = await import(address);
        return Promise.all(games.map(verifyBoard));
    }"""
    results: list[dict[str, Any]] = page.evaluate(script, [static("play/verify.js"), games])
    return results


def board_of(golden: Golden) -> list[int]:
    board = fair.board(SECRET, NONCE, golden.rows, golden.columns, golden.mines, Rules(golden.rules), golden.first_cell)
    cells: list[int] = np.flatnonzero(board.mines).tolist()
    return cells


def game_of(golden: Golden) -> dict[str, Any]:
    return {
        "gameId": "game-1",
        "commitment": COMMITMENT_OF_GAME_1,
        "secret": SECRET.hex(),
        "nonce": NONCE.hex(),
        "rows": golden.rows,
        "columns": golden.columns,
        "mines": golden.mines,
        "rules": golden.rules,
        "row": golden.first[0],
        "column": golden.first[1],
    }


def test_golden_boards(page: Page) -> None:
    results = verified(page, [game_of(golden) for golden in GOLDENS])
    for golden, result in zip(GOLDENS, results, strict=True):
        first = tuple(divmod(cell, golden.columns) for cell in result["mines"][: len(golden.first_mines)])
        assert first == golden.first_mines
        assert (result["committed"], result["mines"]) == (True, board_of(golden))


def test_the_browser_and_the_server_make_the_same_boards(page: Page) -> None:
    rng = np.random.default_rng(5)
    games: list[dict[str, Any]] = []
    wanted: list[dict[str, Any]] = []
    for number, rules in enumerate([*Rules] * 20):
        rows, columns = (int(side) for side in rng.integers(3, 32, 2))
        mines = int(rng.integers(0, rows * columns - 9 + 1))
        secret, nonce, first = rng.bytes(32), rng.bytes(16), int(rng.integers(rows * columns))
        attempt = number if rules is Rules.NO_GUESS else 0
        board = fair.board(secret, nonce, rows, columns, mines, rules, first, attempt)
        games.append(
            {
                "gameId": f"game {number} 雷",
                "commitment": fair.commitment(f"game {number} 雷", secret).upper(),
                "secret": secret.hex(),
                "nonce": nonce.hex().upper(),
                "rows": rows,
                "columns": columns,
                "mines": mines,
                "rules": rules.value,
                "row": first // columns,
                "column": first % columns,
                "attempt": attempt,
            }
        )
        wanted.append({"mines": np.flatnonzero(board.mines).tolist(), "committed": True})
    assert verified(page, games) == wanted


def test_whatever_is_altered_is_noticed(page: Page) -> None:
    game = game_of(GOLDENS[3])
    another = bytes([SECRET[0] ^ 1, *SECRET[1:]]).hex()
    altered: list[tuple[dict[str, Any], bool, bool]] = [
        ({"secret": another}, False, False),
        ({"commitment": fair.commitment("game-1", bytes(32))}, False, True),
        ({"gameId": "game-2"}, False, True),
        ({"nonce": bytes(16).hex()}, True, False),
        ({"rules": "no-guess"}, True, False),
        ({"column": 4}, True, False),
        ({"attempt": 1}, True, False),
        ({"mines": 98}, True, False),
    ]
    results = verified(page, [game | change for change, _, _ in altered])
    for (change, committed, same), result in zip(altered, results, strict=True):
        assert (result["committed"], result["mines"] == board_of(GOLDENS[3])) == (committed, same), change


@pytest.mark.long(beside="tests/e2e/test_verify.py::test_whatever_is_altered_is_noticed")
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"rows": 2.5}, "rows is no whole number"),
        ({"rows": 256}, "longer than 255"),
        ({"row": 16}, "not on the board"),
        ({"mines": 475}, "do not fit"),
        ({"rules": "kind"}, "not known"),
        ({"secret": "00"}, "another length"),
        ({"nonce": "zz" * 16}, "another length"),
    ],
    ids=["half a row", "long", "outside", "full", "rules", "secret", "nonce"],
)
def test_impossible_games_are_refused(page: Page, change: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Error, match=complaint):
        verified(page, [game_of(GOLDENS[3]) | change])
