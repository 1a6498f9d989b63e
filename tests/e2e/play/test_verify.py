"""The page on which anybody checks the board of a game."""

from __future__ import annotations

import hashlib
import uuid

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from analysis import fair
from replays.play.models import LiveGame
from tests.e2e.conftest import Visit

_SECRET, _NONCE = bytes(range(32)), bytes(range(16))
_GOLDEN = "eb09f03b"  # of the Expert board with the first click at (3, 3), Win7 rules
_NAMES = ("commit", "secret", "nonce")


@pytest.fixture
def ended(transactional_db: None) -> LiveGame:
    game_id, now = uuid.UUID(int=5), timezone.now()
    return LiveGame.objects.create(
        id=game_id, level="expert", rows=16, columns=30, mines=99, rules="win7", commit=fair.commitment(str(game_id), _SECRET),
        secret=_SECRET, nonce=_NONCE, first_cell=3 * 30 + 3, state=LiveGame.State.OVER, result="lost", created_at=now,
        started_at=now, ended_at=now, cell_px=16, time_ms=5_000,
    )  # fmt: skip


@pytest.mark.long(beside="tests/e2e/test_verify.py::test_the_browser_and_the_server_make_the_same_boards")
def test_a_game_is_checked_by_its_name(visit: Visit, ended: LiveGame) -> None:
    page = visit(f"/play/games/{ended.pk}/")
    for told in (ended.commit, _SECRET.hex(), _NONCE.hex()):
        expect(page.get_by_text(told, exact=True)).to_be_visible()
    page.get_by_role("link", name="Verify").click()
    expect(page.locator("[data-answer]")).to_contain_text("matches the commitment")
    board = fair.board(_SECRET, _NONCE, 16, 30, 99, fair.Rules.WIN7, 93)
    digest = hashlib.sha256(board.packed()).hexdigest()
    assert digest.startswith(_GOLDEN)
    expect(page.locator("[data-hash]")).to_contain_text(digest)
    told = page.locator("canvas[data-board]").get_attribute("aria-label") or ""
    assert told.startswith("16 rows, 30 columns; mines at (1, 2) (1, 6) (1, 8)")
    assert told.count("(") == 99


@pytest.mark.long(beside="tests/e2e/test_verify.py::test_the_browser_and_the_server_make_the_same_boards")
@pytest.mark.parametrize("name", _NAMES)
def test_an_altered_value_is_noticed(visit: Visit, ended: LiveGame, name: str) -> None:
    page = visit(f"/play/verify/?game={ended.pk}")
    expect(page.locator("[data-hash]")).to_contain_text(_GOLDEN)
    field = page.locator(f"[data-proof] [name={name}]")
    value = field.input_value()
    field.fill(("1" if value[0] == "0" else "0") + value[1:])
    page.get_by_role("button", name="Show the board").click()
    if name == "nonce":  # which was not promised, but gives another board
        expect(page.locator("[data-hash]")).not_to_contain_text(_GOLDEN)
    else:
        expect(page.locator("[data-answer]")).to_contain_text("doesn't match the commitment")


@pytest.mark.long(beside="tests/e2e/test_verify.py::test_the_browser_and_the_server_make_the_same_boards")
def test_values_that_no_game_has(visit: Visit, ended: LiveGame) -> None:
    page = visit(f"/play/verify/?game={ended.pk}")
    page.locator("[data-proof] [name=secret]").fill("xyz")
    page.get_by_role("button", name="Show the board").click()
    expect(page.locator("[data-answer]")).to_contain_text("No game can have these values")
    expect(page.locator("canvas[data-board]")).to_be_hidden()


@pytest.mark.long(beside="tests/e2e/test_verify.py::test_the_browser_and_the_server_make_the_same_boards")
def test_a_game_that_runs_keeps_its_secret(visit: Visit, ended: LiveGame) -> None:
    LiveGame.objects.update(state=LiveGame.State.PLAYING)
    page = visit(f"/play/verify/?game={ended.pk}")
    expect(page.get_by_role("alert")).to_contain_text("No finished game")
    expect(page.locator("[data-proof] [name=secret]")).to_have_value("")
