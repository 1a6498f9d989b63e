"""The odds of a film: chances and sorts of clicks as the luck of the game has them."""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from analysis import formats
from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.film import encode_odds, film_of, odds_of
from analysis.film import film_odds as odds_module
from analysis.film.film_odds import NONE, SURE_MINE, UNKNOWN
from analysis.kernels.probability_front import CLOSED, MINE, SAFE
from analysis.luck import Sort, luck_of
from analysis.recording import Level, Recording
from tests.effort import amount
from tests.replays.games import game_file, largest_game
from tests.shared_files import REPLAYS, needs_shared

CODES = {Sort.CERTAIN: 0, Sort.FIRST: 1, Sort.GUESS: 2, Sort.NEEDLESS: 3}
EVERY = amount(long=1, usual=12)


def check(recording: Recording) -> None:
    """The sorts of all clicks, and the value of each cell that a single click opened, are those of ``luck_of``."""
    luck, film = luck_of(recording), film_of(analyse(recording))
    pack = odds_of(film)
    assert [code for code in pack.ended_by.tolist() if code != NONE] == [CODES[click.sort] for click in luck.clicks]
    values = np.full(film.board.mines.size, SURE_MINE + 1, int)
    ends = np.cumsum(pack.changed)
    for position, click in enumerate(luck.clicks):
        changes = slice(ends[position] - pack.changed[position], ends[position])
        values[pack.cells[changes]] = pack.values[changes]
        if position and not click.chord:
            row, column = click.cell
            assert abs(values[row * film.board.columns + column] - SURE_MINE * click.risk) <= 1


@pytest.mark.parametrize("level", [Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT])
def test_our_own_games(level: Level) -> None:
    for seed in (1, 3):
        check(formats.read(game_file(seed, level)))


def test_a_chance_never_looks_like_certainty() -> None:
    """However small or large it is; and what is certain is so by its status, not by rounding."""
    mine = np.array([[0.0001, 0.9999, 0.5, 0.0, 1.0]])
    status = np.array([[CLOSED, CLOSED, CLOSED, SAFE, MINE]], np.int8)
    assert odds_module._values(mine, status).tolist() == [[1, 199, 100, 0, 200]]


@needs_shared
@pytest.mark.shared
def test_shared_games() -> None:
    checked = 0
    for path in sorted(REPLAYS.glob("*/*"))[::EVERY]:
        try:
            recording = formats.read(path.read_bytes())
            analyse(recording)
        except (ReplayError, IsADirectoryError):
            continue
        if recording.board.mines.size <= 480:
            check(recording)
            checked += 1
    assert checked


def test_what_takes_too_long_is_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    film = film_of(analyse(formats.read(game_file(1, Level.EXPERT))))
    late = odds_of(film, max_seconds=-1)
    assert not late.is_complete
    assert late.uncounted.all()
    assert set(late.ended_by.tolist()) == {1, UNKNOWN, NONE}
    assert len(late.cells) == 0
    monkeypatch.setattr(odds_module, "MAX_WEIGHTS", 1)
    wide = odds_of(film)
    assert wide.is_complete
    assert 0 < wide.uncounted.sum() < len(wide.acts)


def test_the_largest_board() -> None:
    pack = odds_of(film_of(analyse(formats.read(largest_game()))))
    assert len(gzip.compress(encode_odds(pack))) < 100_000
