"""A name is one player's however it is spelt: composed or decomposed, with one space or more."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError

from players.accounts.claims.services import claim_make
from players.models import User
from replays.models import Replay
from tests.factories import give_name
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db

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
    assert "name_resembles" in {finding["code"] for finding in other_alphabet.findings}
    assert "name_hidden_characters" in {finding["code"] for finding in hidden.findings}


def test_another_spelling_of_a_claimed_name_waits_for_its_owner(ingest: Ingest, user: User, staff: User) -> None:
    first = ingest(game_file(1, player=COMPOSED), uploader=user)
    give_name(user, COMPOSED)
    forged = ingest(game_file(2, player=DECOMPOSED))
    assert (forged.player_id, forged.ownership, forged.ranked) == (first.player_id, "waiting", False)
    with pytest.raises(ValidationError, match="already yours"):
        claim_make(user, DECOMPOSED)
    assert claim_make(staff, DECOMPOSED).name == COMPOSED
