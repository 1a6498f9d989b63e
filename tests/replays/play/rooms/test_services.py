"""Making rooms, what owners do, tickets, the lobby, watching again, the sweep."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import redis
from django.test import Client
from django.utils import timezone
from pytest_django import Settings
from pytest_django.fixtures import DjangoAssertNumQueries

from analysis.multiplayer.laying import lay
from players.models import Decision, User
from players.web.problems import Refused
from players.web.rate_limits import reset
from replays.play.models import Room, RoomBoard, RoomLog, RoomPlayer
from replays.play.referee import bus
from replays.play.referee.bus import Command, Entry
from replays.play.referee.log import pack_log, unpack_log
from replays.play.rooms.forms import RoomForm
from replays.play.rooms.services import ROOM_KEEP_DAYS, room_command, room_target, sweep_rooms
from replays.play.sockets.visitors import Visitor, guest_of
from tests.cases import check_each_on_site
from tests.replays.play.referee.conftest import a_room
from tests.replays.play.referee.conftest import valkey as valkey

pytestmark = pytest.mark.django_db
GUEST = guest_of("00000000000000aa")


def form(**values: Any) -> RoomForm:
    return RoomForm({"name": "Room", "guests": "on", "listed": "on"} | values)


def test_defaults_are_those_of_the_paper() -> None:
    found = form()
    assert found.is_valid(), found.errors
    made = found.save(commit=False)
    assert (made.rows, made.columns, made.area, made.area_mines, made.modulus) == (75, 75, 16, 48, 33_554_393)
    assert (made.next_board, made.start_number) == ("at-once", None)


def test_new_rooms_are_sealed_and_an_open_one_says_what_it_is(valkey: Any) -> None:
    fresh = {name: field.initial for name, field in RoomForm().fields.items()}
    assert (fresh["sealed"], fresh["flags"], fresh["chords"]) == (True, True, True)
    asked = [{}, {"sealed": False}, {"sealed": True, "flags": False}]
    made = [
        Client().post("/api/v1/play/rooms/", {"name": "One", **one}, content_type="application/json").json()
        for one in asked
    ]
    assert [(one["sealed"], one["flags"], one["chords"]) for one in made] == [
        (True, True, True), (False, False, False), (True, False, True),
    ]  # fmt: skip
    warning = "every browser knows where the mines are"
    pages = [Client().get(f"/play/rooms/{one['slug']}/").content.decode() for one in made]
    assert [warning in page for page in pages] == [False, True, False]
    assert warning in Client().get("/play/rooms/").content.decode()


def test_settings_that_make_no_room_are_refused() -> None:
    def is_refused(values: dict[str, Any]) -> None:
        assert not form(**values).is_valid()

    cases = [
        {"name": "  "},
        {"name": "x" * 41},
        {"rows": 501, "columns": 500},
        {"rows": 0},
        {"rows": -1},
        {"rows": "many"},
        {"area_mines": 256},
        {"modulus": 10},
        {"modulus": 2**60},
        {"start_number": 33_554_393},
        {"start_number": 0},
        {"flags": "on"},
        {"next_board": "never"},
        {"rows": 16, "columns": 16, "modulus": 258},
    ]
    check_each_on_site(is_refused, cases)


def test_rooms_of_one_visitor_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.play.rooms.services.ROOMS_PER_GUEST", 1)
    client = Client()
    answers = [
        client.post("/api/v1/play/rooms/", {"name": "One"}, content_type="application/json") for _room in range(2)
    ]
    assert [answer.status_code for answer in answers] == [201, 409]
    assert answers[1].json()["code"] == "too_many_rooms"


def test_rooms_of_one_address_are_limited(settings: Settings) -> None:
    reset()
    statuses = [
        Client().post("/api/v1/play/rooms/", {"name": "One"}, content_type="application/json").status_code
        for _room in range(31)
    ]
    assert statuses == [201] * 30 + [429]


def test_without_the_server_between_rooms_say_so(settings: Settings) -> None:
    settings.PLAY_BUS_URL = ""
    answer = Client().post("/api/v1/play/rooms/", {"name": "One"}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (503, "rooms_unavailable")
    assert Client().get("/play/rooms/").status_code == 200
    with pytest.raises(Refused):
        room_target({"room": a_room().slug}, GUEST)


def test_only_the_owner_commands(valkey: redis.Redis, owner: User, other_player: User, staff: User) -> None:
    room = a_room(owner=owner)
    mine, other = (Visitor(user.pk, "", user.username) for user in (owner, other_player))
    for stranger in (other, GUEST):
        with pytest.raises(Refused):
            room_command(room, stranger, Command.CLOSE)
    room_command(room, mine, Command.RESTART)
    room_command(room, other, Command.CLOSE, moderator=staff)
    decision = Decision.objects.get()
    assert (decision.action, decision.about_number, decision.after) == ("closed", owner.pk, "closed")
    entries: Any = valkey.xrange(bus.stream_key(0))
    assert [bus.unpack(fields[bus.FIELD])[:4] for _name, fields in entries] == [
        [Entry.COMMAND, room.pk, "", Command.RESTART],
        [Entry.COMMAND, room.pk, "", Command.CLOSE],
    ]
    with pytest.raises(Refused):
        room_command(room, mine, Command.KICK, 7)


def test_a_room_without_owner_belongs_to_nobody() -> None:
    with pytest.raises(Refused):
        room_command(a_room(), Visitor(None, "", "nobody"), Command.CLOSE)


def test_tickets() -> None:
    room = a_room(guests=False)
    assert room_target({"room": room.slug}, GUEST) == {"room": room.pk, "play": False}
    assert room_target({"room": room.slug}, Visitor(1, "", "Ann"))["play"]
    RoomPlayer.objects.create(room=room, key=GUEST.key, name="Guest", number=1, kicked=True)
    for slug in (room.slug, "nowhere", ""):
        with pytest.raises(Refused):
            room_target({"room": slug}, GUEST)
    closed = a_room(state=Room.State.CLOSED)
    with pytest.raises(Refused) as refused:
        room_target({"room": closed.slug}, GUEST)
    assert refused.value.code == "room_closed"


def ended_board(room: Room) -> RoomBoard:
    board = RoomBoard.objects.create(
        room=room, epoch=1, start_number=1_437_341, started_at=timezone.now(), ended_at=timezone.now(),
        end=RoomBoard.End.FINISHED, number=4,
        scores=[{"player": 1, "name": "Ann", "user": None, "hue": 1, "shade": 2, "score": 4, "blasts": 0}],
    )  # fmt: skip
    for first in (1, 3):
        moves = [(first, 1, 0, 10 * first), (first + 1, 1, 0, 10 * first + 5)]
        RoomLog.objects.create(board=board, first=first, last=first + 1, moves=pack_log(moves))
    return board


def test_a_board_that_has_ended_can_be_watched() -> None:
    room = a_room()
    ended_board(room)
    assert Client().get(f"/play/rooms/{room.slug}/watch/1/").status_code == 200
    board = Client().get(f"/api/v1/play/rooms/{room.slug}/boards/1/").json()
    assert board["moves"] == [[1, 0, 1, 10], [1, 0, 2, 15], [1, 0, 3, 30], [1, 0, 4, 35]]
    assert board["laying"]["start_number"] == 1_437_341
    assert board["players"][0]["name"] == "Ann"


def test_finished_boards_of_listed_rooms_are_in_the_lobby() -> None:
    """With the best player, but where all have one score; boards that were given up and hidden rooms are left out."""
    rooms = [
        a_room(name="First"),
        a_room(name="Second", coop=True),
        a_room(name="Left"),
        a_room(name="Hidden", listed=False),
    ]
    for number, room in enumerate(rooms):
        board = ended_board(room)
        board.ended_at = timezone.now() + timedelta(minutes=number)
        board.end = RoomBoard.End.LEFT if room.name == "Left" else RoomBoard.End.FINISHED
        board.elapsed_ms = 3_683_000
        board.save()
    rows = Client().get("/api/v1/play/boards/").json()["rows"]
    assert [(row["name"], row["slug"], row["winner"] and row["winner"]["name"]) for row in rows] == [
        ("Second", rooms[1].slug, None), ("First", rooms[0].slug, "Ann"),
    ]  # fmt: skip
    source = Client().get("/play/rooms/").content.decode()
    finished = source[source.index('id="finished-title"') :]
    assert [f"/play/rooms/{room.slug}/watch/1/" in finished for room in rooms] == [True, True, False, False]
    assert "1:01:23" in finished


def test_how_far_the_boards_of_the_lobby_are() -> None:
    """Open safe cells of the running board: scores of those who have a colour on it."""
    room, fresh = a_room(name="Begun"), a_room(name="Fresh")
    for number, hue, score in ((1, 5, 700), (2, 6, 30), (3, None, 9)):
        RoomPlayer.objects.create(room=room, key=f"guest-{number}", name="Ann", number=number, hue=hue, score=score)
    mines = int(lay(room.laying(1_437_341)).sum())
    expected = {room.slug: (730, 75 * 75 - mines), fresh.slug: (0, 75 * 75 - mines)}
    listed = Client().get("/api/v1/play/rooms/").json()["rows"]
    assert {row["slug"]: (row["open_cells"], row["safe_cells"]) for row in listed} == expected
    for slug, (done, of) in expected.items():
        one = Client().get(f"/api/v1/play/rooms/{slug}/").json()
        assert (one["open_cells"], one["safe_cells"]) == (done, of)
        assert f'<progress max="{of}" value="{done}"' in Client().get("/play/rooms/").content.decode()


def test_the_sweep_closes_deletes_and_joins() -> None:
    long_ago = timezone.now() - timedelta(days=ROOM_KEEP_DAYS + 1)
    empty, played, used = a_room(), a_room(), a_room()
    RoomPlayer.objects.create(room=played, key="guest-a", name="Ann", number=1)
    Room.objects.filter(pk__in=[empty.pk, played.pk]).update(used_at=long_ago)
    board = ended_board(used)
    assert sweep_rooms() == 2
    assert {room.pk: room.state for room in Room.objects.all()} == {played.pk: "closed", used.pk: "open"}
    log = RoomLog.objects.get(board=board)
    assert (log.first, log.last, unpack_log(log.moves)["cell"].tolist()) == (1, 4, [1, 2, 3, 4])


@pytest.mark.parametrize(
    "path", ["/api/v1/play/rooms/", "/api/v1/play/rooms/{}/", "/api/v1/play/rooms/{}/boards/", "/api/v1/play/boards/", "/play/rooms/", "/play/rooms/{}/"]
)  # fmt: skip
def test_queries_do_not_grow(path: str, django_assert_max_num_queries: DjangoAssertNumQueries) -> None:
    for _room in range(5):
        room = a_room()
        ended_board(room)
        for number in range(1, 4):
            RoomPlayer.objects.create(room=room, key=f"guest-{number}", name="Ann", number=number, hue=1, shade=1)
    with django_assert_max_num_queries(5):
        assert Client().get(path.format(room.slug)).status_code == 200
