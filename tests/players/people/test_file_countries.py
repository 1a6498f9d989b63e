"""The country of a player who chose none is that of most of their files."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.test import Client

from analysis.formats import rawvf
from analysis.recording import Level
from players.accounts.claims.services import release_name
from players.accounts.services import store_preferences
from players.models import Identity, Player, User
from replays.models import Replay
from replays.trust.judging.services import replay_judge
from replays.upload.processing.deletion import replay_delete
from tests.analysis.evidence import honest
from tests.encoders import native
from tests.factories import give_name
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.replays.games import recording

pytestmark = pytest.mark.django_db


def file_of(country: str, seed: int, name: bytes = b"Ann") -> bytes:
    recording = honest.recording("avf", Level.BEGINNER, seed)
    return native.write(replace(recording, player_bytes=name, country=country))


@pytest.fixture
def ann(ingest: Ingest) -> Player:
    """A player with two files from Poland and one from Germany."""
    for seed, country in enumerate(("PL", "DE", "PL"), 1):
        ingest(file_of(country, seed), name=f"{seed}.avf")
    return Player.objects.get(name="Ann")


def country_of(player: Player) -> tuple[str, bool]:
    player.refresh_from_db()
    return player.country, player.country_from_files


def test_most_files_tell_the_country(ann: Player, ingest: Ingest) -> None:
    assert country_of(ann) == ("PL", True)
    for seed in (4, 5):
        ingest(file_of("DE", seed), name=f"{seed}.avf")
    assert country_of(ann) == ("DE", True)


def test_no_country_of_a_draw_or_of_none(ann: Player, ingest: Ingest) -> None:
    ingest(file_of("DE", 4), name="4.avf")
    assert country_of(ann) == ("", False)
    other = ingest(file_of("", 5, b"Bob"), name="5.avf")
    assert other.player is not None
    assert country_of(other.player) == ("", False)


def test_a_file_that_anybody_can_write_tells_no_country(ingest: Ingest) -> None:
    row = ingest(rawvf.write(replace(recording(7), player="Mallory", country="PL")), name="7.rawvf")
    assert (row.file_country, row.evidence) == ("PL", "open")
    assert row.player is not None
    assert country_of(row.player) == ("", False)


def test_the_page_and_the_api_say_so(ann: Player) -> None:
    assert "(from most of their replays)" in Client().get(ann.get_absolute_url()).content.decode()
    row = Client().get(f"/api/v1/players/{ann.pk}/").json()
    assert (row["country"], row["country_from_files"]) == ("PL", True)


def test_boards_of_the_country_fill(ann: Player) -> None:
    assert "Ann" in Client().get("/leaderboards/beginner/time/?country=PL").content.decode()
    assert "Ann" not in Client().get("/leaderboards/beginner/time/?country=DE").content.decode()


def test_the_choice_of_the_owner_wins(ann: Player, ingest: Ingest, owner: User) -> None:
    Player.objects.filter(user=owner).delete()
    owner.country = "FR"
    owner.save()
    give_name(owner, "Ann")
    assert country_of(ann) == ("FR", False)
    ingest(file_of("PL", 4), name="4.avf", uploader=owner)
    assert country_of(ann) == ("FR", False)
    store_preferences(owner, language="", time_zone="UTC", clock="zero", country="")
    ingest(file_of("PL", 5), name="5.avf", uploader=owner)
    assert country_of(ann) == ("", False)


def test_an_owner_without_a_country_keeps_that_of_the_files(ann: Player, owner: User) -> None:
    Player.objects.filter(user=owner).delete()
    give_name(owner, "Ann")
    assert country_of(ann) == ("PL", True)
    store_preferences(owner, language="", time_zone="UTC", clock="zero", country="AT")
    assert country_of(ann) == ("AT", False)
    release_name(Identity.objects.get(name="Ann"))
    assert country_of(Player.objects.get(pk=ann.pk)) == ("PL", True)


def test_games_that_go_take_their_word_along(ann: Player, staff: User) -> None:
    polish = list(Replay.objects.filter(player=ann, file_country="PL"))
    replay_judge(polish[0], "frozen", "forged", staff)
    assert country_of(ann) == ("", False)
    replay_delete(polish[1], staff)
    assert country_of(ann) == ("DE", True)


def test_a_country_that_staff_chose_stays(ann: Player, ingest: Ingest, staff_client: Client) -> None:
    staff_client.post(f"/admin/players/player/{ann.pk}/change/", {"country": "CZ"} | INLINE)
    assert country_of(ann) == ("CZ", False)
    ingest(file_of("PL", 4), name="4.avf")
    assert country_of(ann) == ("CZ", False)


def test_a_recompute_fills_the_countries_of_older_rows(ann: Player) -> None:
    Replay.objects.update(file_country="")
    Player.objects.update(country="", country_from_files=False)
    analyse_all_again()
    assert country_of(ann) == ("PL", True)


#: The form of the names of a player in the admin, unchanged and empty.
INLINE = {"identities-TOTAL_FORMS": "0", "identities-INITIAL_FORMS": "0"}
