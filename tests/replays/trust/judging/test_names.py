"""Names that hide characters or imitate a ranked player's are held for staff."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.models import Identity, PersonalBest, User
from players.people.selectors import look_alikes
from players.people.services import players_for_names
from replays.models import Replay
from tests.factories import rank_replays, stored_replay
from tests.replays.again import analyse_all_again
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db

Ingest = Callable[..., Replay]
CYRILLIC = "\u0410nn"


def codes(row: Replay) -> list[str]:
    """The findings on the name."""
    return [finding["code"] for finding in row.findings if finding["code"].startswith("name_")]


def test_a_name_with_hidden_characters_does_not_rank_unseen(ingest: Ingest, client: Client) -> None:
    row = ingest(game_file(player="Ann\u202egnp"))
    assert (row.ranked, row.judgement, row.judgement_code) == (False, "suspicious", "name_hidden_characters")
    for address in (f"/replays/{row.pk}/", f"/players/{row.player_id}/", "/players/"):
        text = client.get(address).content.decode()
        assert "Ann⟨U+202E⟩gnp" in text, address
        assert "\u202e" not in text, address
    found = client.get(f"/api/v1/players/{row.player_id}/").json()
    assert (found["name"], found["shown_name"]) == ("Ann\u202egnp", "Ann⟨U+202E⟩gnp")
    assert found["identities"][0]["shown_name"] == "Ann⟨U+202E⟩gnp"
    assert client.get(f"/api/v1/replays/{row.pk}/").json()["shown_identifier"] == "Ann⟨U+202E⟩gnp"


def test_a_squatted_look_alike_makes_no_newcomer_suspicious(ingest: Ingest, client: Client) -> None:
    """Whoever sent a game under a look-alike first kept the honest newcomer off the boards (S2)."""
    squatter, newcomer = ingest(game_file(1, player=CYRILLIC)), ingest(game_file(2, player="Ann"))
    assert (newcomer.ranked, codes(newcomer)) == (True, ["name_resembles"])
    assert newcomer.findings[0]["params"]["player"] == squatter.player_id
    for one, other in ((squatter, newcomer), (newcomer, squatter)):
        assert f'href="/players/{other.player_id}/"' in client.get(f"/players/{one.player_id}/").content.decode()


@pytest.mark.parametrize("how", ["claimed", "two weeks on the boards"])
def test_a_look_alike_of_a_known_player_does_not_rank_unseen(ingest: Ingest, owner: User, how: str) -> None:
    honest = ingest(game_file(1, player="Ann"))
    if how == "claimed":
        Identity.objects.filter(name="Ann").update(state="claimed", claimant=owner)
    else:
        PersonalBest.objects.update(achieved_at=timezone.now() - timedelta(days=15))
    copy = ingest(game_file(2, player=CYRILLIC))
    assert (honest.ranked, codes(honest)) == (True, [])
    assert (copy.ranked, copy.judgement_code) == (False, "name_look_alike")
    assert copy.findings[0]["params"] == {"player": honest.player_id, "name": "Ann"}
    assert not PersonalBest.objects.filter(player=copy.player_id).exists()


def test_the_imitated_player_is_not_held_and_an_accepted_name_is_known(ingest: Ingest) -> None:
    first, copy = ingest(game_file(1, player="Ann")), ingest(game_file(2, player=CYRILLIC))
    rank_replays([stored_replay(copy.player, identifier=CYRILLIC)])  # staff let a game of it count
    assert ingest(game_file(3, player="Ann")).ranked
    assert ingest(game_file(4, player=CYRILLIC)).ranked
    assert first.player_id != copy.player_id


def test_other_names_rank(ingest: Ingest) -> None:
    names = ["Ann", "Anna", "ann", "Tom", "Tim", "张伟", "張偉", "王伟", "玉伟"]
    for seed, name in enumerate(names, 1):
        row = ingest(game_file(seed, player=name))
        assert (row.ranked, codes(row)) == (True, []), name


def test_a_recompute_finds_the_same(ingest: Ingest) -> None:
    ingest(game_file(1, player="Ann"))
    Identity.objects.filter(name="Ann").update(state="claimed")
    rows = [ingest(game_file(2, player=CYRILLIC)), ingest(game_file(3, player="\u200bBob"))]
    before = [(row.findings, row.judgement_code) for row in rows]
    Replay.objects.update(findings=[])
    analyse_all_again()
    for row in rows:
        row.refresh_from_db()
    assert [(row.findings, row.judgement_code) for row in rows] == before


def test_only_other_players_with_ranked_games_are_looked_at(django_assert_num_queries: Any) -> None:
    ann, other = players_for_names(["Ann", "Bob"]).values()
    assert look_alikes([CYRILLIC]) == {}  # nobody is ranked
    rank_replays([stored_replay(ann, identifier="Ann")])
    with django_assert_num_queries(1):
        assert look_alikes([CYRILLIC, "Ann", "Bob", "B\u043eb", "\u200b"]) == {CYRILLIC: (ann, True)}
    Identity.objects.filter(player=other).update(player=ann)
    assert look_alikes(["B\u043eb"]) == {"B\u043eb": (ann, True)}  # an alias counts
