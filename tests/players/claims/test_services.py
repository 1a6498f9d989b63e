"""Names inside replays: exact, created once, and claimed by accounts."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from analysis.recording import Level
from players.claims.services import (
    ClaimRefused,
    approve_claim,
    claim_name,
    release_name,
)
from players.models import Identity, PersonalBest, Player, RecordEvent, User
from players.people.services import players_for_names
from replays.models import Replay
from tests.factories import rank_replays, stored_replay
from tests.players.naive_boards import expected_boards, stored_boards

pytestmark = [pytest.mark.django_db, pytest.mark.database]

State = Identity.State


def player_for_name(name: str) -> Player | None:
    return players_for_names([name]).get(name)


def upload(name: str, uploader: User | None, **options: Any) -> Replay:
    """A ranked game under ``name``, as the analysis stores it."""
    replay = stored_replay(player_for_name(name), identifier=name, uploader=uploader, **options)
    rank_replays([replay])
    return replay


# --- names ---


def test_a_name_makes_its_player_once() -> None:
    first = player_for_name("Ada")
    assert first is not None
    assert player_for_name("Ada") == first
    assert (first.name, Identity.objects.get().state) == ("Ada", State.UNCLAIMED)


def test_no_name_is_nobody() -> None:
    assert player_for_name("") is None
    assert players_for_names(["", ""]) == {}


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ada", "ada"), ("Ada", "Ada "), ("\u00e9", "e\u0301"), ("雷", "雷 "), ("ﬁ", "fi"), ("A", "\u0410")],
)
def test_names_are_exact(one: str, other: str) -> None:
    players = players_for_names([one, other])
    assert players[one] != players[other]
    assert {identity.name for identity in Identity.objects.all()} == {one, other}


def test_many_names_take_few_statements(django_assert_max_num_queries: Any) -> None:
    names = [f"n{number}" for number in range(50)]
    with django_assert_max_num_queries(16):  # deleting the unused ones checks every table that refers to players
        players = players_for_names(names)
    assert sorted(players) == sorted(names)
    with django_assert_max_num_queries(1):
        assert players_for_names(names) == players
    assert Player.objects.count() == 50


def test_a_name_longer_than_the_column_is_a_programming_error() -> None:
    with pytest.raises(ValueError, match="255"):
        player_for_name("x" * 256)


@pytest.mark.django_db(transaction=True)
def test_eight_at_once_make_one_player() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("the test database of SQLite lives in memory and serves one connection")
    found: list[Any] = []
    gate = threading.Barrier(8)

    def make() -> None:
        gate.wait()
        try:
            found.append(players_for_names(["Ada", "Bob", "Eve"]))
        finally:
            connection.close()

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(found) == 8
    assert all(players == found[0] for players in found)
    assert Player.objects.count() == Identity.objects.count() == 3


# --- claims ---


@pytest.fixture
def ada(db: None) -> User:
    """An account that has no player yet."""
    return User.objects.create_user("ada")


def test_the_first_name_gives_the_account_its_player(ada: User) -> None:
    replay = upload("Ada", ada)
    page = replay.player
    identity = claim_name(ada, "Ada")
    assert identity.state == State.CLAIMED
    assert identity.claimed_at is not None
    assert ada.player == page
    assert stored_boards() == expected_boards()


def test_a_further_name_moves_its_replays_and_bests(ada: User) -> None:
    slow = upload("Ada", ada, time_ms=60_000)
    claim_name(ada, "Ada")
    fast = upload("Lovelace", ada, time_ms=50_000)
    upload("Lovelace", ada, time_ms=20_000, level=Level.INTERMEDIATE)
    claim_name(ada, "Lovelace")
    fast.refresh_from_db()
    assert fast.player == slow.player == ada.player
    assert list(Player.objects.all()) == [ada.player]
    assert PersonalBest.objects.get(level="expert", statistic="time", style="all").replay_id == fast.pk
    assert set(RecordEvent.objects.values_list("player_id", flat=True)) == {ada.player.pk}
    assert stored_boards() == expected_boards()
    # Later uploads under that name are of the account's player.
    assert upload("Lovelace", None).player == ada.player


def test_an_account_with_a_player_keeps_it(owner: User) -> None:
    upload("Ada", owner)
    claim_name(owner, "Ada")
    assert list(Player.objects.all()) == [owner.player]
    assert Identity.objects.get().player == owner.player
    assert stored_boards() == expected_boards()


def test_without_an_upload_there_is_no_claim(ada: User, other_player: User) -> None:
    upload("Bob", other_player)
    for name in ("Bob", "bob", "", "nobody"):
        with pytest.raises(ClaimRefused, match="Upload"):
            claim_name(ada, name)


@pytest.mark.parametrize("someone_else", [True, False])
def test_a_name_that_others_uploaded_waits_for_staff(ada: User, other_player: User, someone_else: bool) -> None:
    upload("Ada", ada)
    upload("Ada", other_player if someone_else else None, time_ms=50_000)
    identity = claim_name(ada, "Ada")
    assert identity.state == State.REQUESTED
    assert not Player.objects.filter(user=ada).exists()
    assert claim_name(ada, "Ada").state == State.REQUESTED
    assert approve_claim(identity).state == State.CLAIMED
    assert Player.objects.get(user=ada).replays.count() == 2
    assert stored_boards() == expected_boards()


def test_a_name_has_one_claimant(ada: User, other_player: User) -> None:
    upload("Ada", ada)
    upload("Ada", other_player)
    claim_name(ada, "Ada")
    with pytest.raises(ClaimRefused, match="Another"):
        claim_name(other_player, "Ada")


def test_only_a_waiting_claim_can_be_approved(ada: User) -> None:
    upload("Ada", ada)
    with pytest.raises(ClaimRefused):
        approve_claim(Identity.objects.get())


def test_a_request_can_be_turned_down(ada: User, other_player: User) -> None:
    upload("Ada", ada)
    theirs = upload("Ada", other_player)
    identity = release_name(claim_name(ada, "Ada"))
    assert (identity.state, identity.claimant, identity.player) == (State.UNCLAIMED, None, theirs.player)


def test_a_released_name_takes_its_replays_back(ada: User) -> None:
    unmoved = upload("Ada", ada, time_ms=60_000)
    claim_name(ada, "Ada")
    moved = upload("Lovelace", ada, time_ms=50_000)
    release_name(claim_name(ada, "Lovelace"))
    moved.refresh_from_db()
    assert moved.player is not None
    assert (moved.player.name, moved.player.user) == ("Lovelace", None)
    assert unmoved.player == ada.player != moved.player
    assert set(RecordEvent.objects.filter(replay=moved).values_list("player_id", flat=True)) == {moved.player.pk}
    assert stored_boards() == expected_boards()
    assert claim_name(ada, "Lovelace").state == State.CLAIMED  # and may be claimed again


def test_an_empty_player_is_deleted(ada: User) -> None:
    upload("Ada", ada)
    release_name(claim_name(ada, "Ada"))
    assert [player.name for player in Player.objects.all()] == ["Ada"]
    assert not Player.objects.filter(user=ada).exists()
    assert stored_boards() == expected_boards()


# --- staff ---


def test_staff_approves_and_releases_in_the_admin(staff_client: Client, ada: User, other_player: User) -> None:
    upload("Ada", ada)
    upload("Ada", other_player)
    identity = claim_name(ada, "Ada")
    for action, state in [("approve", State.CLAIMED), ("approve", State.CLAIMED), ("release", State.UNCLAIMED)]:
        response = staff_client.post(
            reverse("admin:players_identity_changelist"),
            {"action": action, "_selected_action": [identity.pk]},
            follow=True,
        )
        assert response.status_code == 200
        identity.refresh_from_db()
        assert identity.state == state
    assert stored_boards() == expected_boards()


def test_staff_without_the_permission_may_not_decide(ada: User, other_player: User) -> None:
    upload("Ada", ada)
    upload("Ada", other_player)
    identity = claim_name(ada, "Ada")
    client = Client()
    client.force_login(User.objects.create_user("helper", is_staff=True))
    client.post(reverse("admin:players_identity_changelist"), {"action": "approve", "_selected_action": [identity.pk]})
    identity.refresh_from_db()
    assert identity.state == State.REQUESTED


@pytest.mark.parametrize(
    "table", ["user", "player", "identity", "personalbest", "combinedbest", "secondcount", "recordevent"]
)
def test_admin_pages_open(staff_client: Client, staff: User, table: str) -> None:
    for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT):
        upload("Ada", staff, level=level)
    claim_name(staff, "Ada")
    address = reverse(f"admin:players_{table}_changelist")
    listed = staff_client.get(address, {"q": "a"} if table in {"player", "identity"} else {})
    assert listed.status_code == 200
    if table in {"user", "player"}:
        one = staff_client.get(
            reverse(f"admin:players_{table}_change", args=[staff.pk if table == "user" else staff.player.pk])
        )
        assert one.status_code == 200
    if table not in {"user"}:
        assert staff_client.get(reverse(f"admin:players_{table}_add")).status_code == 403
