"""The bots play legal games, claim only what is true, and differ in skill."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import numpy as np
import pytest

from analysis.board import board_facts
from analysis.bots import DEMO_PROFILES, SOFTWARE, BotProfile, PlayStyle, bot, demo_games, play_game
from analysis.bots.mind import Mind, grid
from analysis.bots.table import Table, draw_board
from analysis.click_machine import Game, Result, play
from analysis.deduction.sets import indices
from analysis.formats import rawvf, read
from analysis.probability import probabilities
from analysis.recording import LEVEL_SHAPES, Board, Kind, Level, Recording
from analysis.solver import Strength

LEVELS = list(LEVEL_SHAPES)
UNTIL = datetime(2026, 1, 1, tzinfo=UTC)
ELITE, NOVICE = DEMO_PROFILES[0], DEMO_PROFILES[-1]
#: A bot that does everything wrong that a bot can do, often.
CLUMSY = replace(NOVICE, waste_rate=0.5, slip_rate=0.05, one_half_click=0.5, chord_habit=2.0, give_up_rate=0.3)
STYLES: tuple[PlayStyle, ...] = ("FL", "NF")


def refereed(recording: Recording) -> Game:
    return play(recording, board_facts(recording.board))


def assert_honest(recording: Recording) -> None:
    """The claims of the recording equal the replayed game."""
    game, claims = refereed(recording), recording.claims
    assert claims.bv == board_facts(recording.board).bv
    assert claims.level == recording.board.level
    assert claims.nf == (game.toggles == 0)
    if game.result is Result.UNFINISHED:
        assert claims.win is None
        assert claims.time_ms is None
    else:
        assert claims.win == (game.result is Result.WON)
        assert claims.time_ms == game.time_ms
        assert game.end_index == len(recording.events) - 1


def assert_well_formed(recording: Recording) -> None:
    """Times, coordinates and buttons are possible in a real recording."""
    events = recording.events
    kinds = events["kind"]
    assert kinds[0] == Kind.LEFT_PRESS
    assert kinds[1] == Kind.LEFT_RELEASE
    assert events["time_ms"][1] == 0
    assert (np.diff(events["time_ms"]) >= 0).all()
    assert events["x_px"].min() >= 0
    assert events["y_px"].min() >= 0
    assert events["x_px"].max() < 16 * recording.board.columns
    assert events["y_px"].max() < 16 * recording.board.rows
    for press, release in ((Kind.LEFT_PRESS, Kind.LEFT_RELEASE), (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE)):
        down = np.cumsum(np.where(kinds == press, 1, np.where(kinds == release, -1, 0)))
        assert set(down.tolist()) <= {0, 1}


@cache
def demo(seed: int = 5, games: int = 200) -> Sequence[Recording]:
    return tuple(demo_games(seed, games, until=UNTIL))


def test_a_seed_gives_the_same_game() -> None:
    first = play_game(ELITE, Level.EXPERT, "FL", 11, played_at=UNTIL)
    again = play_game(ELITE, Level.EXPERT, "FL", 11, played_at=UNTIL)
    assert first.events.tobytes() == again.events.tobytes()
    assert first.board.packed() == again.board.packed()
    assert (first.claims, first.played_at, first.ended_at) == (again.claims, again.played_at, again.ended_at)


def test_another_seed_gives_another_game() -> None:
    first, other = (play_game(ELITE, Level.EXPERT, "FL", seed) for seed in (11, 12))
    assert first.board.packed() != other.board.packed()


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("profile", [*DEMO_PROFILES, CLUMSY], ids=lambda profile: profile.name)
def test_games_are_legal_and_claims_true(profile: BotProfile, level: Level, style: PlayStyle) -> None:
    for seed in range(4):
        recording = play_game(profile, level, style, seed)
        assert recording.board.level is level
        assert_well_formed(recording)
        assert_honest(recording)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("style", STYLES)
def test_must_win_wins(level: Level, style: PlayStyle) -> None:
    for seed in range(8):
        recording = play_game(CLUMSY, level, style, seed, must_win=True)
        assert refereed(recording).result is Result.WON
        assert recording.claims.win is True


@pytest.mark.parametrize("level", LEVELS)
def test_nf_games_touch_neither_flags_nor_chords(level: Level) -> None:
    for seed in range(8):
        recording = play_game(CLUMSY, level, "NF", seed)
        game = refereed(recording)
        assert (game.toggles, game.flags, game.rcl, game.dcl) == (0, 0, 0, 0)


def test_fl_games_have_flags_and_chords() -> None:
    for seed in range(8):
        game = refereed(play_game(DEMO_PROFILES[1], Level.INTERMEDIATE, "FL", seed, must_win=True))
        assert game.toggles > 0
        assert game.dce > 0


def test_waste_and_slips_happen() -> None:
    games = [refereed(play_game(CLUMSY, Level.EXPERT, "FL", seed, must_win=True)) for seed in range(4)]
    assert all(game.lce < game.lcl for game in games)
    assert all(game.dce < game.dcl for game in games)
    assert all(game.toggles > game.flags for game in games)  # some flag was taken off


def test_one_and_a_half_click_chords_with_the_flagging_press() -> None:
    held = replace(DEMO_PROFILES[1], one_half_click=1.0, waste_rate=0.0)
    recording = play_game(held, Level.INTERMEDIATE, "FL", 3, must_win=True)
    game = refereed(recording)
    presses = int((recording.events["kind"] == Kind.RIGHT_PRESS).sum())
    assert game.dcl > 0
    assert presses < game.toggles + game.dcl  # a chord with both buttons pressed anew would need a press of its own


@pytest.mark.long(beside="tests/analysis/test_bots.py::test_demo_games_survive_their_files")
@pytest.mark.parametrize("level", [Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT])
@pytest.mark.parametrize("style", STYLES)
def test_skill_orders_speed(level: Level, style: PlayStyle) -> None:
    def mean_ms_per_bv(profile: BotProfile) -> float:
        games = [play_game(profile, level, style, seed, must_win=True).claims for seed in range(10)]
        return float(np.mean([(claims.time_ms or 0) / (claims.bv or 1) for claims in games]))

    elite, middle, novice = (mean_ms_per_bv(profile) for profile in (ELITE, DEMO_PROFILES[5], NOVICE))
    assert elite < middle < novice


def test_cursor_paths_look_recorded() -> None:
    recording = play_game(ELITE, Level.EXPERT, "NF", 2, must_win=True)
    moves = recording.events[recording.events["kind"] == Kind.MOVE]
    assert 1_000 < len(recording.events) < 5_000
    gaps = np.diff(moves["time_ms"])
    assert 7 <= np.median(gaps) <= 16
    presses = recording.events["time_ms"][recording.events["kind"] == Kind.LEFT_PRESS]
    releases = recording.events["time_ms"][recording.events["kind"] == Kind.LEFT_RELEASE]
    held = (releases - presses)[1:]  # everything up to the opening release is at 0
    assert 40 < np.median(held) < 100
    assert len(np.unique(held)) > 10


def test_dates_frame_the_game() -> None:
    recording = play_game(ELITE, Level.BEGINNER, "NF", 1, must_win=True, played_at=UNTIL)
    assert recording.claims.time_ms is not None
    assert recording.ended_at == UNTIL + timedelta(milliseconds=recording.claims.time_ms)
    assert play_game(ELITE, Level.BEGINNER, "NF", 1).played_at is None


def test_custom_boards_are_not_played() -> None:
    with pytest.raises(KeyError):
        play_game(ELITE, Level.CUSTOM, "NF", 1)


def test_profiles_are_ten_different_people() -> None:
    names = [profile.name for profile in DEMO_PROFILES]
    assert len(set(names)) == len(names) == 10
    assert "扫雷机器人" in names
    assert any("ë" in name for name in names)
    assert all(name.encode().decode() == name for name in names)
    assert {level for profile in DEMO_PROFILES for level, _ in profile.levels} == set(LEVELS)


def test_demo_is_deterministic_and_in_order_of_date() -> None:
    again = tuple(demo_games(5, 30, until=UNTIL))
    once_more = tuple(demo_games(5, 30, until=UNTIL))
    assert [game.events.tobytes() for game in again] == [game.events.tobytes() for game in once_more]
    dates = [game.played_at for game in demo()]
    assert all(date is not None for date in dates)
    assert dates == sorted(date for date in dates if date is not None)
    first, last = dates[0], dates[-1]
    assert first is not None
    assert last is not None
    assert UNTIL - timedelta(days=731) <= first < UNTIL - timedelta(days=700)
    assert UNTIL - timedelta(days=30) < last <= UNTIL


def test_demo_spreads_over_players_levels_styles_and_results() -> None:
    games = [(recording, refereed(recording)) for recording in demo()]
    players = collections.Counter(recording.player for recording, _ in games)
    levels = collections.Counter(recording.board.level for recording, _ in games)
    results = collections.Counter(game.result for _, game in games)
    without_flags = sum(game.toggles == 0 for _, game in games)
    assert set(players.values()) == {20}
    assert set(players) == {profile.name for profile in DEMO_PROFILES}
    assert min(levels[level] for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)) >= 30
    assert levels[Level.BEGINNER_9X9] >= 3
    assert 60 <= without_flags <= 140
    assert results[Result.WON] >= 140
    assert results[Result.LOST] >= 10
    assert results[Result.UNFINISHED] >= 1


def test_demo_games_are_honest_and_all_different() -> None:
    for recording in demo():
        assert recording.software == SOFTWARE
        assert recording.player_bytes.decode() == recording.player
        assert_well_formed(recording)
        assert_honest(recording)
    assert len({recording.events.tobytes() for recording in demo()}) == len(demo())


def test_demo_games_survive_their_files() -> None:
    for recording in demo()[:40]:
        again = read(rawvf.write(recording))
        assert again.events.tobytes() == recording.events.tobytes()
        assert again.board.packed() == recording.board.packed()
        for name in ("format", "format_variant", "cell_px", "player", "player_bytes", "software", "country", "claims"):
            assert getattr(again, name) == getattr(recording, name)
        assert (again.played_at, again.ended_at) == (recording.played_at, recording.ended_at)
        assert not again.findings


def test_no_won_game_takes_no_time() -> None:
    for seed in range(60):
        recording = play_game(ELITE, Level.BEGINNER_9X9, "NF", seed, must_win=True)
        assert (recording.claims.time_ms or 0) > 0


@pytest.mark.parametrize("level", LEVELS)
def test_boards_have_the_right_mines_and_a_zero_first(level: Level) -> None:
    rng = np.random.default_rng(3)
    for first in (0, LEVEL_SHAPES[level][1] + 1):
        table = Table(draw_board(rng, level, first))
        assert table.board.level is level
        assert table.truth[first] == 0


def test_boards_are_uniform() -> None:
    """Every cell away from the first click is a mine equally often (chi-square, 50 degrees of freedom)."""
    rng = np.random.default_rng(8)
    boards = 4_000
    counts = sum(draw_board(rng, Level.BEGINNER, 9).mines.astype(np.int64) for _ in range(boards))
    free = np.ones((8, 8), bool)
    free[:3, :3] = False
    assert not np.asarray(counts)[~free].any()
    expected = boards * 10 / free.sum()
    spread = float(((np.asarray(counts)[free] - expected) ** 2 / expected).sum())
    assert spread < 90  # 99.95 % quantile of the approximation; the seed is fixed


def mind_after(board: Board, opened: Sequence[int]) -> tuple[Mind, Table]:
    table = Table(board)
    mind = Mind(grid(board.rows, board.columns), board.mine_count)
    for cell in opened:
        mind.see(table.open(cell))
    mind.deduce(0)
    return mind, table


def test_pairs_of_numbers_are_compared() -> None:
    """1-2-1 at an edge: the mines lie under the ones."""
    board = Board(np.array([[1, 0, 1, 0, 0], [0, 0, 0, 0, 1]], np.uint8))
    mind, _ = mind_after(board, [5, 6, 7])
    assert set(indices(mind.mines)) >= {0, 2}
    assert 1 in mind.safe


def test_the_count_of_mines_ends_a_game() -> None:
    """The last mine is known, so a walled-off cell is safe."""
    board = Board(np.array([[0, 1, 1, 0]], np.uint8))
    mind, _ = mind_after(board, [0])
    assert set(indices(mind.mines)) == {1}
    assert not mind.safe
    walled = Board(np.array([[0, 1, 0, 0, 0]], np.uint8))
    mind, _ = mind_after(walled, [0])
    assert set(mind.safe) == {2, 3, 4}


def test_conclusions_are_true() -> None:
    """On random positions no cell called safe is a mine, and no cell called a mine is safe."""
    rng = np.random.default_rng(4)
    concluded = 0
    for _ in range(150):
        board = draw_board(rng, Level.INTERMEDIATE, 40)
        safe_cells = np.flatnonzero(board.mines.ravel() == 0)
        opened = rng.choice(safe_cells, 25, replace=False).tolist()
        mind, table = mind_after(board, [40, *opened])
        assert not any(table.is_mine(cell) for cell in mind.safe)
        assert all(table.is_mine(cell) for cell in indices(mind.mines))
        assert not any(cell in mind.numbers for cell in mind.safe)
        concluded += len(mind.safe) + mind.mines.bit_count()
    assert concluded > 1_000


def test_risks_are_those_of_the_open_numbers() -> None:
    board = Board(np.array([[0, 0, 0], [1, 0, 0], [0, 0, 1]], np.uint8))
    mind, _ = mind_after(board, [0])  # a 1 in the corner: one mine in three cells
    risks = mind.risks()
    assert risks[1] == pytest.approx(1 / 3)
    assert risks[8] == pytest.approx(2 / 8)


@pytest.mark.long(beside="tests/analysis/test_bots.py::test_who_knows_more_wins_more")
def test_an_unlucky_guesser_loses_more() -> None:
    def wins(luck: float) -> int:
        profile = replace(ELITE, guess_luck=luck, give_up_rate=0.0, slip_rate=0.0)
        return sum(bool(play_game(profile, Level.EXPERT, "NF", seed).claims.win) for seed in range(25))

    assert wins(1.0) == 25
    assert wins(0.0) <= 18


def test_who_knows_more_wins_more() -> None:
    def wins(strength: Strength) -> int:
        profile = replace(ELITE, strength=strength, guess_luck=0.0, give_up_rate=0.0, slip_rate=0.0)
        return sum(bool(play_game(profile, Level.INTERMEDIATE, "NF", seed).claims.win) for seed in range(30))

    novice, careful, full = (wins(strength) for strength in (Strength.NOVICE, Strength.CAREFUL, Strength.FULL))
    assert novice < careful < full


@pytest.mark.parametrize("strength", [Strength.SAFEST, Strength.FULL])
def test_strong_bots_guess_only_where_nothing_is_safe(strength: Strength, monkeypatch: pytest.MonkeyPatch) -> None:
    guesses: list[bool] = []
    seen_after_all: list[bool] = []
    think = bot._Game._guess

    def watched(game: bot._Game) -> object:
        position = game._position()
        plan = think(game)
        (guesses if plan is not None else seen_after_all).append(bool(probabilities(position).certain_safe.any()))
        return plan

    monkeypatch.setattr(bot._Game, "_guess", watched)
    profile = replace(ELITE, strength=strength, guess_luck=0.0)
    for seed in range(12):
        play_game(profile, Level.EXPERT, "FL", seed)
    assert guesses
    assert not any(guesses)
    assert seen_after_all
    assert all(seen_after_all)


def test_beginners_do_not_compare_numbers() -> None:
    board = Board(np.array([[1, 0, 1, 0, 0], [0, 0, 0, 0, 1]], np.uint8))
    table, mind = Table(board), Mind(grid(2, 5), 3, compares=False)
    for cell in (5, 6, 7):
        mind.see(table.open(cell))
    mind.deduce(0)
    assert not mind.safe
    assert not mind.mines


def test_what_one_is_told_leads_on() -> None:
    """From a cell that is known to be safe, the mine follows."""
    board = Board(np.array([[0, 1], [0, 0]], np.uint8))
    mind, _ = mind_after(board, [2])
    assert not mind.safe
    mind.learn([0, 3], 5)
    assert set(mind.safe) == {0, 3}
    assert set(indices(mind.mines)) == {1}
