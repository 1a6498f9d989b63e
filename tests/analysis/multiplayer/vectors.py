"""Cases for clients of open rooms, in Python and in the browser: what happens to a client, and what it must show.

:func:`cases` gives values that can be written as JSON.  The expected ones follow from the definitions
(``tests.naive_rooms``), not from ``ClientGame``.  A case is an object:

``name``, ``laying`` (rows, columns, area, area_mines, modulus, start_number), ``player`` (who plays here, 0 who only
watches), ``numbers`` (by cell, 9 for mines; only for boards of up to 64 cells, else absent), ``events`` and ``expected``.

Cells are row * columns + column.  An event is an object with ``do``:

``receive``  a broadcast: ``stamp``, ``cell``, ``player``; ``repainted``: how many cells change from one player to
             another by it
``join``     the history: ``moves``, each [stamp, cell, player], in any order
``click``    an own click on ``cell``; ``own``: its own number, from 1 on, or 0 if the cell is open and nothing is sent
``refused``  the server refused the own click ``own``; ``closed``: how many cells are closed again

``expected`` is the end: ``open`` (0 or 1), ``owner`` (0 for none) and ``stamp`` (0 for none), each by cell.
"""

from __future__ import annotations

import random
from dataclasses import asdict
from functools import cache
from typing import Any, Final

from analysis.multiplayer.laying import Laying
from analysis.multiplayer.server_game import ServerGame
from tests.analysis.multiplayer.golden import DEFAULT, GOLDEN, TINY, TINY_REPAIR, cell_of, mines_of
from tests.naive_rooms import NaiveBoard

Event = dict[str, Any]
Move = tuple[int, int, int]

_SMALL: Final = 64
_MIDDLE: Final = Laying(rows=20, columns=20, area=8, area_mines=9, start_number=7)


@cache
def board_of(laying: Laying) -> NaiveBoard:
    return NaiveBoard(mines_of(laying))


def receive(move: Move) -> Event:
    stamp, cell, player = move
    return {"do": "receive", "stamp": stamp, "cell": cell, "player": player}


def case(name: str, laying: Laying, events: list[Event], player: int = 0) -> dict[str, Any]:
    """A case; the numbers that its events and its end must show are worked out here."""
    board = board_of(laying)
    known: list[Move] = []  # accepted moves that the client has heard of
    waiting: dict[int, int] = {}  # own clicks without an answer
    own = 0

    def shown() -> set[int]:
        return board.owners(known).keys() | set().union(*map(board.cover, waiting.values()))

    for event in events:
        owners, was_shown = board.owners(known), shown()
        match event["do"]:
            case "receive":
                move = (event["stamp"], event["cell"], event["player"])
                known.append(move)
                after = board.owners(known)
                event["repainted"] = sum(owners[cell][1] != after[cell][1] for cell in owners)
                if event["player"] == player:
                    waiting = {key: cell for key, cell in waiting.items() if cell != event["cell"]}
            case "join":
                known += [tuple(move) for move in event["moves"]]
            case "click":
                event["own"] = 0
                if event["cell"] not in was_shown:
                    own += 1
                    event["own"] = own
                    waiting[own] = event["cell"]
            case "refused":
                waiting.pop(event["own"], None)
                event["closed"] = len(was_shown - shown())
    owners, open_cells = board.owners(known), shown()
    value: dict[str, Any] = {
        "name": name,
        "laying": asdict(laying),
        "player": player,
        "events": events,
        "expected": {
            "open": [int(cell in open_cells) for cell in board.cells],
            "owner": [owners.get(cell, (0, 0))[1] for cell in board.cells],
            "stamp": [owners.get(cell, (0, 0))[0] for cell in board.cells],
        },
    }
    if laying.rows * laying.columns <= _SMALL:
        value["numbers"] = board.number
    return value


def moves_of_a_game(laying: Laying, seed: int, clicks: int, players: int = 5) -> list[Move]:
    """The accepted moves of a game of random clicks; half of them on numbers beside openings, whose covers overlap."""
    rng = random.Random(seed)
    game, board = ServerGame(mines_of(laying)), board_of(laying)
    borders = [cell for cell in board.cells if board.number[cell] and board.zeros_around(cell)]
    moves = []
    for _ in range(clicks):
        cell = rng.choice(borders) if rng.random() < 0.5 else rng.randrange(laying.cells)
        player = rng.randint(1, players)
        answer = game.open(cell, player)
        if answer.result.accepted:
            moves.append((answer.stamp, cell, player))
    return moves


def _repair() -> list[dict[str, Any]]:
    """Two messages in both orders, on the default and on a tiny board."""
    default = [(m["time"], cell_of(DEFAULT, m["cell"]), m["player"]) for m in GOLDEN["repair"]["messages"]]
    tiny = [(t, cell_of(TINY_REPAIR, place), player) for t, place, player in GOLDEN["repair_tiny"]["messages"]]
    return [
        case(f"{name}, {order}", laying, [receive(move) for move in moves])
        for name, laying, in_order in (("repair", DEFAULT, default), ("tiny repair", TINY_REPAIR, tiny))
        for order, moves in (("in order", in_order), ("reversed", in_order[::-1]))
    ]


def _divergence() -> list[dict[str, Any]]:
    """An own click that the server refuses, before and after the move that is the reason arrives."""
    first = (1, cell_of(DEFAULT, [0, 70]), 1)
    click = {"do": "click", "cell": cell_of(DEFAULT, [3, 69])}
    refused = {"do": "refused", "own": 1}
    return [
        case("divergence, not yet answered", DEFAULT, [dict(click), receive(first)], player=2),
        case("divergence, the move comes first", DEFAULT, [dict(click), receive(first), dict(refused)], player=2),
        case("divergence, the refusal comes first", DEFAULT, [dict(click), dict(refused), receive(first)], player=2),
    ]


def _own_clicks() -> list[dict[str, Any]]:
    """On the tiny board: (0, 4) and (1, 3) open (0, 3) and more; (1, 1) is alone; (0, 1) is a mine."""
    zero, number, alone, mine = (cell_of(TINY, place) for place in ([0, 4], [1, 3], [1, 1], [0, 1]))

    def click(cell: int) -> Event:
        return {"do": "click", "cell": cell}

    return [
        case("own click, accepted", TINY, [click(zero), receive((1, zero, 2))], player=2),
        case("own click on an open cell", TINY, [receive((1, zero, 1)), click(number)], player=2),
        case("own mine", TINY, [click(mine), receive((1, mine, 2))], player=2),
        case("own click, refused", TINY, [click(zero), {"do": "refused", "own": 1}], player=2),
        case("refused twice", TINY, [click(alone), {"do": "refused", "own": 1}, {"do": "refused", "own": 1}], player=2),
        case("refused without a click", TINY, [receive((1, zero, 1)), {"do": "refused", "own": 3}], player=2),
        case(
            "refused after it was accepted", TINY, [click(zero), receive((1, zero, 2)), {"do": "refused", "own": 1}], 2
        ),
        case(
            "two own clicks, the second refused",
            TINY,
            [click(zero), click(alone), receive((1, zero, 2)), {"do": "refused", "own": 2}],
            player=2,
        ),
        case(
            "own click accepted after an earlier one of another",
            TINY,
            [click(alone), click(zero), receive((3, zero, 2)), receive((2, number, 1)), receive((4, alone, 2))],
            player=2,
        ),
        case("another's click on the cell of one's own", TINY, [click(zero), receive((1, zero, 1))], player=2),
        case(
            "another's click on the cell of one's own, then the refusal",
            TINY,
            [click(zero), receive((1, zero, 1)), {"do": "refused", "own": 1}],
            player=2,
        ),
    ]


def _orders(laying: Laying, name: str, seed: int, clicks: int, orders: int) -> list[dict[str, Any]]:
    """Moves of one game in several orders, some of them twice, in part as history."""
    rng = random.Random(seed)
    moves = moves_of_a_game(laying, seed, clicks)
    found = [case(f"{name}, as sent", laying, [receive(move) for move in moves])]
    for number in range(orders):
        shuffled = rng.sample(moves, len(moves)) + rng.sample(moves, len(moves) // 3)
        found.append(case(f"{name}, order {number}", laying, [receive(move) for move in shuffled]))
        cut, overtaking = rng.randrange(len(moves) + 1), rng.randrange(3)
        late = rng.sample(moves[cut:], len(moves) - cut)
        history: Event = {"do": "join", "moves": [[*move] for move in rng.sample(moves[:cut], cut)]}
        events = [*map(receive, late[:overtaking]), history, *map(receive, late[overtaking:])]
        found.append(case(f"{name}, {number}: joined after {cut}, overtaken by {overtaking}", laying, events))
    return found


def cases() -> list[dict[str, Any]]:
    """All cases, the same at each call."""
    return [
        *_repair(),
        *_divergence(),
        *_own_clicks(),
        *_orders(TINY, "tiny", seed=1, clicks=30, orders=3),
        *_orders(_MIDDLE, "middle", seed=2, clicks=100, orders=10),
        *_orders(DEFAULT, "default", seed=3, clicks=60, orders=1),
    ]
