"""A name is one player's however it is spelt: composed or decomposed, with one space or more."""

from __future__ import annotations

import pytest
from django.test import Client

from players.accounts.claims.services import ClaimRefused, claim_make
from players.models import Claim, Identity, PersonalBest, Player, User
from players.people.selectors import players_named
from replays.models import Replay
from replays.upload.processing.spellings import join_spellings
from tests.factories import give_name, rank_replays, stored_replay
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = [pytest.mark.django_db, pytest.mark.database]

COMPOSED, DECOMPOSED = "José Pérez", "Jose\u0301  Pe\u0301rez"


@pytest.fixture
def user(db: None) -> User:
    """An account without a player."""
    return User.objects.create_user("jose")


@pytest.fixture
def other_user(db: None) -> User:
    return User.objects.create_user("rival")


def test_spellings_of_a_name_are_one_player(ingest: Ingest) -> None:
    rows = [
        ingest(game_file(seed, player=name))
        for seed, name in enumerate([COMPOSED, DECOMPOSED, "José\u3000Pérez", " José\u00a0 Pérez"], 1)
    ]
    assert {row.player_id for row in rows} == {rows[0].player_id}
    assert {row.identifier for row in rows} == {COMPOSED}
    assert [(row.ranked, row.judgement) for row in rows] == [(True, "accepted")] * len(rows)


def test_an_accent_or_another_alphabet_is_not_another_spelling(ingest: Ingest) -> None:
    """An imitator whose mark is drawn differently gets neither the games nor the place of a ranked player."""
    honest = ingest(game_file(1, player=COMPOSED))
    for seed, name in enumerate(["Jose Perez", "Josè Pérez", "Jóse Pérez", "J\u043esé Pérez", "José\u200b Pérez"], 2):
        assert ingest(game_file(seed, player=name)).player_id != honest.player_id, ascii(name)
    *_accents, other_alphabet, hidden = Replay.objects.order_by("pk")
    assert "name_look_alike" in {finding["code"] for finding in other_alphabet.findings}
    assert "name_hidden_characters" in {finding["code"] for finding in hidden.findings}


def test_another_spelling_of_a_claimed_name_waits_for_its_owner(ingest: Ingest, user: User, staff: User) -> None:
    first = ingest(game_file(1, player=COMPOSED), uploader=user)
    give_name(user, COMPOSED)
    forged = ingest(game_file(2, player=DECOMPOSED))
    assert (forged.player_id, forged.ownership, forged.ranked) == (first.player_id, "waiting", False)
    with pytest.raises(ClaimRefused, match="already yours"):
        claim_make(user, DECOMPOSED)
    assert claim_make(staff, DECOMPOSED).name == COMPOSED


# --- names from before ------------------------------------------------------------------------------------------------


def stored_before(name: str, *, uploader: User | None = None, ranked: bool = True, time_ms: int = 50_000) -> Replay:
    """A game under ``name`` exactly, as it was stored when each spelling had a player."""
    player = Player.objects.create(name=name)
    Identity.objects.create(name=name, player=player, first_player=player)
    row = stored_replay(player, identifier=name, uploader=uploader, time_ms=time_ms)
    if ranked:
        rank_replays([row])
    return row


def test_a_spelling_of_its_own_keeps_its_player(client: Client) -> None:
    row = stored_before(DECOMPOSED)
    assert join_spellings() == []
    row.refresh_from_db()
    player = Player.objects.get()
    assert (row.identifier, row.player_id, player.name, Identity.objects.get().name) == (
        COMPOSED, player.pk, COMPOSED, COMPOSED,
    )  # fmt: skip
    assert players_named("jose perez", 5) == [player]
    assert client.get(f"/players/{player.pk}/").status_code == 200


def test_two_spellings_become_one_player(client: Client) -> None:
    composed, other = stored_before(COMPOSED, time_ms=60_000), stored_before(DECOMPOSED, time_ms=50_000)
    look_alike = {
        "code": "name_look_alike",
        "text": f"The name looks like another player's: #{composed.player_id}, {COMPOSED}.",
    }
    held = stored_replay(other.player, identifier=DECOMPOSED, time_ms=40_000, findings=[look_alike], ranked=False)
    Replay.objects.filter(pk=held.pk).update(judgement="suspicious", judgement_code="name_look_alike")
    assert join_spellings() == []
    rows = Replay.objects.order_by("pk")
    assert {(row.player_id, row.identifier, row.judgement, row.ranked) for row in rows} == {
        (composed.player_id, COMPOSED, "accepted", True)
    }
    assert [one.name for one in Identity.objects.all()] == [COMPOSED]
    best = PersonalBest.objects.get(statistic="time", level="expert", style="all")
    assert (best.player_id, best.replay_id) == (composed.player_id, held.pk)
    assert players_named("jose", 5) == [composed.player]
    assert client.get(f"/players/{other.player_id}/")["Location"] == f"/players/{composed.player_id}/"
    assert join_spellings() == []


def test_what_accounts_claimed_is_left_to_staff(user: User, other_user: User) -> None:
    """Whoever claimed one spelling would otherwise get the games of the other, or lose their own to its owner."""
    mine, theirs = stored_before(DECOMPOSED, uploader=user), stored_before(COMPOSED, uploader=other_user)
    player = mine.player
    assert player is not None
    Identity.objects.filter(name=DECOMPOSED).update(state="claimed", claimant=user)
    Player.objects.filter(pk=player.pk).update(user=user)
    assert [(one.pk, other.pk) for one, other in join_spellings()] == [(player.pk, theirs.player_id)]
    mine.refresh_from_db()
    assert (mine.identifier, mine.player_id, mine.ranked) == (DECOMPOSED, player.pk, True)


def test_games_of_strangers_under_another_spelling_wait_for_the_owner(user: User, other_user: User) -> None:
    mine, theirs = stored_before(COMPOSED, uploader=user), stored_before(DECOMPOSED, uploader=other_user, time_ms=1_000)
    Identity.objects.filter(name=COMPOSED).update(state="claimed", claimant=user)
    Player.objects.filter(name=COMPOSED).update(user=user)
    assert join_spellings() == []
    theirs.refresh_from_db()
    assert (theirs.player_id, theirs.ownership, theirs.ranked) == (mine.player_id, "waiting", False)
    assert PersonalBest.objects.get(statistic="time", level="expert", style="all").replay_id == mine.pk


def test_names_that_staff_merged_are_one_name(user: User) -> None:
    mine, _theirs = stored_before(DECOMPOSED, uploader=user), stored_before(COMPOSED, uploader=user)
    Identity.objects.update(player=mine.player_id)
    Identity.objects.filter(name=DECOMPOSED).update(state="claimed", claimant=user)
    Replay.objects.update(player=mine.player_id)
    assert join_spellings() == []
    identity = Identity.objects.get()
    assert (identity.name, identity.state, identity.claimant_id) == (COMPOSED, "claimed", user.pk)
    assert set(Replay.objects.values_list("identifier", flat=True)) == {COMPOSED}


def test_claims_follow(user: User) -> None:
    claim = claim_make(user, COMPOSED)
    Claim.objects.update(name=DECOMPOSED)
    join_spellings()
    claim.refresh_from_db()
    assert claim.name == COMPOSED
