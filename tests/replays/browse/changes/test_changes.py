"""The feed of changes: whatever writes a public row is told, once, and in an order that loses nothing."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection, transaction
from django.db.models import BooleanField, Field
from django.test import Client
from django.utils import timezone

from players.db import changes
from players.db.change_log import log_player_changes
from players.db.change_triggers import Followed, install
from players.models import Change, Identity, LevelChange, Player, RecordEvent, User
from players.tasks import delete_old_changes
from replays.models import Comment, Like, Replay
from replays.models.followed import FOLLOWED
from tests.factories import EPOCH, rank_replays, replay_of, stored_replay, unrank_replays

pytestmark = pytest.mark.django_db

ADDRESS = "/api/v1/changes/"


def entries() -> list[tuple[str, int, str]]:
    """Everything public that was logged so far, which is forgotten."""
    public = Change.objects.filter(thing__in=changes.PUBLIC)
    found = list(public.order_by("id").values_list("thing", "thing_id", "kind"))
    Change.objects.all().delete()
    return found


@pytest.fixture
def player() -> Player:
    return Player.objects.create(name="Ann")


@pytest.fixture
def replay(player: Player) -> Replay:
    made = stored_replay(player)
    entries()
    return made


def test_a_game_is_told_when_it_is_done_and_when_it_goes(player: Player) -> None:
    entries()
    replay = stored_replay(player, status=Replay.Status.QUEUED)
    Replay.objects.filter(pk=replay.pk).update(status=Replay.Status.RUNNING, claimed_at=EPOCH, attempts=1)
    assert entries() == []
    Replay.objects.update(status=Replay.Status.DONE)
    assert entries() == [("replay", replay.pk, "created")]
    Replay.objects.update(bv=99)
    assert entries() == [("replay", replay.pk, "changed")]
    Replay.objects.update(status=Replay.Status.REJECTED)
    assert entries() == [("replay", replay.pk, "hidden")]
    Replay.objects.filter(pk=replay.pk).delete()
    assert entries() == []


@pytest.mark.parametrize(
    "columns",
    [{"turn": 5}, {"luck_claimed_at": EPOCH, "luck_attempts": 2}, {"uploader": None}, {"keep_file": True}, {"bv": 150}],
)
def test_what_nobody_sees_is_not_told(replay: Replay, columns: dict[str, Any]) -> None:
    before = Replay.objects.get().updated_at
    Replay.objects.update(**columns)
    assert entries() == []
    assert Replay.objects.get().updated_at == before


def test_every_public_column_is_told(replay: Replay) -> None:
    """Each column that the API shows, changed alone by one statement, moves ``updated_at`` and is logged."""
    shown = Client().get(f"/api/v1/replays/{replay.pk}/").json()
    silent = {"id", "status", "updated_at", "uploaded_at", "size_bytes"} | set(FOLLOWED[0].private)
    columns = [field for field in Replay._meta.concrete_fields if field.column not in silent and field.name in shown]
    assert len(columns) > 15
    for field in columns:
        before = Replay.objects.get().updated_at
        if field.null and getattr(replay, field.attname) is None:
            continue
        Replay.objects.update(**{field.name: None if field.null else _other(field, replay)})
        assert entries() == [("replay", replay.pk, "changed")], field.column
        assert Replay.objects.get().updated_at > before


_OTHERS = {"findings": [{"code": "x"}], "reject_params": {"x": 1}}


def _other(field: Field[Any, Any], replay: Replay) -> object:
    """Return a value that the column does not have."""
    if isinstance(field, BooleanField):
        return not getattr(replay, field.name)
    return _OTHERS.get(field.name, "x")


def test_likes_and_comments_are_told_and_leave_the_game_as_it_was(replay: Replay, owner: User) -> None:
    before = Replay.objects.get().updated_at
    entries()
    like = Like.objects.create(replay=replay, user=owner, created_at=EPOCH)
    comment = Comment.objects.create(replay=replay, user=owner, text="nice", created_at=EPOCH)
    Comment.objects.filter(pk=comment.pk).update(hidden_at=EPOCH)
    like.delete()
    told = entries()
    assert set(told) == {("replay", replay.pk, "changed")}
    assert len(told) >= 4
    assert Replay.objects.get().updated_at == before


def test_players_and_records_are_told() -> None:
    Change.objects.all().delete()
    player = Player.objects.create(name="Ann")
    assert entries() == [("player", player.pk, "created")]
    Player.objects.update(on_boards=False)
    assert entries() == []
    Player.objects.update(country="AT")
    assert entries() == [("player", player.pk, "changed")]
    other = Player.objects.create(name="Bo")
    entries()
    Player.objects.filter(pk=other.pk).update(merged_into=player)
    assert entries() == [("player", other.pk, "hidden")]
    replay = stored_replay(player)
    rank_replays([replay])
    events = list(RecordEvent.objects.values_list("pk", flat=True))
    assert events
    assert {pk for thing, pk, kind in entries() if (thing, kind) == ("record", "created")} == set(events)
    unrank_replays([replay])
    assert {pk for thing, pk, kind in entries() if (thing, kind) == ("record", "deleted")} == set(events)


def test_best_times_are_told_as_their_players_and_other_bests_are_not(player: Player) -> None:
    game, told = stored_replay(player, time_ms=50_000), ("player", player.pk, "changed")
    entries()
    rank_replays([game])
    assert entries().count(told) == 1
    records = RecordEvent.objects.filter(replay=game).values_list("pk", flat=True)
    Replay.objects.filter(pk=game.pk).update(time_precision_ms=1)
    assert {told, *(("record", pk, "changed") for pk in records)} <= set(entries())
    unrank_replays([game])
    assert entries().count(told) == 1


def test_names_and_the_account_of_a_player_are_told(player: Player, owner: User) -> None:
    """Both show in the rows of players: ``claimed`` and ``identities``."""
    other = Player.objects.create(name="Bo")
    Change.objects.all().delete()
    before = player.updated_at
    name = Identity.objects.create(name="ann", player=player, first_player=player)
    assert entries() == [("player", player.pk, "changed")]
    Identity.objects.update(state=Identity.State.CLAIMED)
    assert entries()[-1:] == [("player", player.pk, "changed")]
    Identity.objects.filter(pk=name.pk).update(player=other)
    assert sorted(entries()) == [("player", one.pk, "changed") for one in (player, other)]
    name.delete()
    assert entries() == [("player", other.pk, "changed")]
    Player.objects.filter(user=owner).update(user=None)
    Change.objects.all().delete()
    Player.objects.filter(pk=player.pk).update(user=owner)
    assert entries() == [("player", player.pk, "changed")]
    assert Player.objects.get(pk=player.pk).updated_at > before


def read_all(client: Client, after: str, size: int = 3) -> tuple[list[dict[str, Any]], str]:
    """Every entry after a place, page by page, and the place where the last page ends."""
    rows: list[dict[str, Any]] = []
    while True:
        page = client.get(ADDRESS, {"after": after, "size": str(size)}).json()
        rows += page["rows"]
        after = page["after"]
        if not page["more"]:
            return rows, after


@pytest.mark.django_db(transaction=True)
def test_a_reader_gets_each_entry_once_and_in_order(client: Client) -> None:
    player = Player.objects.create(name="Ann")
    begin = client.get(ADDRESS).json()
    assert begin["rows"] == []
    replays = [stored_replay(player) for _ in range(7)]
    Replay.objects.filter(pk=replays[0].pk).update(bv=1)
    replays[1].delete()
    rows, after = read_all(client, begin["after"])
    assert [(row["thing_id"], row["kind"]) for row in rows] == [
        *((replay.pk, "created") for replay in replays[:1]),
        (rows[1]["thing_id"], "created"),
        *((replay.pk, "created") for replay in replays[2:]),
        (replays[0].pk, "changed"),
        (rows[1]["thing_id"], "deleted"),
    ]
    assert rows[0]["url"] == f"/api/v1/replays/{replays[0].pk}/"
    assert client.get(rows[0]["url"]).json()["updated_at"] == rows[7]["updated_at"]
    assert read_all(client, after)[0] == []
    gone = client.get(rows[1]["url"])
    assert (gone.status_code, gone.json()["code"]) == (410, "gone")
    page = client.get(f"/replays/{rows[1]['thing_id']}/")
    assert page.status_code == 410
    assert "deleted" in page.content.decode()
    assert client.get("/api/v1/replays/999999/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_nothing_is_lost_while_writers_overlap(client: Client) -> None:
    """The transaction that began first commits last: a reader in between must not pass its entry."""
    player = Player.objects.create(name="Ann")
    begin = client.get(ADDRESS).json()["after"]
    slow = connection.copy()
    with closing(slow):
        slow.set_autocommit(False)
        with slow.cursor() as cursor:
            cursor.execute("INSERT INTO players_player (name, country, is_bot, on_boards, created_at) VALUES"
                           " ('slow', '', false, true, now())")  # fmt: skip
        replay = stored_replay(player)
        rows, after = read_all(client, begin)
        assert rows == []  # not settled: an earlier transaction still runs
        slow.commit()
    rows, after = read_all(client, after)
    assert [row["thing"] for row in rows] == ["player", "replay"]
    assert rows[1]["thing_id"] == replay.pk
    assert read_all(client, after)[0] == []


@pytest.mark.django_db(transaction=True)
def test_another_database_of_the_server_holds_nothing_up(client: Client) -> None:
    begin = client.get(ADDRESS).json()["after"]
    address = connection.get_connection_params() | {"dbname": "postgres"}
    for own in ("context", "cursor_factory", "pool", "prepare_threshold"):  # of Django's connections
        address.pop(own, None)
    with psycopg.connect(**address) as other:
        other.execute("SELECT pg_current_xact_id()")
        player = Player.objects.create(name="Ann")
        rows, after = read_all(client, begin)
        assert [row["thing_id"] for row in rows] == [player.pk]
        assert read_all(client, after)[0] == []


@pytest.mark.django_db(transaction=True)
def test_a_copy_that_follows_random_changes_equals_the_site(client: Client) -> None:
    """A copy that fetches what the feed names, at random times, ends like one made anew."""
    source = random.Random(7)
    player = Player.objects.create(name="Ann")
    copy: dict[int, dict[str, Any]] = {}
    after = client.get(ADDRESS).json()["after"]
    for _step in range(60):
        _change(source, player)
        if source.random() < 0.3:
            after = _follow(client, copy, after, source.randint(1, 4))
    _follow(client, copy, after, 4)
    fresh = {row["id"]: row for row in client.get("/api/v1/replays/", {"size": 200}).json()["rows"]}
    assert copy == fresh


def _change(source: random.Random, player: Player) -> None:
    pks = list(Replay.objects.values_list("pk", flat=True))
    kind = source.choice(["add", "add", "change", "delete", "hide", "roll back"])
    if kind == "add" or not pks:
        stored_replay(player, time_ms=source.randint(1, 99) * 1000)
    elif kind == "change":
        Replay.objects.filter(pk=source.choice(pks)).update(bv=source.randint(1, 400))
    elif kind == "delete":
        Replay.objects.filter(pk=source.choice(pks)).delete()
    elif kind == "hide":
        Replay.objects.filter(pk=source.choice(pks)).update(status=source.choice(["rejected", "done"]))
    else:
        with transaction.atomic():
            stored_replay(player)
            transaction.set_rollback(True)


def _follow(client: Client, copy: dict[int, dict[str, Any]], after: str, size: int) -> str:
    rows, after = read_all(client, after, size)
    for row in rows:
        found = client.get(row["url"])
        if found.status_code == 200:
            listed = client.get("/api/v1/replays/", {"size": 200}).json()["rows"]
            copy[row["thing_id"]] = next(one for one in listed if one["id"] == row["thing_id"])
        else:
            assert found.status_code in (404, 410)
            copy.pop(row["thing_id"], None)
    return after


@pytest.mark.parametrize(
    "spoil",
    [
        lambda feed, position, number: (feed + 1, position, number),
        lambda feed, position, number: (feed, position + 10**6, number + 10**6),
    ],
)
def test_a_place_that_means_nothing_any_more(client: Client, spoil: Callable[..., tuple[int, ...]]) -> None:
    place = client.get(ADDRESS).json()["after"]
    spoilt = ".".join(map(str, spoil(*map(int, place.split(".")))))
    answer = client.get(ADDRESS, {"after": spoilt})
    assert (answer.status_code, answer.json()["code"]) == (410, "changes_gone")


@pytest.mark.parametrize(
    "text", ["x", "1.2", "1.2.3.4", "-1.2.3", "1.99999999999999999999.3", "1.9223372036854775808.3"]
)
def test_a_place_that_is_none(client: Client, text: str) -> None:
    answer = client.get(ADDRESS, {"after": text})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_cursor")


def test_a_restored_site_voids_all_places(client: Client) -> None:
    place = client.get(ADDRESS).json()["after"]
    assert client.get(ADDRESS, {"after": place}).status_code == 200
    changes.begin_anew()
    assert client.get(ADDRESS, {"after": place}).status_code == 410
    now = client.get(ADDRESS).json()["after"]
    assert client.get(ADDRESS, {"after": now}).json()["rows"] == []


def test_old_entries_go_and_deletions_stay(client: Client, replay: Replay) -> None:
    pk = replay.pk
    Replay.objects.update(bv=7)
    replay.delete()
    Change.objects.update(updated_at=timezone.now() - timedelta(days=30, hours=23))
    delete_old_changes()
    assert len(entries()) == 2
    other = stored_replay(replay.player)
    other.delete()
    Change.objects.update(updated_at=timezone.now() - timedelta(days=31, hours=1))
    delete_old_changes()
    assert [kind for _thing, _pk, kind in entries()] == ["deleted"]
    assert client.get(f"/api/v1/replays/{pk}/").status_code == 404  # its entry was deleted by this test


@pytest.mark.django_db(transaction=True)
def test_a_place_whose_entries_are_gone_is_told_so_and_no_other(client: Client, player: Player) -> None:
    """Deleted entries decide and not a date: no clock, and no pause of the deletion, makes it 200 with no rows."""
    old = client.get(ADDRESS).json()["after"]
    stored_replay(player)
    Change.objects.update(updated_at=timezone.now() - timedelta(days=40))
    assert [row["thing"] for row in client.get(ADDRESS, {"after": old}).json()["rows"]] == ["replay"]
    now = client.get(ADDRESS).json()["after"]
    delete_old_changes()
    answer = client.get(ADDRESS, {"after": old})
    assert (answer.status_code, answer.json()["code"]) == (410, "changes_gone")
    assert client.get(ADDRESS, {"after": now}).json()["rows"] == []
    stored_replay(player)
    delete_old_changes()
    assert len(client.get(ADDRESS, {"after": now}).json()["rows"]) == 1, "a fresh place is good"
    begin = client.get(ADDRESS).json()["after"]
    changes.begin_anew()
    assert client.get(ADDRESS, {"after": begin}).status_code == 410
    assert client.get(ADDRESS, {"after": client.get(ADDRESS).json()["after"]}).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_a_process_whose_clock_is_ahead_deletes_nothing_new(
    client: Client, player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before: it emptied the feed, and places of any process were answered 200 with no rows."""
    place = client.get(ADDRESS).json()["after"]
    stored_replay(player)
    log_player_changes([player.pk])
    real = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: real + timedelta(days=32))
    monkeypatch.setattr("time.time", lambda: (real + timedelta(days=32)).timestamp())
    delete_old_changes()
    assert len(client.get(ADDRESS, {"after": place}).json()["rows"]) == 1
    assert LevelChange.objects.exists()


def test_triggers_are_made_once(replay: Replay) -> None:
    install(connection, FOLLOWED)
    Replay.objects.update(bv=3)
    assert entries() == [("replay", replay.pk, "changed")]
    changed = (Followed(FOLLOWED[0].table, "replay", public="({row}.status = 'running')"),)
    install(connection, changed)
    Replay.objects.update(bv=4)
    assert entries() == []
    install(connection, FOLLOWED[:1])
    Replay.objects.update(bv=5)
    assert entries() == [("replay", replay.pk, "changed")]


def test_a_page_takes_few_statements(client: Client, replay: Replay, django_assert_max_num_queries: Any) -> None:
    place = client.get(ADDRESS).json()["after"]
    Change.objects.bulk_create(Change(thing="replay", thing_id=one, kind="changed") for one in range(300))
    with django_assert_max_num_queries(8):
        page = client.get(ADDRESS, {"after": place, "size": 200}).json()
    assert json.dumps(page)
    assert page["more"] is False  # these entries' transaction still runs


def test_players_and_records_by_number(client: Client, player: Player) -> None:
    replay = replay_of(player)
    replay.save()
    rank_replays([replay])
    other = Player.objects.create(name="Bo")
    rows = client.get("/api/v1/players/", {"ids": f"{player.pk},{other.pk},99999"}).json()["rows"]
    assert [row["player"]["id"] for row in rows] == [player.pk, other.pk]
    pks = sorted(RecordEvent.objects.values_list("pk", flat=True), reverse=True)
    rows = client.get("/api/v1/records/", {"ids": ",".join(map(str, pks[:50]))}).json()["rows"]
    assert [row["id"] for row in rows] == pks[:50]
    assert all(row["updated_at"] for row in rows)
