"""Claims proved by a game with a code, and the attacks on them, with real files."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from analysis.formats import rawvf
from analysis.recording import Kind, Level, Recording
from players.accounts.claims.services import CODE_LIFETIME, claim_make, release_name
from players.models import Claim, Identity, Player, User
from replays.models import Place, Replay
from replays.trust.ownership.asking import support_claims, take_codes
from tests.analysis.evidence import honest
from tests.encoders import native
from tests.factories import give_name
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest

pytestmark = pytest.mark.django_db

State = Claim.State


def game(name: str, seed: int = 1, form: str = "avf") -> Recording:
    """The game number ``seed`` under ``name``, as a program of ``form`` records it."""
    return replace(honest.recording(form, Level.BEGINNER, seed), player=name, player_bytes=name.encode())


def avf_of(name: str, seed: int = 1) -> bytes:
    return native.write(game(name, seed))


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def eve(db: None) -> User:
    return User.objects.create_user("eve")


def state_of(claim: Claim) -> str:
    claim.refresh_from_db()
    return claim.state


# --- how it should go ---


def test_a_game_with_the_code_makes_the_name_theirs(ingest: Ingest, ada: User) -> None:
    first = ingest(avf_of("Ada", 1), uploader=ada)
    claim = claim_make(ada, "Ada")
    fresh = ingest(avf_of(f"Ada {claim.code}", 2), uploader=ada)
    assert state_of(claim) == State.GRANTED
    assert claim.replay == fresh
    identity = Identity.objects.get()
    assert (identity.name, identity.claimant, identity.proof) == ("Ada", ada, "code")
    assert fresh.identifier == "Ada"
    assert fresh.player == first.player == ada.player
    assert fresh.ranked
    assert stored_boards() == expected_boards()


def test_a_version_that_nobody_knows_proves_nothing(ingest: Ingest, ada: User) -> None:
    claim = claim_make(ada, "Ada")
    later = replace(game(f"Ada {claim.code}", form="evf 4"), software="元9.0.0")
    replay = ingest(native.write(later), uploader=ada)
    assert (replay.judgement_code, state_of(claim)) == ("version_new", State.OPEN)


def test_a_newcomer_needs_one_game_only(ingest: Ingest, ada: User) -> None:
    claim = claim_make(ada, "Ada")
    replay = ingest(avf_of(f"Ada {claim.code}"), uploader=ada)
    assert state_of(claim) == State.GRANTED
    assert [player.name for player in Player.objects.all()] == ["Ada"]
    assert replay.player == ada.player


def test_a_further_name_by_code_moves_to_the_account(ingest: Ingest, owner: User) -> None:
    claim = claim_make(owner, "Ada")
    replay = ingest(avf_of(f"Ada {claim.code}"), uploader=owner)
    assert replay.player == owner.player
    assert stored_boards() == expected_boards()


@pytest.mark.parametrize("written", [str.lower, str.upper, lambda code: code[:4].lower() + code[4:]])
def test_case_does_not_matter(ingest: Ingest, ada: User, written: Callable[[str], str]) -> None:
    claim = claim_make(ada, "Ada")
    ingest(avf_of(f"Ada{written(claim.code)}"), uploader=ada)
    assert state_of(claim) == State.GRANTED
    assert Identity.objects.get().name == "Ada"


def evf_with(field: str, code: str) -> bytes:
    """An EVF file with ``code`` as its race or unique id."""
    return native.write(replace(game("Ada", form="evf 4"), extra={field: code}))


def rmv_with(place: int, code: str) -> bytes:
    """An RMV file with ``code`` as its nickname (0) or token (1)."""
    return native.write(replace(game("Ada", form="rmv 2"), code_texts=tuple(code * (place == n) for n in range(2))))


@pytest.mark.parametrize(
    "file_with",
    [partial(evf_with, "Race"), partial(evf_with, "UniqueId"), partial(rmv_with, 0), partial(rmv_with, 1)],
    ids=["race", "unique-id", "nickname", "token"],
)
def test_other_texts_of_a_file_may_have_the_code(
    ingest: Ingest, ada: User, file_with: Callable[[str], bytes], client: Any
) -> None:
    claim = claim_make(ada, "Ada")
    replay = ingest(file_with(claim.code), uploader=ada)
    assert replay.status == Replay.Status.DONE, replay.reject_params
    assert state_of(claim) == State.GRANTED
    assert replay.identifier == "Ada"
    assert claim.code not in client.get(replay.get_absolute_url()).content.decode()


# --- attacks ---


def test_a_public_file_uploaded_again_claims_nothing(ingest: Ingest, ada: User, eve: User, client: Any) -> None:
    """Finding S5: download, upload, claim."""
    original = ingest(avf_of("Ada"), uploader=ada)
    data = client.get(f"/replays/{original.pk}/file").content
    assert data == avf_of("Ada")
    claim = claim_make(eve, "Ada")
    client.force_login(eve)
    ingest(data, uploader=eve)
    assert state_of(claim) == State.OPEN
    # With the code written into its name it is still the same game.
    copy = ingest(avf_of(f"Ada {claim.code}"), uploader=eve)
    assert (copy.status, copy.judgement, copy.judgement_code) == (Replay.Status.DONE, "linked", "same_game")
    assert state_of(claim) == State.OPEN
    assert Identity.objects.get().state == Identity.State.UNCLAIMED


def test_a_code_does_not_take_games_of_others(ingest: Ingest, ada: User, eve: User) -> None:
    """A thief can make a fresh game with any name in his own clone, and the code."""
    theirs = ingest(avf_of("Ada", 1), uploader=ada)
    claim = claim_make(eve, "Ada")
    fresh = ingest(avf_of(f"Ada {claim.code}", 2), uploader=eve)
    assert state_of(claim) == State.REQUESTED
    assert claim.replay == fresh  # staff see it
    assert Identity.objects.get().state == Identity.State.UNCLAIMED
    assert Player.objects.get(pk=theirs.player_id or 0).user is None


def test_a_code_does_not_take_games_of_an_archive(ingest: Ingest, eve: User) -> None:
    ingest(avf_of("Ada", 1), uploader=None)
    claim = claim_make(eve, "Ada")
    ingest(avf_of(f"Ada {claim.code}", 2), uploader=eve)
    assert state_of(claim) == State.REQUESTED


def test_a_code_does_not_take_a_claimed_name(ingest: Ingest, ada: User, eve: User) -> None:
    ingest(avf_of("Ada", 1), uploader=ada)
    give_name(ada, "Ada")
    claim = claim_make(eve, "Ada")
    fresh = ingest(avf_of(f"Ada {claim.code}", 2), uploader=eve)
    assert state_of(claim) == State.REQUESTED
    assert Identity.objects.get().claimant == ada
    assert (fresh.ownership, fresh.ranked) == (Replay.Ownership.WAITING, False)


def test_of_two_codes_for_a_new_name_staff_decide_the_second(ingest: Ingest, ada: User, eve: User) -> None:
    claims = {user.pk: claim_make(user, "Ada") for user in (ada, eve)}
    for number, user in enumerate((ada, eve), start=1):
        ingest(avf_of(f"Ada {claims[user.pk].code}", number), uploader=user)
    assert [state_of(claims[user.pk]) for user in (ada, eve)] == [State.GRANTED, State.REQUESTED]
    assert Identity.objects.get().claimant == ada


def test_a_used_code_is_worth_nothing(ingest: Ingest, ada: User, eve: User) -> None:
    claim = claim_make(ada, "Ada")
    ingest(avf_of(f"Ada {claim.code}", 1), uploader=ada)
    release_name(Identity.objects.get())
    for number, user in ((2, ada), (3, eve)):  # replays of public files show the code
        replay = ingest(avf_of(f"Ada {claim.code}", number), uploader=user)
        assert replay.identifier == "Ada"  # it is removed all the same
    assert Identity.objects.get().state == Identity.State.UNCLAIMED


def test_a_code_in_a_text_file_is_worth_nothing(ingest: Ingest, ada: User) -> None:
    claim = claim_make(ada, "Ada")
    replay = ingest(rawvf.write(game(f"Ada {claim.code}")), uploader=ada)
    assert replay.status == Replay.Status.DONE
    assert state_of(claim) == State.OPEN
    assert [identity.name for identity in Identity.objects.all()] == ["Ada"]


def test_the_code_of_another_account_is_worth_nothing(ingest: Ingest, ada: User, eve: User) -> None:
    claim, other = claim_make(ada, "Ada"), claim_make(eve, "Ada")
    ingest(avf_of(f"Ada {claim.code}"), uploader=eve)
    assert (state_of(claim), state_of(other)) == (State.OPEN, State.OPEN)
    assert Identity.objects.get().state == Identity.State.UNCLAIMED


def test_a_code_uploaded_by_nobody_is_worth_nothing(ingest: Ingest, ada: User) -> None:
    claim = claim_make(ada, "Ada")
    ingest(avf_of(f"Ada {claim.code}"), uploader=None)
    ada.delete()
    assert state_of(claim) == State.OPEN


def test_a_code_is_for_one_name(ingest: Ingest, ada: User) -> None:
    claim = claim_make(ada, "Ada")
    replay = ingest(avf_of(f"Byron {claim.code}"), uploader=ada)
    assert replay.identifier == "Byron"
    assert state_of(claim) == State.OPEN
    assert Identity.objects.get().state == Identity.State.UNCLAIMED


def test_a_withdrawn_code_is_worth_nothing(ingest: Ingest, ada: User) -> None:
    claim = claim_make(ada, "Ada")
    Claim.objects.update(state=State.WITHDRAWN)
    ingest(avf_of(f"Ada {claim.code}"), uploader=ada)
    assert state_of(claim) == State.WITHDRAWN


@pytest.mark.parametrize(("late", "state"), [(False, State.GRANTED), (True, State.OPEN)])
def test_a_code_expires_at_the_upload(ingest: Ingest, ada: User, late: bool, state: str) -> None:
    claim = claim_make(ada, "Ada")
    assert claim.expires_at - claim.made_at == CODE_LIFETIME == datetime.timedelta(hours=72)
    hour = datetime.timedelta(hours=-1 if late else 1)
    Claim.objects.update(made_at=timezone.now() - CODE_LIFETIME, expires_at=timezone.now() + hour)
    replay = ingest(avf_of(f"Ada {claim.code}"), uploader=ada)
    assert replay.identifier == "Ada"
    assert state_of(claim) == state


def test_a_code_that_was_never_made_stays_in_the_name(ingest: Ingest, ada: User) -> None:
    claim_make(ada, "Ada")
    replay = ingest(avf_of("Ada SB234567"), uploader=ada)
    assert replay.identifier == "Ada SB234567"


def test_a_lost_game_counts_as_well(ingest: Ingest, ada: User) -> None:
    claim = claim_make(ada, "Ada")
    made = game(f"Ada {claim.code}")
    releases = [number for number, event in enumerate(made.events) if event["kind"] == Kind.LEFT_RELEASE]
    ingest(native.write(replace(made, events=made.events[: releases[3]].copy())), uploader=ada)
    assert Replay.objects.get().result != Replay.Result.WON
    assert state_of(claim) == State.GRANTED


@pytest.mark.parametrize("spoiled", ["open", "played before"])
def test_a_code_in_a_file_that_proves_nothing_is_worth_nothing(ingest: Ingest, ada: User, spoiled: str) -> None:
    """A file without a seal, or one whose clicks are those of an earlier game."""
    claim = claim_make(ada, "Ada")
    if spoiled == "open":
        ingest(native.write(game(f"Ada {claim.code}"), seal=b"J" * 16), uploader=ada)
    else:
        ingest(avf_of("Eve", 1), uploader=None)
        slower = game(f"Ada {claim.code}", 1)
        events = slower.events.copy()
        events["time_ms"] = events["time_ms"] * 2
        copied = ingest(native.write(replace(slower, events=events)), uploader=ada)
        assert Place.objects.get().holder != copied.pk
        assert copied.judgement_code == "moments_differ"
    assert state_of(claim) == State.OPEN
    assert "Ada" in [identity.name for identity in Identity.objects.all()]


# --- recompute ---


def test_recompute_keeps_names_without_codes(ingest: Ingest, ada: User) -> None:
    claim = claim_make(ada, "Ada")
    replay = ingest(avf_of(f"Ada {claim.code}"), uploader=ada)
    analyse_all_again()
    again = Replay.objects.get()
    assert (again.identifier, again.player, again.statistics_version) == (
        "Ada",
        replay.player,
        replay.statistics_version,
    )
    assert [identity.name for identity in Identity.objects.all()] == ["Ada"]


def test_files_without_codes_cost_no_query(ingest: Ingest, ada: User, django_assert_num_queries: Any) -> None:
    replay = ingest(avf_of("Ada"), uploader=ada)
    with django_assert_num_queries(0):
        assert take_codes([(replay, game("Ada"))]) == []
        support_claims([])
