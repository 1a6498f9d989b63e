"""Events by the real server: what comes, who hears it, what was missed, and how many may listen."""

from __future__ import annotations

import asyncio
import gc
import http.client
import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.db import transaction
from django.test import Client

from players.db.changes import Place, place_now
from players.leaderboards.records.selectors import RecordRow
from players.models import Player, User
from players.web import counters
from players.web.event_stream import EventStream
from replays.browse.changes import events
from replays.browse.changes.api import EVENTS_LIMIT
from replays.models import Replay
from tests.e2e.site import Site, running_site
from tests.factories import rank_replays, stored_replay, unrank_replays
from tests.services import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(events, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(events, "HUB", events.Hub())
    monkeypatch.setattr("replays.browse.changes.api.HUB", events.HUB)
    with running_site() as running:
        yield running
        wait_until(lambda: not events.HUB.listeners, what="the listeners to be forgotten")
    events._READS.submit(int).result(timeout=60)  # the last read has closed its connection


class Stream:
    """A listener's connection."""

    def __init__(self, site: Site, query: str = "", **headers: str) -> None:
        self.connection = http.client.HTTPConnection("localhost", site.port, timeout=20)
        self.connection.request("GET", f"/api/v1/events/{query}", headers=headers)
        self.response = self.connection.getresponse()

    def messages(self) -> Iterator[dict[str, str]]:
        """The fields of each message until the stream ends; comments are passed over."""
        fields: dict[str, str] = {}
        for line in iter(self.response.readline, b""):
            name, separator, value = line.decode().rstrip("\n").partition(": ")
            if name and separator:
                fields[name] = value
            elif fields:
                yield fields
                fields = {}

    def event(self) -> dict[str, str]:
        """The fields of the next message that is more than a place."""
        return next(fields for fields in self.messages() if set(fields) != {"id"})


@contextmanager
def listening(site: Site, query: str = "", **headers: str) -> Iterator[Stream]:
    stream = Stream(site, query, **headers)
    try:
        yield stream
    finally:
        stream.response.close()
        stream.connection.close()


def ranked_game(player: Player, **options: Any) -> Replay:
    replay = stored_replay(player, **options)
    rank_replays([replay])
    return replay


def test_a_record_is_heard_at_once_and_again_after_a_break(site: Site) -> None:
    player = Player.objects.create(name="Ann")
    with listening(site, "?kinds=record") as stream:
        assert stream.response.status == 200
        assert stream.response.getheader("Content-Type") == "text/event-stream"
        begin = stream.event()
        assert set(begin) == {"retry", "id"}
        replay = ranked_game(player)
        first = stream.event()
        assert first["event"] == "record"
        assert json.loads(first["data"])["replay"]["id"] == replay.pk
        second = stream.event()
    better = ranked_game(player, time_ms=50_000)
    missed: list[dict[str, str]] = []
    with listening(site, "?kinds=record", **{"Last-Event-ID": second["id"]}) as stream:
        assert stream.event()["id"] == second["id"]
        while not missed or json.loads(missed[-1]["data"])["replay"]["id"] != better.pk:
            missed.append(stream.event())
    places = [first["id"], second["id"], *(one["id"] for one in missed)]
    numbers = [int(place.split(".")[2]) for place in places]
    assert numbers == sorted(set(numbers)), "each once, in order"


def test_a_program_hears_a_record_after_many_changes_it_does_not_hear(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A stream that ends with nothing heard has told how far it came, or each new one would end at the same place."""
    player = Player.objects.create(name="Ann")
    with listening(site, "?kinds=record") as stream:
        place = stream.event()["id"]
    for _ in range(6):
        stored_replay(player)
    replay = ranked_game(player)
    monkeypatch.setattr(events, "_MISSED_PAGES", 1)
    monkeypatch.setattr(events, "_PAGE", 2)
    for connections in range(20):
        with listening(site, "?kinds=record", **{"Last-Event-ID": place}) as stream:
            for message in stream.messages():
                place = message["id"]
                if message.get("event") == "record":
                    assert json.loads(message["data"])["replay"]["id"] == replay.pk
                    assert connections > 2, "it was heard at once"
                    return
    pytest.fail("The record is not heard.")


def test_a_silent_stream_tells_how_far_it_came(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "ALIVE_SECONDS", 0.01)
    hub, listener = events.Hub(), events.Listener(frozenset(["record"]), "1.2.3.4")
    alive = b": still here\n\n"

    async def read() -> list[bytes]:
        stream = hub._live(listener, (7, 0))
        read = [await anext(stream)]
        for position in (6, 8):
            hub._place = Place(1, position, 0)
            read.append(await anext(stream))
        return [*read, await anext(stream)]

    assert asyncio.run(read()) == [alive, alive, b"id: 1.8.0\n\n", alive], "forward only, and once"


@pytest.mark.parametrize(("kind", "heard"), [("record", "site"), ("best", "personal"), ("upload", "own")])
def test_only_what_is_heard_is_worked_on(owner: User, monkeypatch: pytest.MonkeyPatch, kind: str, heard: str) -> None:
    """A page of records takes a tenth of a second, whatever the listener then hears of them."""
    place = place_now()
    player = Player.objects.create(name="Ann")
    rank_replays([stored_replay(player)])
    for uploader in (owner, User.objects.create_user("stranger")):
        stored_replay(player, status=Replay.Status.QUEUED, uploader=uploader)
    Replay.objects.filter(status=Replay.Status.QUEUED).update(status=Replay.Status.REJECTED)
    worked_on: set[str] = set()

    def note_record(record: RecordRow) -> SimpleNamespace:
        worked_on.add(record.kind)
        return SimpleNamespace(data={})

    def note_upload(replay: Replay) -> SimpleNamespace:
        worked_on.add("own" if replay.uploader == owner else "foreign")
        return SimpleNamespace(data={})

    monkeypatch.setattr(events, "RecordSerializer", note_record)
    monkeypatch.setattr(events, "StatusSerializer", note_upload)
    more = True
    while more:
        _, place, more = events._read(place, events.Listener(frozenset([kind]), "1.2.3.4", owner.pk))
    assert worked_on == {heard}


def test_addresses_take_turns_at_what_they_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    hub, reads = events.Hub(), list[tuple[str, float]]()
    place, seconds = Place(1, 1, 1), 0.02

    async def read(_function: object, _place: object, listener: events.Listener) -> None:
        reads.append((listener.address, time.monotonic()))
        await asyncio.sleep(seconds)

    async def all_read() -> None:
        listeners = [events.Listener(frozenset(["best"]), address) for address in ("many", "many", "many", "one")]
        await asyncio.gather(*(hub._read_missed(place, listener) for listener in listeners))

    monkeypatch.setattr(events, "_in_thread", read)
    asyncio.run(all_read())
    assert [address for address, _ in reads] == ["many", "one", "many", "many"]
    begun = [moment for _, moment in reads]
    assert all(later - earlier > 1.8 * seconds for earlier, later in pairwise(begun)), "it rests as long as it read"
    assert not hub._turns


def test_own_uploads_are_heard_by_their_account_alone(site: Site, owner: User, owner_client: Client) -> None:
    player = Player.objects.create(name="Ann")
    cookie = f"sessionid={owner_client.cookies['sessionid'].value}"
    with listening(site, "?kinds=upload,record", Cookie=cookie) as own, listening(site, "?kinds=record,best") as other:
        own.event()
        other.event()
        stored = stored_replay(player, status=Replay.Status.QUEUED, uploader=owner)
        foreign = stored_replay(player, status=Replay.Status.QUEUED)
        Replay.objects.filter(pk=foreign.pk).update(status=Replay.Status.REJECTED)
        Replay.objects.filter(pk=stored.pk).update(status=Replay.Status.REJECTED, reject_code="empty")
        heard = own.event()
        assert heard["event"] == "upload"
        assert json.loads(heard["data"])["id"] == stored.pk
        rank_replays([stored_replay(player)])
        assert other.event()["event"] in ("record", "best")
    with listening(site, "?kinds=upload") as stranger:
        assert stranger.response.status == 401


def test_a_place_that_means_nothing_any_more(site: Site) -> None:
    with listening(site, **{"Last-Event-ID": "1.1.1"}) as stream:
        assert stream.response.status == 410
    with listening(site, **{"Last-Event-ID": "x"}) as stream:
        assert stream.response.status == 400
    with listening(site, Accept="text/event-stream") as stream:  # as browsers ask
        assert stream.response.status == 200
    with listening(site, Accept="text/html") as stream:
        assert stream.response.status == 406
    with listening(site, "?kinds=gossip") as stream:
        assert stream.response.status == 400


def test_one_address_has_its_share_and_leaves_no_trace(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "MOST_OF_ADDRESS", 3)
    streams = [Stream(site) for _ in range(3)]
    for stream in streams:
        stream.event()
    with listening(site) as refused:
        assert refused.response.status == 429
        assert refused.response.getheader("Retry-After")
    for stream in streams:
        stream.response.close()
        stream.connection.close()
    wait_until(lambda: not events.HUB.listeners, what="the listeners to be forgotten")
    with listening(site) as stream:
        assert stream.event()["retry"]
    assert EVENTS_LIMIT.count("127.0.0.1", EVENTS_LIMIT.amount - 5), "each of the five was counted"
    with listening(site) as refused:
        assert refused.response.status == 429


@pytest.mark.long(
    beside="tests/replays/browse/changes/test_events.py::test_a_record_is_heard_at_once_and_again_after_a_break"
)
def test_nothing_is_left_of_listeners_who_have_gone(site: Site) -> None:
    """Neither what they were given nor their requests, answers and tasks, whatever made their streams end."""
    for _ in range(3):
        with listening(site, "?kinds=best") as one, listening(site, "?kinds=record,best") as other:
            for stream in (one, other):
                stream.event()
                assert len(left_of_listeners()) >= 3
            ranked_game(Player.objects.create(name=f"{id(one)}"))
            assert one.event()["event"] == "best"
        wait_until(lambda: not left_of_listeners(), what="the end of all that belongs to listeners")


def left_of_listeners() -> list[object]:
    gc.collect()
    kinds = (events.Listener, events.Event, EventStream, WSGIRequest)
    found = [one for one in gc.get_objects() if type(one) in kinds]  # ``isinstance`` would look into what is lazy
    return [one for one in found if type(one) is not WSGIRequest or one.path == "/api/v1/events/"]


def test_a_stream_is_counted_but_not_timed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its seconds would say that the site is slow."""
    counted, timed = Counter[str](), Counter[str]()
    monkeypatch.setattr(counters, "count", lambda _name, **labels: counted.update([str(labels.get("route"))]))
    monkeypatch.setattr(counters, "observe", lambda _name, _seconds, **labels: timed.update([str(labels["route"])]))
    with listening(site) as stream:
        stream.event()
    wait_until(lambda: counted["/api/v1/events/"] == 1, what="the end of the stream")
    with listening(site, "?kinds=gossip") as refused:
        assert refused.response.status == 400
    wait_until(lambda: counted["/api/v1/events/"] == 2 and timed["/api/v1/events/"] == 1, what="the refusal")


def test_who_reads_slowly_is_let_go_and_loses_nothing() -> None:
    listener = events.Listener(frozenset(["record"]), "1.2.3.4", waiting=asyncio.Queue(2))
    for number in range(4):
        listener.take([events.Event((number, 0), "best", None, b"not heard")])  # takes no room
        listener.take([events.Event((number, 0), "record", None, b"%d" % number)])
        assert listener.lost == (number > 1)

    async def read() -> list[bytes]:
        read = []
        async for text in events.Hub()._live(listener, (0, 0)):
            read.append(text)
            listener.take([events.Event((9, 0), "record", None, b"9")])  # there is room again, but 2 and 3 are missing
        return read

    assert asyncio.run(read()) == [b"1"]  # then it ends, and the program goes on after that one


def test_all_that_waits_goes_in_one_piece() -> None:
    """One upload may make a hundred bests; sent one by one to 500 listeners, they kept pages waiting for a second."""
    hub, made = events.Hub(), [events.Event((number, 0), "best", None, b"%d" % number) for number in range(1, 4)]
    hub.listeners = {events.Listener(frozenset(["best"]), "1.2.3.4") for _ in range(2 * events._AT_ONCE + 1)}

    async def first_texts() -> set[bytes]:
        await hub._hand_out(made)
        return {await anext(hub._live(listener, (1, 0))) for listener in hub.listeners}

    assert asyncio.run(first_texts()) == {b"23"}, "all hear of it, and nobody of what was before"


def test_listeners_are_given_events_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """All at once they took the processor for as long as it lasts; pages have it after every twenty."""
    hub, pauses = events.Hub(), list[tuple[float, int]]()
    hub.listeners = {events.Listener(frozenset(["best"]), "1.2.3.4") for _ in range(events.MOST_LISTENERS)}

    async def pause(seconds: float) -> None:
        pauses.append((seconds, sum(not listener.waiting.empty() for listener in hub.listeners)))

    monkeypatch.setattr(asyncio, "sleep", pause)
    asyncio.run(hub._hand_out([events.Event((1, 0), "best", None, b"1")]))
    assert [given for _, given in pauses] == list(range(20, events.MOST_LISTENERS + 1, 20))
    assert all(seconds > 0 for seconds, _ in pauses), "without a pause the loop goes on at once"
    assert sum(seconds for seconds, _ in pauses) < events.LOOK_SECONDS, "events come late"


def test_pages_are_served_beside_many_listeners(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Listeners hold no thread: forty of them, more than there are threads, and pages answer."""
    monkeypatch.setattr(events, "MOST_OF_ADDRESS", 100)
    streams = [Stream(site, "?kinds=best") for _ in range(40)]
    for stream in streams:
        stream.event()
    page = http.client.HTTPConnection("localhost", site.port, timeout=20)
    page.request("GET", "/api/v1/changes/")
    assert page.getresponse().status == 200
    ranked_game(Player.objects.create(name="Ann"))
    assert {stream.event()["event"] for stream in streams} == {"best"}
    for stream in streams:
        stream.response.close()
        stream.connection.close()
    page.close()


# --- records that are taken back and come again ---


def test_through_freezes_each_record_is_heard_once_and_each_withdrawal(player: Player) -> None:
    """Before: each end of a freeze told its records anew, with other numbers, and nobody heard that one was taken back."""
    game, other = stored_replay(player, time_ms=40_000), stored_replay(player, time_ms=41_000)
    place = place_now()
    rank_replays([other])
    rank_replays([game])
    heard, place = hear(place)
    assert {name for name, _ in heard} == {"record", "best"}
    records = {identity for _, identity in heard}
    assert len(records) == len(heard), "one event for each game and board"
    own = sorted(identity for identity in records if identity.startswith(f"{game.pk}/"))
    for _ in range(3):
        unrank_replays([game])
        heard, place = hear(place)
        assert sorted(heard) == [("withdrawn", identity) for identity in own]
        rank_replays([game])
        heard, place = hear(place)
        assert sorted(heard) == [("restored", identity) for identity in own]
    with transaction.atomic():  # something of the game changes, and it is added anew
        unrank_replays([game])
        rank_replays([game])
    heard, place = hear(place)
    assert heard == []
    unrank_replays([game])
    game.delete()
    heard, _ = hear(place)
    assert sorted(heard) == [("withdrawn", identity) for identity in own]


def test_a_listener_hears_what_is_taken_back_of_its_kind(player: Player) -> None:
    game, place = stored_replay(player), place_now()
    rank_replays([game])
    unrank_replays([game])
    heard, _ = hear(place, "record")
    assert heard
    assert {identity.split("/")[1] for _, identity in heard} == {"site"}


@pytest.fixture
def player() -> Player:
    return Player.objects.create(name="Ann")


def hear(place: Place, *kinds: str) -> tuple[list[tuple[str, str]], Place]:
    """Return name and identity of each event after ``place``, and the place after them."""
    listener, heard, more = events.Listener(frozenset(kinds or ("record", "best")), "1.2.3.4"), [], True
    while more:
        found, place, more = events._read(place, listener)
        for event in found:
            fields = dict(line.split(": ", 1) for line in event.text.decode().strip().splitlines())
            heard.append((fields["event"], json.loads(fields["data"])["identity"]))
    return heard, place
