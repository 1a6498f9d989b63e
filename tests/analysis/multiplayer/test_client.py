"""The client's side: golden repairs, the common vectors, any order of messages, own clicks that are refused."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.multiplayer.laying import Laying, lay, numbers_of
from analysis.multiplayer.server_game import MoveKind, ServerGame
from tests.analysis.multiplayer.golden import DEFAULT, GOLDEN, TINY_REPAIR, cell_of, mines_of, numbers_on
from tests.analysis.multiplayer.naive_client import INFINITY, ClientGame, Message
from tests.analysis.multiplayer.test_server_game import Room, rooms
from tests.analysis.multiplayer.vectors import cases, moves_of_a_game
from tests.effort import examples, seeds
from tests.naive_rooms import NaiveBoard


@pytest.fixture(scope="module")
def vectors() -> list[dict[str, Any]]:
    return cases()


def picture(client: ClientGame) -> dict[str, list[int]]:
    stamps = [0 if stamp == INFINITY else stamp for stamp in client.stamp]
    return {"open": [int(shown) for shown in client.is_open], "owner": [*client.owner], "stamp": stamps}


def server_picture(game: ServerGame) -> dict[str, list[int]]:
    owner, stamp = game.owner.ravel().tolist(), game.stamp.ravel().tolist()
    return {"open": [int(number > 0) for number in stamp], "owner": owner, "stamp": stamp}


# --- golden values ----------------------------------------------------------------------------------------------------


def test_the_repair_on_the_default_board() -> None:
    golden = GOLDEN["repair"]
    moves = [(m["time"], cell_of(DEFAULT, m["cell"]), m["player"]) for m in golden["messages"]]
    pictures = []
    for order, messages in (("in_order", moves), ("reversed", moves[::-1])):
        client = ClientGame(numbers_on(DEFAULT))
        painted = [client.receive(*message) for message in messages]
        assert [len(one.repainted) for one in painted] == golden[order]["recoloured"]
        assert client.scores() == {int(player): count for player, count in golden["owned"].items()}
        pictures.append(picture(client))
    assert sorted(painted[1].repainted) == [cell_of(DEFAULT, place) for place in golden["shared_cells"]]
    assert pictures[0] == pictures[1]
    assert [len(NaiveBoard(mines_of(DEFAULT)).cover(cell)) for _, cell, _ in moves] == [
        m["opens"] for m in golden["messages"]
    ]


def test_the_repair_on_the_tiny_board() -> None:
    golden = GOLDEN["repair_tiny"]
    moves = [(stamp, cell_of(TINY_REPAIR, place), player) for stamp, place, player in golden["messages"]]
    for order, messages in (("in_order", moves), ("reversed", moves[::-1])):
        client = ClientGame(numbers_on(TINY_REPAIR))
        painted = [client.receive(*message) for message in messages]
        assert [len(one.repainted) for one in painted] == golden[f"recoloured_{order}"]
        assert np.reshape(client.owner, (4, 8)).tolist() == golden["owner_final"]
    assert sorted(painted[1].repainted) == [cell_of(TINY_REPAIR, place) for place in golden["shared"]]


def test_the_divergence_ends_equal_after_the_undo() -> None:
    """The reference leaves 7 cells open that nobody opened, and its client cannot click them any more."""
    golden = GOLDEN["divergence"]
    first, click = cell_of(DEFAULT, [0, 70]), cell_of(DEFAULT, [3, 69])
    server, client = ServerGame(mines_of(DEFAULT)), ClientGame(numbers_on(DEFAULT), player=2)
    stamp = server.open(first, 1).stamp
    own = client.click(click)
    assert server.open(click, 2).result.name == {"open": "ALREADY_OPEN"}[golden["server_answer"]]
    client.receive(stamp, first, 1)
    assert sum(client.is_open) == golden["cells_shown_locally_to_player_2"]
    closed = client.refused(own)
    assert len(closed) == golden["of_them_closed_on_the_server"]
    assert picture(client) == server_picture(server)
    assert client.click(closed[0]) > 0


def test_the_fixed_game_in_any_order() -> None:
    """GOLDEN["checked"]: the messages in random order give the owners of the server."""
    moves = moves_of_a_game(DEFAULT, seed=12345, clicks=1000)
    server = ServerGame(mines_of(DEFAULT))
    for _, cell, player in moves:
        server.open(cell, player)
    for seed in range(5):
        client = ClientGame(numbers_on(DEFAULT))
        for move in random.Random(seed).sample(moves, len(moves)):
            client.receive(*move)
        assert picture(client) == server_picture(server)
        assert client.scores() == {p: int(server.score[p]) for p in range(1, 6)}


# --- the vectors that the browser has to pass too ---------------------------------------------------------------------


def test_vectors_can_be_written_as_json_and_are_the_same_each_time(vectors: list[dict[str, Any]]) -> None:
    assert json.loads(json.dumps(vectors)) == vectors == cases()
    assert len({one["name"] for one in vectors}) == len(vectors)


def test_vectors_repaint_and_undo(vectors: list[dict[str, Any]]) -> None:
    """They would show little if nothing in them had to be repaired."""
    events = [event for one in vectors for event in one["events"]]
    assert sum(event.get("repainted", 0) > 0 for event in events) >= 20
    assert {event.get("closed") for event in events} >= {0, 7}


def test_every_vector(vectors: list[dict[str, Any]]) -> None:
    for one in vectors:
        assert client_after(one) == one["expected"], one["name"]


def client_after(one: dict[str, Any]) -> dict[str, list[int]]:
    """Return the picture of a client that got the events of a vector."""
    numbers = numbers_of(lay(Laying(**one["laying"])))
    if "numbers" in one:
        assert numbers.ravel().tolist() == one["numbers"], one["name"]
    client = ClientGame(numbers, one["player"])
    for event in one["events"]:
        match event["do"]:
            case "receive":
                painted = client.receive(event["stamp"], event["cell"], event["player"])
                assert len(painted.repainted) == event["repainted"], one["name"]
            case "join":
                client.join(Message(*move) for move in event["moves"])
            case "click":
                assert client.click(event["cell"]) == event["own"], one["name"]
            case "refused":
                assert len(client.refused(event["own"])) == event["closed"], one["name"]
            case unknown:
                raise AssertionError(unknown)
    return picture(client)


# --- any game, any order ----------------------------------------------------------------------------------------------

click_rooms = rooms((MoveKind.OPEN,))


def played(room: Room) -> tuple[ServerGame, list[Message]]:
    server, messages = ServerGame(room.mines), []
    for cell, player, _ in room.moves:
        answer = server.open(cell, player)
        if answer.result.accepted:
            messages.append(Message(answer.stamp, cell, player))
    return server, messages


@given(click_rooms, st.randoms(use_true_random=False))
@settings(max_examples=examples(1000), deadline=None)
def test_any_order_and_repetition_ends_in_the_picture_of_the_server(room: Room, rng: random.Random) -> None:
    server, messages = played(room)
    sent = messages + rng.choices(messages, k=len(messages)) if messages else []
    rng.shuffle(sent)
    client = ClientGame(server.numbers)
    for message in sent:
        client.receive(*message)
    assert picture(client) == server_picture(server)
    for message in sent:
        painted = client.receive(*message)
        assert painted == ([], [], []), "what is known already changes nothing"


@given(click_rooms, st.randoms(use_true_random=False), st.integers(0, 40), st.integers(0, 3))
@settings(max_examples=examples(500), deadline=None)
def test_a_history_gives_the_same_picture_as_broadcasts(
    room: Room, rng: random.Random, cut: int, overtaking: int
) -> None:
    """Also when broadcasts overtake it, which the reference never repairs."""
    server, messages = played(room)
    history, late = messages[:cut], messages[cut:]
    rng.shuffle(late)
    client = ClientGame(server.numbers)
    for message in late[:overtaking]:
        client.receive(*message)
    client.join(rng.sample(history, len(history)))
    for message in late[overtaking:]:
        client.receive(*message)
    assert picture(client) == server_picture(server)
    for message in messages:
        assert client.click(message.cell) == 0, "clicked cells of the history are open"


@given(click_rooms)
@settings(max_examples=examples(300), deadline=None)
def test_messages_in_order_repaint_nothing(room: Room) -> None:
    server, messages = played(room)
    client = ClientGame(server.numbers)
    for message in messages:
        painted = client.receive(*message)
        assert painted.repainted == []
        assert painted.opened == painted.coloured


@pytest.mark.parametrize("seed", seeds(1, 2, 3))
def test_clients_that_click_at_once_end_in_the_picture_of_the_server(seed: int) -> None:
    """Each client's messages keep their order on the way up; what comes down is delayed at random, never lost."""
    rng = random.Random(seed)
    refusals = 0
    for _ in range(100):
        laying = Laying(8, 9, area=4, area_mines=2, start_number=rng.randint(1, 10**6))
        server = ServerGame(lay(laying))
        clients = {player: ClientGame(server.numbers, player) for player in (1, 2, 3)}
        up: list[tuple[int, int, int]] = []  # player, own, cell
        down: list[tuple[int, tuple[str, tuple[int, ...]]]] = []  # to whom, what
        for _ in range(120):
            action = rng.random()
            if action < 0.3:
                player, cell = rng.choice((1, 2, 3)), rng.randrange(laying.cells)
                own = clients[player].click(cell)
                if own:
                    up.append((player, own, cell))
            elif action < 0.6 and up:
                refusals += _decide(server, up.pop(0), down)
            elif down:
                _deliver(clients, down.pop(rng.randrange(len(down))))
        while up:
            refusals += _decide(server, up.pop(0), down)
        rng.shuffle(down)
        for message in down:
            _deliver(clients, message)
        for client in clients.values():
            assert picture(client) == server_picture(server)
    assert refusals > 100


def _decide(
    server: ServerGame, click: tuple[int, int, int], down: list[tuple[int, tuple[str, tuple[int, ...]]]]
) -> int:
    """1 if the click is refused."""
    player, own, cell = click
    answer = server.open(cell, player)
    if answer.result.accepted:
        down += [(to, ("receive", (answer.stamp, cell, player))) for to in (1, 2, 3)]
        return 0
    down.append((player, ("refused", (own,))))
    return 1


def _deliver(clients: dict[int, ClientGame], message: tuple[int, tuple[str, tuple[int, ...]]]) -> None:
    to, (what, values) = message
    getattr(clients[to], what)(*values)
