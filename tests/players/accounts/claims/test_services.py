"""Names inside replays: exact, created once, and claimed by accounts."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.urls import reverse

from analysis.recording import Level
from players.accounts.claims.merging import player_merge, player_rename
from players.accounts.claims.selectors import claims_page, release_effects
from players.accounts.claims.services import (
    MAX_CLAIMS_A_DAY,
    claim_approve,
    claim_ask_staff,
    claim_make,
    claim_refuse,
    claim_withdraw,
    release_name,
)
from players.decision_log import Decision
from players.leaderboards.services import rebuild_boards
from players.models import Claim, Identity, PersonalBest, Player, RecordEvent, User
from players.people.services import players_for_names
from replays.models import Replay
from tests.conftest import with_second_factor
from tests.factories import give_name, rank_replays, stored_replay
from tests.players.naive_boards import expected_boards, stored_boards

pytestmark = pytest.mark.django_db

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


@pytest.fixture
def bob(db: None) -> User:
    """Another account that has no player yet."""
    return User.objects.create_user("bob")


def test_uploading_a_file_claims_nothing(ada: User) -> None:
    upload("Ada", ada)
    claim = claim_make(ada, "Ada")
    assert claim.state == Claim.State.OPEN
    assert Identity.objects.get().state == State.UNCLAIMED
    assert not Player.objects.filter(user=ada).exists()


def test_the_first_name_gives_the_account_its_player(ada: User) -> None:
    replay = upload("Ada", ada)
    page = replay.player
    identity = give_name(ada, "Ada")
    assert (identity.state, identity.proof) == (State.CLAIMED, Identity.Proof.STAFF)
    assert identity.claimed_at is not None
    assert ada.player == page
    assert stored_boards() == expected_boards()


def test_a_further_name_moves_its_replays_and_bests(ada: User) -> None:
    slow = upload("Ada", ada, time_ms=60_000)
    give_name(ada, "Ada")
    fast = upload("Lovelace", ada, time_ms=50_000)
    upload("Lovelace", ada, time_ms=20_000, level=Level.INTERMEDIATE)
    give_name(ada, "Lovelace")
    fast.refresh_from_db()
    assert fast.player == slow.player == ada.player
    assert list(Player.objects.filter(merged_into=None)) == [ada.player]
    assert PersonalBest.objects.get(level="expert", statistic="time", style="all").replay_id == fast.pk
    assert set(RecordEvent.objects.values_list("player_id", flat=True)) == {ada.player.pk}
    assert stored_boards() == expected_boards()
    # Later uploads under that name are of the account's player.
    assert upload("Lovelace", None).player == ada.player


def test_an_account_with_a_player_keeps_it(owner: User) -> None:
    replay = upload("Ada", owner)
    give_name(owner, "Ada")
    assert list(Player.objects.filter(merged_into=None)) == [owner.player]
    assert Identity.objects.get().player == owner.player
    assert replay.player_id is not None
    assert Player.objects.get(pk=replay.player_id).merged_into == owner.player
    assert stored_boards() == expected_boards()


def test_staff_are_asked_only_about_names_in_replays(ada: User) -> None:
    claim = claim_make(ada, "nobody")
    with pytest.raises(ValidationError, match="seen a replay with this name yet"):
        claim_ask_staff(claim, "mine")
    with pytest.raises(ValidationError, match="Enter the name"):
        claim_make(ada, " \n")
    upload("Ada", ada)
    with pytest.raises(ValidationError, match="Tell us why"):
        claim_ask_staff(claim_make(ada, "Ada"), "  ")


def test_a_claim_is_made_once(ada: User) -> None:
    first = claim_make(ada, "Ada")
    assert claim_make(ada, "Ada") == first
    Claim.objects.update(expires_at=first.made_at)
    second = claim_make(ada, "Ada")
    assert second.code != first.code
    first.refresh_from_db()
    assert first.state == Claim.State.WITHDRAWN


def test_an_account_makes_few_claims_a_day(ada: User, bob: User) -> None:
    for number in range(MAX_CLAIMS_A_DAY):
        claim_withdraw(claim_make(ada, f"name {number}"))
    with pytest.raises(ValidationError, match="too many"):
        claim_make(ada, "one more")
    assert len(set(Claim.objects.values_list("code", flat=True))) == MAX_CLAIMS_A_DAY
    assert claim_make(bob, "one more").state == Claim.State.OPEN


def test_decided_and_withdrawn_claims_do_not_wait(ada: User, staff: User) -> None:
    upload("Ada", ada)
    claim = claim_ask_staff(claim_make(ada, "Ada"), "mine")
    with pytest.raises(ValidationError, match="reason"):
        claim_refuse(claim, staff, " ")
    assert claim_refuse(claim, staff, "no sign of it").state == Claim.State.REFUSED
    for late in (
        lambda: claim_approve(claim, staff),
        lambda: claim_refuse(claim, staff, "again"),
        lambda: claim_ask_staff(claim, "please"),
        lambda: claim_withdraw(claim),
    ):
        with pytest.raises(ValidationError, match="already been decided"):
            late()
    assert Identity.objects.get().state == State.UNCLAIMED
    open_claim = claim_make(ada, "Ada")
    with pytest.raises(ValidationError, match="already been decided"):
        claim_approve(open_claim, staff)  # it was not sent to staff


def test_a_disputed_name_changes_its_account(ada: User, bob: User, staff: User) -> None:
    stolen = upload("Ada", ada, time_ms=60_000)
    theirs = upload("Ada", bob, time_ms=50_000)
    first = give_name(ada, "Ada").player
    upload("Lovelace", ada, time_ms=40_000)
    give_name(ada, "Lovelace")
    claim = claim_ask_staff(claim_make(bob, "Ada"), "I am Ada.")
    assert Identity.objects.get(name="Ada").claimant == ada  # until staff decide
    identity = claim_approve(claim, staff, "the video shows it")
    assert (identity.claimant, identity.player) == (bob, first)
    bob = User.objects.get(pk=bob.pk)
    assert bob.player == first
    for replay in (stolen, theirs):
        replay.refresh_from_db()
        assert replay.player == first
    # What the former owner uploaded waits for the new one.
    assert (stolen.ownership, stolen.ranked) == (Replay.Ownership.WAITING, False)
    assert (theirs.ownership, theirs.ranked) == (Replay.Ownership.NOT_ASKED, True)
    lovelace = Identity.objects.get(name="Lovelace")
    assert (lovelace.claimant, lovelace.player.user) == (ada, ada)
    assert lovelace.player == lovelace.first_player
    assert stored_boards() == expected_boards()
    assert Decision.objects.filter(action="granted", reason="the video shows it").exists()


def test_the_answers_of_a_former_owner_do_not_hold(ada: User, bob: User, staff: User) -> None:
    replays = [upload("Ada", uploader, time_ms=50_000 + number) for number, uploader in enumerate([bob, None, None])]
    give_name(ada, "Ada")
    for replay, ownership in zip(replays, ["disowned", "reported", "vouched"], strict=True):
        Replay.objects.filter(pk=replay.pk).update(ownership=ownership)
    claim_approve(claim_ask_staff(claim_make(bob, "Ada"), "I am Ada."), staff)
    assert list(Replay.objects.order_by("pk").values_list("ownership", flat=True)) == ["", "waiting", "vouched"]


def test_games_that_enter_and_leave_together_are_counted_once(ada: User, bob: User, staff: User) -> None:
    """All of them ended in the same second."""
    upload("Ada", ada, time_ms=50_000)
    give_name(ada, "Ada")
    waiting = upload("Ada", bob, time_ms=50_100)
    Replay.objects.filter(pk=waiting.pk).update(ownership="waiting", ranked=False)
    upload("Ada", None, time_ms=50_200)
    rebuild_boards()
    claim_approve(claim_ask_staff(claim_make(bob, "Ada"), "I am Ada."), staff)
    assert list(Replay.objects.order_by("pk").values_list("ranked", flat=True)) == [False, True, True]
    assert stored_boards() == expected_boards()


def test_a_name_that_is_yours_is_not_claimed_again(ada: User) -> None:
    upload("Ada", ada)
    give_name(ada, "Ada")
    with pytest.raises(ValidationError, match="already yours"):
        claim_make(ada, "Ada")


@pytest.mark.django_db(transaction=True)
def test_two_claims_approved_at_once_leave_one_owner(ada: User, bob: User, staff: User) -> None:
    upload("Ada", ada)
    claims = [claim_ask_staff(claim_make(user, "Ada"), "mine") for user in (ada, bob)]
    gate, errors = threading.Barrier(2), []

    def approve(claim: Claim) -> None:
        gate.wait()
        try:
            claim_approve(claim, staff)
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=approve, args=[claim]) for claim in claims]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors
    identity = Identity.objects.get()
    assert identity.player.user == identity.claimant
    assert Player.objects.filter(user__isnull=False).count() == 1
    assert stored_boards() == expected_boards()


# --- released names and player numbers ---


def test_a_released_name_gets_its_number_back(ada: User) -> None:
    unmoved = upload("Ada", ada, time_ms=60_000)
    give_name(ada, "Ada")
    moved = upload("Lovelace", ada, time_ms=50_000)
    number = moved.player_id
    assert number is not None
    identity = give_name(ada, "Lovelace")
    assert Player.objects.get(pk=number).merged_into == ada.player
    release_name(identity)
    moved.refresh_from_db()
    assert moved.player_id == number
    assert moved.player is not None
    assert (moved.player.name, moved.player.user, moved.player.merged_into) == ("Lovelace", None, None)
    assert unmoved.player == ada.player != moved.player
    assert set(RecordEvent.objects.filter(replay=moved).values_list("player_id", flat=True)) == {moved.player.pk}
    assert stored_boards() == expected_boards()
    assert give_name(ada, "Lovelace").state == State.CLAIMED  # and may be claimed again


def test_the_first_name_of_an_account_keeps_its_number_too(ada: User) -> None:
    """The account goes on with the number of another name."""
    numbers = {name: upload(name, ada, time_ms=50_000).player_id or 0 for name in ("Ada", "Lovelace", "Byron")}
    for name in numbers:
        identity = give_name(ada, name)
    Player.objects.filter(user=ada).update(country="GB")
    identity = release_name(Identity.objects.get(name="Ada"))
    assert (identity.player_id, identity.player.user, identity.player.country) == (numbers["Ada"], None, "")
    ada = User.objects.get(pk=ada.pk)
    assert (ada.player.pk, ada.player.country) == (numbers["Lovelace"], "GB")
    assert Player.objects.get(pk=numbers["Byron"]).merged_into == ada.player
    assert {name.player_id for name in ada.claims.all()} == {ada.player.pk}
    assert stored_boards() == expected_boards()
    give_name(ada, "Ada")
    assert Player.objects.get(pk=numbers["Ada"]).merged_into == ada.player
    assert Player.objects.count() == 3


def test_no_player_is_ever_deleted(ada: User) -> None:
    upload("Ada", ada)
    release_name(give_name(ada, "Ada"))
    assert [player.name for player in Player.objects.all()] == ["Ada"]
    assert not Player.objects.filter(user=ada).exists()
    assert stored_boards() == expected_boards()


def test_games_that_waited_count_when_the_name_is_released(ada: User, bob: User) -> None:
    upload("Ada", ada)
    identity = give_name(ada, "Ada")
    replay = upload("Ada", bob, time_ms=40_000, ranked=False, ownership="waiting")
    Replay.objects.filter(pk=replay.pk).update(ranked=False)
    rebuild_boards()
    disowned = stored_replay(identity.player, identifier="Ada", uploader=bob, ranked=False, ownership="disowned")
    assert release_effects(identity).waiting == 1
    release_name(identity)
    replay.refresh_from_db()
    disowned.refresh_from_db()
    assert (replay.ownership, replay.ranked) == ("", True)
    assert (disowned.ownership, disowned.ranked) == ("disowned", False)
    assert stored_boards() == expected_boards()


# --- merging and renaming by staff ---


def test_staff_merge_players_and_chains_are_flat(staff: User) -> None:
    players = [upload(name, None, time_ms=50_000 + number).player for number, name in enumerate("ABC")]
    first, second, third = (player for player in players if player is not None)
    player_merge(second, first, staff, "the same person")
    player_merge(first, third, staff, "the same person")
    for player in (first, second):
        player.refresh_from_db()
        assert player.merged_into == third
    assert set(Replay.objects.values_list("player_id", flat=True)) == {third.pk}
    assert set(PersonalBest.objects.values_list("player_id", flat=True)) == {third.pk}
    assert stored_boards() == expected_boards()
    assert Decision.objects.filter(action="merged", reason="the same person").count() == 2
    for name in "AB":  # and back
        release_name(Identity.objects.get(name=name))
    assert set(Replay.objects.values_list("player_id", flat=True)) == {first.pk, second.pk, third.pk}
    assert not Player.objects.exclude(merged_into=None).exists()
    assert stored_boards() == expected_boards()


def test_a_merge_into_an_account_claims_the_names(owner: User, staff: User) -> None:
    player = upload("Ada", None).player
    assert player is not None
    player_merge(player, owner.player, staff, "asked for it")
    identity = Identity.objects.get()
    assert (identity.state, identity.claimant, identity.proof) == (State.CLAIMED, owner, "staff")


def test_the_account_of_a_merged_player_moves_along(owner: User, staff: User) -> None:
    player = upload("Ada", None).player
    assert player is not None
    old = owner.player
    player_merge(old, player, staff, "asked for it")
    assert User.objects.get(pk=owner.pk).player == player
    old.refresh_from_db()
    assert (old.merged_into, old.user) == (player, None)


def test_what_staff_may_not_merge(owner: User, other_player: User, staff: User) -> None:
    player = upload("Ada", None).player
    robot = upload("R2", None).player
    assert player is not None
    assert robot is not None
    Player.objects.filter(pk=robot.pk).update(is_bot=True, on_boards=False)
    gone = upload("Gone", None).player
    assert gone is not None
    player_merge(gone, player, staff, "same")
    for source, target, reason, words in (
        (player, player, "same", "two players"),
        (owner.player, other_player.player, "same", "accounts"),
        (player, robot, "same", "bot"),
        (gone, owner.player, "same", "already been merged"),
        (owner.player, player, " ", "reason"),
    ):
        with pytest.raises(ValidationError, match=words):
            player_merge(source, target, staff, reason)


def test_a_claim_takes_one_name_out_of_merged_ones(ada: User, staff: User) -> None:
    first, second = (upload(name, None, time_ms=50_000).player for name in ("Ada", "Lovelace"))
    assert first is not None
    assert second is not None
    player_merge(second, first, staff, "same")
    assert give_name(ada, "Ada").player == first
    assert Identity.objects.get(name="Lovelace").player == second
    second.refresh_from_db()
    assert (second.merged_into, second.user) == (None, None)
    assert stored_boards() == expected_boards()


def test_staff_rename_a_player(staff: User) -> None:
    player = upload("ada1815", None).player
    assert player is not None
    assert player_rename(player, " Ada\x00 Lovelace ", staff).name == "Ada Lovelace"
    assert Identity.objects.get().name == "ada1815"
    assert Decision.objects.get(action="renamed").after == "Ada Lovelace"
    with pytest.raises(ValidationError):
        player_rename(player, " ", staff)


# --- pages of staff ---


def test_staff_decide_claims_on_their_page(staff_client: Client, ada: User, bob: User) -> None:
    upload("Ada", ada)
    upload("Ada", bob)
    claim = claim_ask_staff(claim_make(ada, "Ada"), "I am on video.")
    page = staff_client.get(reverse("claims")).content.decode()
    assert "I am on video." in page
    assert "1 game uploaded by others" in page
    decide = reverse("claim-decision", args=[claim.pk])
    staff_client.post(decide, {"decision": "refuse", "reason": ""})
    claim.refresh_from_db()
    assert claim.state == Claim.State.REQUESTED
    staff_client.post(decide, {"decision": "approve", "reason": "so it is"})
    claim.refresh_from_db()
    assert claim.state == Claim.State.GRANTED
    assert Identity.objects.get().claimant == ada


def test_the_list_of_claims_takes_three_queries(django_assert_num_queries: Any, ada: User, bob: User) -> None:
    for number in range(20):
        upload(f"name {number}", ada if number % 2 else bob)
    for user in (ada, bob):
        for number in range(10):
            claim_ask_staff(claim_make(user, f"name {number}"), "mine")
    with django_assert_num_queries(3):
        sides = claims_page().rows
    assert len(sides) == 20
    assert {(side.own_games, side.other_games) for side in sides} == {(0, 1), (1, 0)}


@pytest.mark.parametrize("is_staff", [True, False])
def test_nobody_else_decides_claims(ada: User, is_staff: bool) -> None:
    upload("Ada", ada)
    claim = claim_ask_staff(claim_make(ada, "Ada"), "mine")
    client = Client()
    client.force_login(with_second_factor(User.objects.create_user("helper", is_staff=is_staff)))
    assert client.get(reverse("claims")).status_code == 403
    decide = reverse("claim-decision", args=[claim.pk])
    assert client.post(decide, {"decision": "approve", "reason": "x"}).status_code == 403
    claim.refresh_from_db()
    assert claim.state == Claim.State.REQUESTED


def test_actions_of_the_admin_ask_first(staff_client: Client, ada: User) -> None:
    first, second = (upload(name, None).player for name in ("Ada", "Lovelace"))
    assert first is not None
    assert second is not None

    def post(table: str, **data: Any) -> Any:
        return staff_client.post(reverse(f"admin:players_{table}_changelist"), data, follow=True)

    chosen = {"_selected_action": [first.pk, second.pk]}
    assert 'name="confirmed"' in post("player", action="merge", **chosen).content.decode()
    second.refresh_from_db()
    assert second.merged_into is None
    post("player", action="merge", confirmed="yes", stays=first.pk, reason="same", **chosen)
    assert Player.objects.get(pk=second.pk).merged_into == first
    rename: Any = {"action": "rename", "_selected_action": [first.pk]}
    assert 'name="confirmed"' in post("player", **rename).content.decode()
    post("player", confirmed="yes", name="Ada L.", **rename)
    first.refresh_from_db()
    assert first.name == "Ada L."
    identity = Identity.objects.get(name="Lovelace")
    release: Any = {"action": "release", "_selected_action": [identity.pk]}
    assert 'name="confirmed"' in post("identity", **release).content.decode()
    identity.refresh_from_db()
    assert identity.player == first
    post("identity", confirmed="yes", **release)
    identity.refresh_from_db()
    assert identity.player == second
    assert 'name="confirmed"' not in post("player", action="merge", _selected_action=[first.pk]).content.decode()


@pytest.mark.long(beside="tests/players/accounts/claims/test_services.py::test_actions_of_the_admin_ask_first")
@pytest.mark.parametrize(
    "table", ["user", "player", "identity", "claim", "personalbest", "combinedbest", "secondcount", "recordevent"]
)
def test_admin_pages_open(staff_client: Client, staff: User, table: str) -> None:
    for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT):
        upload("Ada", staff, level=level)
    give_name(staff, "Ada")
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
