"""The server's game: golden games, the slow twin, what replay and restore must give, and what is refused."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from analysis.multiplayer.server_game import MAX_PLAYER, MOVE, Answer, MoveKind, Opened, Rules, ServerGame, State
from tests.analysis.multiplayer.golden import DEFAULT, GOLDEN, mines_of
from tests.analysis.multiplayer.test_cover import mine_maps
from tests.effort import examples
from tests.naive_rooms import NaiveBoard, NaiveServer

ALL_RULES = Rules(flags=True, chords=True)


def by_player(numbers: NDArray[np.int64]) -> dict[str, int]:
    return {str(player): number for player, number in enumerate(numbers.tolist()) if number}


def fixed_clicks() -> Iterator[tuple[int, int, int]]:
    """Row, column and player of the 1,000 clicks of GOLDEN["fixed_game"]["how"]."""
    x = 12345
    for _ in range(1000):
        drawn = []
        for _ in range(3):
            x = (1103515245 * x + 12345) % 2**31
            drawn.append(x >> 8)
        yield drawn[0] % 75, drawn[1] % 75, drawn[2] % 5 + 1


def safe_left(game: ServerGame) -> int:
    return int(np.count_nonzero(game.numbers != 9) - game.score.sum())


def check_fixed_game(game: ServerGame) -> None:
    golden = GOLDEN["fixed_game"]
    assert game.number == golden["accepted_clicks"]
    assert GOLDEN["default_board"]["safe"] - safe_left(game) == golden["safe_cells_open"]
    assert by_player(game.score) == golden["score"]
    assert by_player(game.blasts) == golden["blasts"]
    assert hashlib.sha256(game.owner.astype("u1").tobytes()).hexdigest() == golden["owner_sha256"]
    assert hashlib.sha256(game.stamp.astype("<u4").tobytes()).hexdigest() == golden["time_sha256"]


def test_the_fixed_game() -> None:
    game = ServerGame(mines_of(DEFAULT))
    for row, column, player in fixed_clicks():
        game.open(game.cell(row, column), player)
    check_fixed_game(game)


def test_the_fixed_game_at_once() -> None:
    game = ServerGame(mines_of(DEFAULT))
    answers = game.replay(np.array([(row * 75 + column, player, 0) for row, column, player in fixed_clicks()], MOVE))
    check_fixed_game(game)
    assert np.count_nonzero(answers <= Answer.FLAG_TAKEN) == GOLDEN["fixed_game"]["accepted_clicks"]


def test_the_sequence_of_the_server() -> None:
    game = ServerGame(mines_of(DEFAULT))
    golden = GOLDEN["server_sequence"]
    for step in golden["steps"]:
        answer = game.open(game.cell(*step["click"]), step["player"])
        wanted = {"open": Answer.ALREADY_OPEN, "outside": Answer.OUTSIDE, -1: Answer.BLAST}
        assert answer.result == wanted.get(step["result"], Answer.OPENED)
        if answer.result is Answer.OPENED:
            assert answer.cells.size == step["result"]
        assert answer.stamp == (game.number if answer.result.accepted else 0)
        assert (game.number, safe_left(game)) == (step["clock_after"], step["safe_left"])
    assert [game.score[player] for player in (1, 3, 4)] == [golden["score"][player] for player in "134"]
    assert [game.blasts[player] for player in (1, 3, 4)] == [golden["blasts"][player] for player in "134"]


def test_the_same_opening_from_zero_and_number() -> None:
    """Cases A and B: (0, 6) is a zero, (0, 5) the number beside it."""
    opened = [set(ServerGame(mines_of(DEFAULT)).open(cell, 1).cells.tolist()) for cell in (6, 5)]
    assert opened[0] == opened[1]
    assert len(opened[0]) == 22


# --- random games -----------------------------------------------------------------------------------------------------


class Room(NamedTuple):
    mines: NDArray[np.uint8]
    moves: list[tuple[int, int, MoveKind]]


@st.composite
def rooms(draw: st.DrawFn, kinds: tuple[MoveKind, ...] = tuple(MoveKind)) -> Room:
    mines = draw(mine_maps(7))
    cells = st.integers(-2, mines.size + 1)
    return Room(mines, draw(st.lists(st.tuples(cells, st.integers(1, 5), st.sampled_from(kinds)), max_size=40)))


@given(rooms((MoveKind.OPEN,)))
@settings(max_examples=examples(1000), deadline=None)
def test_any_game_of_clicks(room: Room) -> None:
    """Open = the union of covers; owner = the least stamp; scores and blasts sum up to what is open."""
    board, game = NaiveBoard(room.mines), ServerGame(room.mines)
    accepted = []
    for cell, player, _ in room.moves:
        answer = game.open(cell, player)
        if answer.result.accepted:
            accepted.append((answer.stamp, cell, player))
    owners = board.owners(accepted)
    assert [stamp for stamp, _, _ in accepted] == list(range(1, game.number + 1))
    assert game.owner.ravel().tolist() == [owners.get(cell, (0, 0))[1] for cell in board.cells]
    assert game.stamp.ravel().tolist() == [owners.get(cell, (0, 0))[0] for cell in board.cells]
    assert game.score.sum() == len(owners.keys() - board.mines)
    assert game.blasts.sum() == len(owners.keys() & board.mines)
    assert safe_left(game) == len(set(board.cells) - board.mines - owners.keys())


@given(rooms(), st.booleans(), st.booleans())
@settings(max_examples=examples(1000), deadline=None)
def test_any_game_is_that_of_the_slow_twin(room: Room, flags: bool, chords: bool) -> None:
    """Move by move the same answer, and the answer tells all that changed."""
    board = NaiveBoard(room.mines)
    twin, game = NaiveServer(board, flags, chords), ServerGame(room.mines, Rules(flags, chords))
    for cell, player, kind in room.moves:
        owners_before, flags_before = dict(twin.owner), dict(twin.flags)
        wanted = twin.move(cell, player, kind.name.lower())
        answer = game.move(cell, player, kind)
        new = twin.owner.keys() - owners_before.keys()
        assert answer.result.name == wanted
        assert answer.stamp == (twin.number if answer.result.accepted else 0)
        assert sorted(answer.cells.tolist()) == sorted(new)
        assert answer.blasts == len(new & board.mines)
        assert sorted(answer.flagged.tolist()) == sorted(twin.flags.keys() - flags_before.keys())
        assert sorted(answer.unflagged.tolist()) == sorted(flags_before.keys() - twin.flags.keys())
        assert game.number == twin.number
    assert game.flags.ravel().tolist() == [twin.flags.get(cell, 0) for cell in board.cells]
    assert game.owner.ravel().tolist() == [twin.owner.get(cell, (0, 0))[1] for cell in board.cells]
    assert game.stamp.ravel().tolist() == [twin.owner.get(cell, (0, 0))[0] for cell in board.cells]
    safe = Counter(player for cell, (_, player) in twin.owner.items() if cell not in board.mines)
    blown = Counter(player for cell, (_, player) in twin.owner.items() if cell in board.mines)
    assert by_player(game.score) == {str(player): count for player, count in safe.items()}
    assert by_player(game.blasts) == {str(player): count for player, count in blown.items()}


def same_state(one: State, other: State) -> bool:
    pairs = ((one.owner, other.owner), (one.stamp, other.stamp), (one.flags, other.flags))
    return one.number == other.number and all(np.array_equal(a, b) for a, b in pairs)


@given(rooms(), st.integers(0, 40))
@settings(max_examples=examples(500), deadline=None)
def test_a_snapshot_and_the_moves_after_it_give_the_same_game(room: Room, cut: int) -> None:
    game = ServerGame(room.mines, ALL_RULES)
    log = []
    snapshot, in_snapshot = game.state(), 0
    for index, (cell, player, kind) in enumerate(room.moves):
        if game.move(cell, player, kind).result.accepted:
            log.append((cell, player, int(kind)))
        if index == cut:
            snapshot, in_snapshot = game.state(), len(log)
    again = ServerGame.restore(room.mines, snapshot, ALL_RULES)
    answers = again.replay(np.array(log[in_snapshot:], MOVE))
    assert all(Answer(answer).accepted for answer in answers.tolist())
    assert same_state(again.state(), game.state())
    assert by_player(again.score) == by_player(game.score)
    assert by_player(again.blasts) == by_player(game.blasts)
    assert (safe_left(again), again.over) == (safe_left(game), game.over)


# --- rules of single moves --------------------------------------------------------------------------------------------

ROW = np.array([[0, 0, 0, 1, 0, 0]], np.uint8)  # shows 0 0 1 * 1 0


def nothing_changed(answer: Opened) -> bool:
    return answer.stamp == answer.blasts == answer.cells.size == answer.flagged.size == answer.unflagged.size == 0


def test_a_refused_move_changes_nothing_at_all() -> None:
    """A spectator whose click is refused has neither score nor stamp; the reference gives a colour for it."""
    game = ServerGame(ROW)
    game.open(0, 1)
    before = game.state()
    refused = [game.open(1, 2), game.open(-1, 2), game.open(6, 2), game.flag(4, 2), game.chord(2, 2)]
    names = [answer.result.name for answer in refused]
    assert names == ["ALREADY_OPEN", "OUTSIDE", "OUTSIDE", "NOT_ALLOWED", "NOT_ALLOWED"]
    assert all(nothing_changed(answer) and not answer.result.accepted for answer in refused)
    assert same_state(game.state(), before)
    assert by_player(game.score) == {"1": 3}


def test_the_end_comes_once() -> None:
    game = ServerGame(ROW)
    assert [game.open(0, 1).result, game.over] == [Answer.OPENED, False]
    assert [game.open(5, 2).result, game.over] == [Answer.OPENED, True]
    assert game.open(3, 2).result is Answer.OVER
    assert game.number == 2


def test_a_blast_takes_a_stamp_and_no_score_and_the_game_goes_on() -> None:
    game = ServerGame(ROW)
    answer = game.open(3, 7)
    assert (answer.result, answer.stamp, answer.blasts, answer.cells.tolist()) == (Answer.BLAST, 1, 1, [3])
    assert (game.score[7], game.blasts[7], game.over) == (0, 1, False)


def test_anybody_may_take_a_flag_away_and_its_owner_is_kept_until_then() -> None:
    game = ServerGame(ROW, ALL_RULES)
    answer = game.flag(3, 4)
    assert (answer.result, answer.stamp, answer.flagged.tolist()) == (Answer.FLAG_SET, 1, [3])
    assert game.flags[0, 3] == 4
    assert game.open(3, 4).result is Answer.FLAGGED
    answer = game.flag(3, 5)
    assert (answer.result, answer.stamp, answer.unflagged.tolist()) == (Answer.FLAG_TAKEN, 2, [3])
    assert game.open(3, 4).result is Answer.BLAST
    assert game.flag(3, 4).result is Answer.ALREADY_OPEN


def test_a_flood_opens_flagged_cells() -> None:
    game = ServerGame(ROW, ALL_RULES)
    game.flag(2, 9)
    answer = game.open(0, 1)
    assert sorted(answer.cells.tolist()) == [0, 1, 2]
    assert answer.unflagged.tolist() == [2]
    assert not game.flags.any()


def test_a_chord_on_wrong_flags_blows_and_opens_with_one_stamp() -> None:
    mines = np.array([[0, 0, 0, 1, 0], [0, 0, 0, 0, 0]], np.uint8)
    game = ServerGame(mines, ALL_RULES)
    game.open(0, 1)
    assert game.chord(2, 1).result is Answer.NO_CHORD
    game.flag(8, 2)  # the mine is cell 3
    answer = game.chord(2, 1)
    assert (answer.result, answer.stamp, answer.blasts, answer.cells.tolist()) == (Answer.BLAST, 3, 1, [3])
    assert (game.score[1], game.blasts[1], game.blasts[2]) == (6, 1, 0)
    assert game.stamp[0, 3] == 3


def test_a_mine_that_is_shown_counts_for_a_chord() -> None:
    mines = np.array([[0, 0, 0, 1, 0], [0, 0, 0, 0, 0]], np.uint8)
    game = ServerGame(mines, ALL_RULES)
    game.open(0, 1)
    game.open(3, 2)
    answer = game.chord(2, 3)
    assert (answer.result, answer.cells.tolist()) == (Answer.OPENED, [8])
    assert game.chord(2, 3).result is Answer.NO_CHORD, "nothing is left to open"


def test_numbers_of_players_have_bounds_and_need_no_announcement() -> None:
    game = ServerGame(ROW)
    for player in (0, -1, MAX_PLAYER + 1):
        with pytest.raises(ValueError, match="number of a player"):
            game.open(0, player)
    game.open(0, MAX_PLAYER)
    game.open(4, 40)
    assert (game.score[MAX_PLAYER], game.score[40], game.owner[0, 0]) == (3, 2, MAX_PLAYER)
    for broken in ([(0, 0, 0)], [(0, 1, 3)]):
        with pytest.raises(ValueError):
            game.replay(np.array(broken, MOVE))


@pytest.mark.parametrize("fault", ["shape", "owner without a stamp", "stamp above the last", "flag on an open cell"])
def test_a_state_that_contradicts_itself_is_refused(fault: str) -> None:
    game = ServerGame(ROW, ALL_RULES)
    game.open(0, 1)
    state = game.state()
    if fault == "shape":
        state = State(1, *(array.reshape(2, 3) for array in state[1:]))  # type: ignore[arg-type]
    elif fault == "owner without a stamp":
        state.stamp[0, 0] = 0
    elif fault == "stamp above the last":
        state = state._replace(number=0)
    else:
        state.flags[0, 0] = 1
    with pytest.raises(ValueError):
        ServerGame.restore(ROW, state, ALL_RULES)


def test_a_state_is_a_copy() -> None:
    game = ServerGame(np.array([[0], [1], [0]], np.uint8))
    state = game.state()
    game.open(0, 1)
    assert not state.owner.any()
    assert state.owner.flags.c_contiguous
