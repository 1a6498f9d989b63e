"""Names whose encoding was guessed: it is said, changed in one step, and everything follows; nobody gains by it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from analysis.recording import Level
from players.decision_log import Action, Decision
from players.models import Identity, User
from players.people.selectors import players_named
from replays.models import Replay
from replays.trust.judging.services import replay_judge
from replays.trust.ownership.services import games_answer
from replays.upload.encodings.selectors import LABELS, readings_of
from replays.upload.encodings.services import encoding_choose
from replays.upload.processing import services
from replays.upload.processing.compute import compute_results
from replays.upload.processing.services import analyse_again
from replays.upload.processing.stale import replays_mark
from tests.analysis.evidence import honest
from tests.encoders import native
from tests.factories import give_name
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest

pytestmark = pytest.mark.django_db

NAME, MISREAD = "Jędrzej", "Jêdrzej"  # without a country it is read as cp1252
Ownership = Replay.Ownership


def file_of(raw: bytes, seed: int = 1, country: str = "") -> bytes:
    return native.write(replace(honest.recording("avf", Level.BEGINNER, seed), player_bytes=raw, country=country))


@pytest.fixture
def misread(ingest: Ingest, owner: User) -> Replay:
    return ingest(file_of(NAME.encode("cp1250")), name="game.avf", uploader=owner)


def reread(replay: Replay) -> Replay:
    return Replay.objects.select_related("player").get(pk=replay.pk)


def found(name: str) -> list[str]:
    return [player.name for player in players_named(name, 10)]


def address_of(replay: Replay) -> str:
    return reverse("replay-encoding", args=[replay.pk])


# --- the guess is said ---


def test_the_guess_is_said_on_the_page_and_in_the_api(misread: Replay, anonymous: Client) -> None:
    assert (misread.identifier, misread.name_encoding, misread.encoding_chosen) == (MISREAD, "cp1252", False)
    page = anonymous.get(misread.get_absolute_url()).content.decode()
    assert "Encoding: Western European (Windows-1252) (our guess)" in page
    assert "Wrong name?" not in page
    row = anonymous.get(f"/api/v1/replays/{misread.pk}/").json()
    assert (row["name_encoding"], row["encoding_chosen"], row["file_country"]) == ("cp1252", False, None)


def test_the_country_byte_decides(ingest: Ingest) -> None:
    polish = ingest(file_of(NAME.encode("cp1250"), country="PL"), name="game.avf")
    assert (polish.identifier, polish.name_encoding, polish.file_country) == (NAME, "cp1250", "PL")


@pytest.mark.parametrize("name", ["Ada", "王嘉宁"])
def test_nothing_is_said_where_nothing_was_guessed(
    name: str, ingest: Ingest, owner: User, owner_client: Client
) -> None:
    replay = ingest(file_of(name.encode()), name="game.avf", uploader=owner)
    assert replay.name_encoding == ""
    assert "guess</span>" not in owner_client.get(replay.get_absolute_url()).content.decode()
    assert owner_client.get(address_of(replay)).status_code == 403


def test_every_encoding_has_a_label(misread: Replay) -> None:
    readings = readings_of(misread)
    assert {reading.encoding for reading in readings} <= set(LABELS)
    names = [reading.name for reading in readings]
    assert names[0] == MISREAD
    assert NAME in names
    assert len(set(names)) == len(names)


# --- changed in one step ---


def test_its_uploader_chooses_and_all_follows(misread: Replay, owner_client: Client) -> None:
    assert misread.ranked
    former = misread.player
    assert former is not None
    assert found(MISREAD) == [MISREAD]
    assert NAME in owner_client.get(address_of(misread)).content.decode()
    response = owner_client.post(address_of(misread), {"encoding": "cp1250"}, follow=True)
    page = response.content.decode()
    assert "Encoding: Central European (Windows-1250) (chosen by hand)" in page
    assert f"The name now reads {NAME}." in page
    row = reread(misread)
    assert row.player is not None
    assert (row.identifier, row.player.name, row.ranked, row.encoding_chosen) == (NAME, NAME, True, True)
    assert found(NAME) == [NAME]
    assert stored_boards() == expected_boards()
    assert not Identity.objects.filter(name=MISREAD).exists()
    assert Client().get(former.get_absolute_url())["Location"] == row.player.get_absolute_url()


def test_the_choice_outlives_a_recompute_and_is_in_exports(misread: Replay, owner: User) -> None:
    encoding_choose(misread, "cp1250", owner)
    analyse_all_again()
    row = reread(misread)
    assert (row.identifier, row.name_encoding, row.encoding_chosen) == (NAME, "cp1250", True)
    assert f"Player: {NAME}" in Client().get(f"/replays/{row.pk}.rawvf").content.decode()


def test_a_choice_made_while_the_file_is_read_again_stays(
    misread: Replay, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    replays_mark(luck=False)

    def chosen_meanwhile(rows: Any) -> Any:
        results = compute_results(rows)
        encoding_choose(misread, "cp1250", owner)
        return results

    monkeypatch.setattr(services, "compute_results", chosen_meanwhile)
    analyse_again([misread.pk])
    assert (reread(misread).identifier, reread(misread).name_encoding) == (NAME, "cp1250")


def test_a_recompute_reads_older_rows_anew_and_forgets_what_they_were_misread_as(ingest: Ingest, owner: User) -> None:
    replay = ingest(file_of(NAME.encode("cp1250"), country="PL"), name="game.avf", uploader=owner)
    encoding_choose(replay, "gb18030", owner)
    (misread_as,) = Identity.objects.values_list("name", flat=True)
    assert misread_as != NAME
    Replay.objects.update(encoding_chosen=False)
    analyse_all_again()
    assert reread(replay).identifier == NAME
    assert (found(NAME), found(misread_as)) == ([NAME], [])
    assert stored_boards() == expected_boards()


def test_a_player_with_other_games_stays(misread: Replay, ingest: Ingest, owner: User) -> None:
    other = ingest(file_of(NAME.encode("cp1250"), 2), name="other.avf", uploader=owner)
    encoding_choose(misread, "cp1250", owner)
    assert reread(other).identifier == MISREAD
    assert found(MISREAD)[0] == MISREAD  # and without accents the other
    assert stored_boards() == expected_boards()


def test_back_and_forth(misread: Replay, owner: User) -> None:
    encoding_choose(misread, "cp1250", owner)
    encoding_choose(reread(misread), "cp1252", owner)
    assert reread(misread).identifier == MISREAD
    assert found(MISREAD) == [MISREAD]
    assert stored_boards() == expected_boards()


def test_staff_choose_and_it_is_in_the_log_of_decisions(misread: Replay, staff_client: Client, owner: User) -> None:
    staff_client.post(address_of(misread), {"encoding": "cp1250"})
    assert reread(misread).identifier == NAME
    decision = Decision.objects.get(action=Action.REENCODED)
    assert (decision.about_number, decision.before, decision.after) == (owner.pk, "cp1252", "cp1250")


def test_the_owner_of_the_name_chooses(ingest: Ingest, owner: User, other_player: User, misread: Replay) -> None:
    give_name(other_player, MISREAD)
    encoding_choose(reread(misread), "cp1250", other_player)
    row = reread(misread)
    assert (row.identifier, row.ownership, row.ranked) == (NAME, Ownership.NOT_ASKED, True)
    assert Identity.objects.get(name=MISREAD).claimant == other_player  # a claimed name stays


# --- nobody gains by it ---


def test_a_claimed_name_is_asked_about(misread: Replay, ingest: Ingest, owner: User, other_player: User) -> None:
    """Ask as if a file had stated the name: choosing an encoding gives nobody a game, and takes no name."""
    ingest(file_of(NAME.encode("cp1250"), 2, "PL"), name="theirs.avf", uploader=other_player)
    give_name(other_player, NAME)
    encoding_choose(misread, "cp1250", owner)
    row = reread(misread)
    assert row.player == other_player.player
    assert (row.ownership, row.ranked) == (Ownership.WAITING, False)
    assert stored_boards() == expected_boards()


def test_a_look_alike_is_found_as_in_a_new_file(ingest: Ingest, owner: User) -> None:
    ingest(file_of(b"ada", 2), name="ada.avf")
    Identity.objects.filter(name="ada").update(state="claimed")
    replay = ingest(file_of(b"\xe0da"), name="game.avf", uploader=owner)
    assert (replay.identifier, replay.ranked) == ("àda", True)
    encoding_choose(replay, "cp1251", owner)
    row = reread(replay)
    assert (row.judgement_code, row.ranked) == ("name_look_alike", False)


def test_strangers_may_not(misread: Replay, other_client: Client, anonymous: Client, other_player: User) -> None:
    for client, status in ((other_client, 403), (anonymous, 302)):
        assert client.get(address_of(misread)).status_code == status
        assert client.post(address_of(misread), {"encoding": "cp1250"}).status_code == status
    with pytest.raises(ValidationError):
        encoding_choose(misread, "cp1250", other_player)
    assert reread(misread).identifier == MISREAD


@pytest.mark.parametrize("encoding", ["", "utf-8", "utf-16", "rot13", "CP1250 "])
def test_only_encodings_that_the_bytes_fit_may_be_chosen(misread: Replay, owner_client: Client, encoding: str) -> None:
    owner_client.post(address_of(misread), {"encoding": encoding})
    assert not reread(misread).encoding_chosen


def test_after_a_decision_only_moderators_may(misread: Replay, owner: User, staff: User) -> None:
    """Staff accepted a game under one name; it does not take their word along to another."""
    replay_judge(misread, "accepted", "seen", staff)
    with pytest.raises(ValidationError):
        encoding_choose(reread(misread), "cp1250", owner)
    encoding_choose(reread(misread), "cp1250", staff)
    assert reread(misread).identifier == NAME


@pytest.mark.parametrize("answer", [Ownership.DISOWNED, Ownership.REPORTED])
def test_nobody_gets_away_from_a_no_of_the_owner(misread: Replay, owner: User, other_player: User, answer: str) -> None:
    give_name(other_player, MISREAD)
    Replay.objects.filter(pk=misread.pk).update(ownership=Ownership.WAITING)
    games_answer(other_player, [misread.pk], answer)
    with pytest.raises(ValidationError):
        encoding_choose(reread(misread), "cp1250", owner)
    assert reread(misread).ownership == answer
