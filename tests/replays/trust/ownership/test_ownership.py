"""Games that others upload under a claimed name: they wait, and the owner may disown any (finding S4)."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from analysis.recording import Level
from players.models import PersonalBest, Player, RecordEvent, User
from replays.models import Appeal, Replay
from replays.trust.judging import rules
from replays.trust.judging.appeals import appeal_create, appeals_grant
from replays.trust.judging.bots import player_mark_bot
from replays.trust.judging.services import replay_judge
from replays.trust.ownership.selectors import asked_page, uploaders_waiting, waiting_count
from replays.trust.ownership.services import (
    MAX_ANSWERED,
    NotYours,
    games_answer,
    games_answer_waiting,
    ownership_decide,
)
from replays.upload.processing.deletion import replay_delete
from tests.factories import give_name, rank_replays, stored_replay
from tests.pages.html import Document
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db

NAME = "Ada Bot"  # in the files of tests.replays.games
Ownership = Replay.Ownership


@pytest.fixture
def ada(ingest: Ingest, owner: User) -> User:
    """The owner of the name, who uploaded one game under it."""
    ingest(game_file(1), uploader=owner)
    give_name(owner, NAME)
    return owner


@pytest.fixture
def forged(ada: User, ingest: Ingest, other_player: User) -> Replay:
    """A game that another account uploaded under the claimed name."""
    return ingest(game_file(2), uploader=other_player)


def reread(replay: Replay) -> Replay:
    return Replay.objects.select_related("player").get(pk=replay.pk)


def assert_off_the_site(replay: Replay) -> None:
    """Nothing on boards or on the page of the player comes from ``replay``."""
    row = reread(replay)
    assert not row.ranked
    assert not PersonalBest.objects.filter(replay=row).exists()
    assert not RecordEvent.objects.filter(replay=row).exists()
    assert row.player is not None
    address = reverse("replay", args=[row.pk])
    for page in (row.player.get_absolute_url(), f"/replays/?player={row.player_id}", "/"):
        assert address not in Document(Client().get(page).content.decode()).links(), page
    assert stored_boards() == expected_boards()


# --- waiting ---


def test_a_file_by_others_waits_for_the_owner(forged: Replay, ada: User) -> None:
    assert forged.ownership == Ownership.WAITING
    assert forged.player == ada.player  # it stays linked to the name
    assert_off_the_site(forged)
    page = Document(Client().get(ada.player.get_absolute_url()).content.decode())
    listed = f"/replays/?player={ada.player.pk}&ownership=not_owned"
    assert listed in page.links()
    assert reverse("replay", args=[forged.pk]) in Document(Client().get(listed).content.decode()).links()
    assert "waiting for the name" in Client().get(forged.get_absolute_url()).content.decode()


def test_own_uploads_do_not_wait(ada: User, ingest: Ingest) -> None:
    replay = ingest(game_file(3), uploader=ada)
    assert (replay.ownership, replay.ranked) == (Ownership.NOT_ASKED, True)


def test_a_file_by_nobody_waits_too(ada: User, ingest: Ingest) -> None:
    """Or an account could upload, and be deleted before the file is analysed."""
    assert ingest(game_file(3), uploader=None).ownership == Ownership.WAITING


def test_an_unclaimed_name_asks_nobody(ingest: Ingest, other_player: User) -> None:
    replay = ingest(game_file(1), uploader=other_player)
    assert (replay.ownership, replay.ranked) == (Ownership.NOT_ASKED, True)


def test_games_from_before_the_claim_stay(ingest: Ingest, owner: User, other_player: User) -> None:
    theirs = ingest(game_file(1), uploader=other_player)
    give_name(owner, NAME)
    assert (reread(theirs).ownership, reread(theirs).ranked) == (Ownership.NOT_ASKED, True)
    games_answer(owner, [theirs.pk], "disowned")  # but they may be disowned
    assert_off_the_site(theirs)


@pytest.mark.parametrize(("options", "ownership"), [([], Ownership.VOUCHED), (["--ask-owners"], Ownership.WAITING)])
def test_the_operator_vouches_for_an_import(
    ada: User, tmp_path: Any, options: list[str], ownership: str, capsys: Any
) -> None:
    (tmp_path / "game.rawvf").write_bytes(game_file(4))
    call_command("import_replays", str(tmp_path / "game.rawvf"), "--inline", *options)
    replay = Replay.objects.latest("pk")
    assert (replay.ownership, replay.ranked) == (ownership, ownership == Ownership.VOUCHED)


# --- answers ---


def test_a_confirmed_game_counts(forged: Replay, ada: User) -> None:
    assert games_answer(ada, [forged.pk], "confirmed") == 1
    assert (reread(forged).ownership, reread(forged).ranked) == ("confirmed", True)
    assert stored_boards() == expected_boards()
    assert games_answer(ada, [forged.pk], "confirmed") == 0


@pytest.mark.parametrize("answer", ["disowned", "reported"])
def test_a_game_that_is_not_theirs_leaves_the_boards(forged: Replay, ada: User, answer: str) -> None:
    games_answer(ada, [forged.pk], "confirmed")
    games_answer(ada, [forged.pk], answer)
    assert reread(forged).ownership == answer
    assert_off_the_site(forged)
    page = Client().get(forged.get_absolute_url()).content.decode()
    assert f"{answer} by the name" in page  # stays stored, and says so
    games_answer(ada, [forged.pk], "confirmed")  # an answer may be changed
    assert reread(forged).ranked
    assert stored_boards() == expected_boards()


def test_own_uploads_may_be_disowned(ada: User) -> None:
    replay = Replay.objects.get()
    games_answer(ada, [replay.pk], "disowned")
    assert_off_the_site(replay)


def test_only_the_owner_answers(forged: Replay, ada: User, other_player: User) -> None:
    own = Replay.objects.exclude(pk=forged.pk).get()
    for account in (other_player, User.objects.create_user("third")):
        with pytest.raises(NotYours):
            games_answer(account, [forged.pk], "confirmed")
    with pytest.raises(NotYours):
        games_answer(ada, [own.pk, forged.pk, 10**9], "confirmed")  # nothing, if one is not theirs
    assert reread(forged).ownership == Ownership.WAITING
    for answer in ("", "vouched", "waiting", "yes"):
        with pytest.raises(ValidationError):
            games_answer(ada, [forged.pk], answer)
    with pytest.raises(ValidationError):
        games_answer(ada, range(1, MAX_ANSWERED + 2), "confirmed")


def test_bulk_answers(ada: User, ingest: Ingest, other_player: User, staff: User) -> None:
    for seed, uploader in ((2, other_player), (3, other_player), (4, staff), (5, None)):
        ingest(game_file(seed), uploader=uploader)
    assert next((one.name, one.games) for one in uploaders_waiting(ada)) == ("other_player", 2)
    assert waiting_count(ada) == 4
    assert games_answer_waiting(ada, "confirmed", other_player.pk) == 2
    assert waiting_count(ada) == 2
    assert games_answer_waiting(ada, "disowned") == 2
    assert games_answer_waiting(ada, "disowned") == 0
    assert stored_boards() == expected_boards()


def test_answers_take_few_queries(ada: User, django_assert_max_num_queries: Any) -> None:
    replays = [
        stored_replay(ada.player, Level.EXPERT, identifier=NAME, ranked=False, ownership="waiting") for _ in range(40)
    ]
    with django_assert_max_num_queries(40):
        assert games_answer(ada, [replay.pk for replay in replays], "confirmed") == 40
    with django_assert_max_num_queries(40):
        assert games_answer(ada, [replay.pk for replay in replays], "disowned") == 40
    assert stored_boards() == expected_boards()


def test_the_list_takes_one_query(ada: User, other_player: User, django_assert_num_queries: Any) -> None:
    for _ in range(60):
        stored_replay(ada.player, identifier=NAME, ranked=False, ownership="waiting", uploader=other_player)
    with django_assert_num_queries(1):
        page = asked_page(ada)
        assert {row.uploader.username for row in page.rows if row.uploader} == {"other_player"}
    assert len(page.rows) == 50
    assert len(asked_page(ada, cursor=page.next_cursor).rows) == 10


def test_a_yes_does_not_bring_a_record_in_past_the_provisional_days(
    ada: User, other_player: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two accounts: one uploads the record under the name of the other, who says yes."""
    monkeypatch.setattr(rules, "LEAST_PLAYERS", 3)
    monkeypatch.setattr(rules, "TOP_PLACES", 3)
    crowd = [Player.objects.create(name=f"player {number}") for number in range(4)]
    rank_replays([stored_replay(player, time_ms=60_000 + number) for number, player in enumerate(crowd)])
    row = stored_replay(
        ada.player, time_ms=45_000, identifier=NAME, ranked=False, ownership="waiting", uploader=other_player,
        evidence="sealed",
    )  # fmt: skip
    games_answer(ada, [row.pk], "confirmed")
    row.refresh_from_db()
    assert (row.ranked, row.judgement) == (True, Replay.Judgement.PROVISIONAL)
    assert row.provisional_until is not None
    assert not RecordEvent.objects.filter(replay=row).exists()
    assert stored_boards() == expected_boards()


# --- nothing else brings them back ---


def test_recompute_keeps_the_answers(forged: Replay, ada: User, ingest: Ingest, other_player: User) -> None:
    waiting = ingest(game_file(3), uploader=other_player)
    confirmed = ingest(game_file(4), uploader=other_player)
    games_answer(ada, [forged.pk], "disowned")
    games_answer(ada, [confirmed.pk], "confirmed")
    analyse_all_again()
    assert [(reread(row).ownership, reread(row).ranked) for row in (forged, waiting, confirmed)] == [
        ("disowned", False), ("waiting", False), ("confirmed", True),
    ]  # fmt: skip
    assert stored_boards() == expected_boards()


def test_neither_staff_nor_rules_bring_it_back_by_accepting_it(forged: Replay, ada: User, staff: User) -> None:
    replay_judge(forged, "frozen", "odd", staff)
    replay_judge(forged, "accepted", "not odd", staff)
    assert_off_the_site(forged)
    player_mark_bot(ada.player, is_bot=False, on_boards=True)
    assert_off_the_site(forged)


def test_a_copy_of_a_deleted_game_waits_as_well(forged: Replay, ada: User, other_player: User, ingest: Ingest) -> None:
    games_answer(ada, [forged.pk], "disowned")
    replay_delete(forged, other_player)
    again = ingest(game_file(2) + b"\n", uploader=other_player)
    assert (again.ownership, again.ranked) == (Ownership.WAITING, False)


# --- disputes ---


def test_the_uploader_may_appeal_to_staff(forged: Replay, ada: User, other_player: User, staff: User) -> None:
    games_answer(ada, [forged.pk], "disowned")
    appeal = appeal_create(reread(forged), other_player, "She played it at my house.")
    appeals_grant([forged.pk])  # what rules say of the game decides nothing here
    appeal.refresh_from_db()
    assert appeal.state == Appeal.State.OPEN
    replay_judge(forged, "accepted", "fine", staff)  # closes the appeal, and does not grant it
    appeal.refresh_from_db()
    assert appeal.state == Appeal.State.DENIED
    appeal = appeal_create(reread(forged), other_player, "But she did.")
    ownership_decide(reread(forged), "vouched", "there is a photo", staff)
    appeal.refresh_from_db()
    assert (appeal.state, appeal.answer) == (Appeal.State.GRANTED, "there is a photo")
    assert reread(forged).ranked
    assert stored_boards() == expected_boards()


def test_reported_games_go_to_staff(forged: Replay, ada: User, staff: User) -> None:
    games_answer(ada, [forged.pk], "reported")
    assert reread(forged).ownership == Ownership.REPORTED
    with pytest.raises(ValidationError):
        ownership_decide(forged, "disowned", " ", staff)
    with pytest.raises(ValidationError):
        ownership_decide(forged, "confirmed", "a reason", staff)
    ownership_decide(forged, "disowned", "it is a forgery", staff)
    assert_off_the_site(forged)


@pytest.mark.django_db(transaction=True)
def test_owner_and_staff_at_once(ada: User, staff: User) -> None:
    replays = [stored_replay(ada.player, time_ms=9_000 + number, identifier=NAME) for number in range(8)]
    rank_replays(replays)
    ids = [replay.pk for replay in replays]
    work: list[Callable[[], object]] = [
        lambda: games_answer(ada, ids, "disowned"),
        lambda: games_answer(ada, ids[::-1], "confirmed"),
        *(lambda replay=replay: ownership_decide(replay, "disowned", "a reason", staff) for replay in replays[:3]),
        *(lambda replay=replay: replay_judge(replay, "frozen", "a reason", staff) for replay in replays[3:5]),
    ]
    errors: list[Exception] = []
    gate = threading.Barrier(len(work))

    def run(change: Callable[[], object]) -> None:
        gate.wait()
        try:
            change()
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[change]) for change in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert not errors
    assert stored_boards() == expected_boards()


# --- pages ---


def test_the_page_of_waiting_games(forged: Replay, owner_client: Client) -> None:
    page = Document(owner_client.get("/account/").content.decode())
    assert "/account/games/" in page.links()
    assert 'class="dot waiting">1<' in owner_client.get("/account/").content.decode()
    asked = Document(owner_client.get("/account/games/").content.decode())
    assert forged.get_absolute_url() in asked.links()
    assert "other_player" in asked.text
    owner_client.post("/account/games/answer/", {"replay": [forged.pk], "answer": "confirmed"})
    assert reread(forged).ownership == "confirmed"
    assert "dot waiting" not in owner_client.get("/account/").content.decode()
    shown = owner_client.get("/account/games/?show=confirmed").content.decode()
    assert forged.get_absolute_url() in Document(shown).links()
    assert owner_client.get("/account/games/?show=vouched").status_code == 400


@pytest.mark.parametrize("scope", ["all", "uploader"])
def test_bulk_answers_on_the_page(forged: Replay, owner_client: Client, scope: str) -> None:
    given = {"scope": "all" if scope == "all" else forged.uploader_id, "answer": "disowned"}
    response = owner_client.post("/account/games/answer/", given, follow=True)
    assert "Answered 1 game." in response.content.decode()
    assert reread(forged).ownership == "disowned"


@pytest.mark.parametrize(
    ("data", "status"),
    [
        ({"answer": "confirmed"}, 302),
        ({"answer": "maybe", "scope": "all"}, 302),
        ({"answer": "confirmed", "replay": "x"}, 404),
        ({"answer": "confirmed", "replay": "9" * 30}, 404),
        ({"answer": "confirmed", "scope": "²"}, 404),
        ({"answer": "confirmed", "replay": "99999999"}, 404),
    ],
)
def test_bad_answers_change_nothing(forged: Replay, owner_client: Client, data: dict[str, str], status: int) -> None:
    assert owner_client.post("/account/games/answer/", data).status_code == status
    assert reread(forged).ownership == Ownership.WAITING


def test_others_have_no_say(forged: Replay, other_client: Client) -> None:
    one = reverse("replay-ownership", args=[forged.pk])
    assert other_client.post(one, {"answer": "confirmed"}).status_code == 403
    assert other_client.post(one, {"answer": "vouched", "reason": "mine"}).status_code == 403
    assert (
        other_client.post("/account/games/answer/", {"replay": [forged.pk], "answer": "confirmed"}).status_code == 404
    )
    assert Client().post(one, {"answer": "confirmed"}).status_code == 302  # to the sign-in page
    assert Client().get("/account/games/").status_code == 302
    assert forged.get_absolute_url() not in Document(other_client.get("/account/games/").content.decode()).links()
    assert reread(forged).ownership == Ownership.WAITING


def test_owner_and_staff_decide_on_the_page_of_a_replay(
    forged: Replay, owner_client: Client, staff_client: Client
) -> None:
    one = reverse("replay-ownership", args=[forged.pk])
    owner_client.post(one, {"answer": "reported"})
    assert reread(forged).ownership == "reported"
    assert "Played by the name" in staff_client.get(forged.get_absolute_url()).content.decode()
    staff_client.post(one, {"answer": "vouched", "reason": ""})
    assert reread(forged).ownership == "reported"
    staff_client.post(one, {"answer": "vouched", "reason": "seen"})
    assert reread(forged).ownership == "vouched"


def test_programs_read_that_it_is_not_theirs(forged: Replay, owner_client: Client) -> None:
    owner_client.post(reverse("replay-ownership", args=[forged.pk]), {"answer": "disowned"})
    assert Client().get(f"/api/v1/replays/{forged.pk}/").json()["ownership"] == "disowned"
    listed = Client().get(f"/api/v1/replays/?player={forged.player_id}").json()["rows"]
    assert forged.pk not in [row["id"] for row in listed]
    assert Client().get(f"/api/v1/players/{forged.player_id}/").json()["not_owned_games"] == 1
