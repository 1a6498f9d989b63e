"""Deleting an account by its owner: who can, what goes, what stays, and what the boards say afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.core import mail
from django.core.exceptions import ValidationError
from django.db import connection
from django.db.models import ForeignKey
from django.test import Client, TestCase
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from players.leaderboards.records.holders import record_holders
from players.leaderboards.services import rebuild_boards
from players.models import ApiToken, BoardCount, Claim, CombinedBest, Identity, PersonalBest, Player, SecondCount, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import (
    AccountDeletion,
    Appeal,
    Ban,
    BatchFile,
    Comment,
    Contest,
    DeletedGame,
    HomeVisit,
    Like,
    Replay,
    Sending,
    TrainingCard,
    TrainingDay,
    UploadBatch,
    file_store,
)
from replays.moderation.bans import ban_appeal, ban_lift, ban_make
from replays.own.account_deletion import erasing, services
from replays.own.account_deletion.erasing import erase
from replays.own.account_deletion.selectors import SETTLES_AFTER, deletions_left_alone
from replays.own.account_deletion.services import account_close
from replays.play.models import LiveGame, Room, RoomBoard, RoomPlayer, RoomTotal
from replays.play.referee.room_store import Change, RoomChange, store, take_over
from replays.play.referee.state import EndedBoard
from replays.play.solo.services import replay_store
from replays.tasks import delete_account
from replays.trust.judging.services import replay_judge
from replays.upload.processing.compute import compute_results
from replays.upload.processing.services import analyse_replays
from replays.watch.comments.services import comment_create, comment_moderate, like_set
from replays.watch.film.services import store_viewer_settings
from tests.conftest import PASSWORD
from tests.effort import rest_long
from tests.factories import comment_report, give_name, rank_replays, receive_one, replay_report, stored_replay
from tests.pages.html import Document
from tests.players.accounts.test_second_factor import code_of
from tests.replays.conftest import Ingest
from tests.replays.games import game_file
from tests.replays.play.solo.test_pages import live_game
from tests.replays.sent_tasks import sent_ids
from tests.services import free_port

pytestmark = pytest.mark.django_db
PAGE: Final = "/account/delete/"
LEAVE: Final = {"uploads": "leave", "password": PASSWORD, "final": "on"}
DELETE: Final = LEAVE | {"uploads": "delete"}
SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"


def erase_all(user: User) -> None:
    """Work until nothing is left, and then until the deletion is finished."""
    with TestCase.captureOnCommitCallbacks(execute=True):  # files are deleted then
        while erase(user.pk):
            pass
        AccountDeletion.objects.filter(user=user).update(asked_at=timezone.now() - SETTLES_AFTER - timedelta(seconds=1))
        while erase(user.pk):
            pass
    assert not User.objects.filter(pk=user.pk).exists()


def is_open(user: User) -> bool:
    return User.objects.get(pk=user.pk).is_active and not AccountDeletion.objects.filter(user=user).exists()


# --- who can ----------------------------------------------------------------------------------------------------------


def test_the_owner_with_the_password(owner: User, owner_client: Client) -> None:
    other_browser = Client()
    other_browser.force_login(owner)
    _token, key = token_create(owner, "program", [Scope.READ])
    answer = owner_client.post(PAGE, DELETE)
    assert answer.headers["Location"] == "/account/deleted/"
    assert answer.cookies["known_device"].value == ""
    assert owner_client.get(answer.headers["Location"]).status_code == 200
    row = User.objects.get(pk=owner.pk)
    assert (row.username, row.email, row.is_active) == (f"deleted account {owner.pk}", "", False)
    assert not row.has_usable_password()
    for client in (owner_client, other_browser):
        assert client.get("/account/").status_code == 302
    headers = {"Authorization": f"Bearer {key}"}
    assert Client(headers=headers).get("/api/v1/me/").status_code == 401
    Client().post("/sign-in/", {"login": "owner", "password": PASSWORD})
    assert not Client().login(username="owner", password=PASSWORD)
    assert not Client().login(username=row.username, password=PASSWORD)
    assert not EmailAddress.objects.filter(user=owner).exists()


def delete(client: Client, language: str = "en") -> None:
    with TestCase.captureOnCommitCallbacks(execute=True):
        assert client.post(PAGE, DELETE, headers={"Accept-Language": language}).status_code == 302


def test_a_letter_tells_the_owner(owner: User, owner_client: Client, settings: Settings) -> None:
    settings.SITE_CONTACT = "staff@example.org"
    delete(owner_client)
    (letter,) = mail.outbox
    assert letter.to == ["owner@example.org"]
    assert "deleted" in letter.subject
    assert "owner" in letter.body
    assert "staff@example.org" in letter.body


def test_the_letter_is_sent_when_the_account_is_closed_for_good(
    owner: User, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        account_close(owner, "leave")
        assert mail.outbox == []
    assert [letter.to for letter in mail.outbox] == [["owner@example.org"]]


def test_the_letter_in_chinese_without_a_contact(owner_client: Client, settings: Settings) -> None:
    settings.SITE_CONTACT = ""
    delete(owner_client, "zh-hans")
    (letter,) = mail.outbox
    assert "删除" in letter.subject
    assert "owner" in letter.body
    assert "@" not in letter.body


def test_no_letter_to_an_address_that_nobody_confirmed(owner: User, owner_client: Client) -> None:
    EmailAddress.objects.filter(user=owner).update(verified=False)
    delete(owner_client)
    assert mail.outbox == []


def test_a_mail_server_that_is_down_changes_nothing(
    owner: User, owner_client: Client, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND, settings.EMAIL_HOST, settings.EMAIL_PORT = SMTP, "127.0.0.1", free_port()
    delete(owner_client)
    assert not is_open(owner)
    assert [record.levelname for record in caplog.records if "letter" in record.getMessage()] == ["ERROR"]


def test_the_name_is_free_again_and_that_of_the_number_never_is(owner_client: Client, owner: User) -> None:
    owner_client.post(PAGE, DELETE)
    password = "another correct horse"
    for name, status in (("owner", 302), (f"deleted account {owner.pk + 1}", 200)):
        answer = Client().post("/sign-up/", {"username": name, "password1": password, "password2": password})
        assert answer.status_code == status, name


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        DELETE | {"password": "wrong"},
        DELETE | {"password": ""},
        DELETE | {"uploads": "sell"},
        {"password": PASSWORD, "final": "on"},
        {"uploads": "delete", "password": PASSWORD},
    ],
    ids=["nothing", "wrong password", "no password", "unknown choice", "no choice", "not final"],
)
def test_a_session_alone_deletes_nothing(owner: User, owner_client: Client, wrong: dict[str, str]) -> None:
    assert owner_client.post(PAGE, wrong).status_code == 422
    assert is_open(owner)
    assert owner_client.get("/account/").status_code == 200


def test_no_link_deletes_anything(owner: User, owner_client: Client) -> None:
    for method in ("get", "head", "put", "patch", "delete", "options"):
        getattr(owner_client, method)(f"{PAGE}?uploads=delete&password={PASSWORD}&final=on")
        assert is_open(owner), method


def test_another_site_cannot_send_the_form(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert client.post(PAGE, DELETE).status_code == 403
    assert is_open(owner)


def test_the_session_of_somebody_else(owner: User, other_player: User, other_client: Client) -> None:
    other_player.set_password("somebody else's own")
    other_player.save()
    other_client.force_login(other_player)
    assert other_client.post(PAGE, DELETE | {"user": owner.pk}).status_code == 422, "their account, my password"
    assert is_open(owner)
    assert is_open(other_player)


def test_no_token_does_it_whatever_its_scopes(owner: User) -> None:
    _token, key = token_create(owner, "everything", list(Scope))
    client = Client(headers={"Authorization": f"Bearer {key}"})
    assert client.post(PAGE, DELETE).status_code == 302, "pages know no tokens"
    assert is_open(owner)


def test_an_account_without_a_password(owner: User) -> None:
    owner.set_unusable_password()
    owner.save()
    client = Client()
    client.force_login(owner)
    assert 'name="uploads"' not in client.get(PAGE).content.decode()
    assert client.post(PAGE, DELETE).status_code in (200, 422)
    assert is_open(owner)
    secret = generate_totp_secret()
    TOTP.activate(owner, secret)
    assert client.post(PAGE, {"uploads": "leave", "final": "on", "code": code_of(secret)}).status_code == 302


def test_staff_are_refused_with_the_reason(staff: User, staff_client: Client) -> None:
    assert 'name="uploads"' not in staff_client.get(PAGE).content.decode()
    assert staff_client.post(PAGE, DELETE).status_code == 403
    with pytest.raises(ValidationError):
        account_close(staff, "leave")
    assert is_open(staff)


def test_guessing_is_limited(owner: User, owner_client: Client) -> None:
    statuses = [owner_client.post(PAGE, DELETE | {"password": f"guess {number}"}).status_code for number in range(25)]
    assert statuses[-1] == 429
    assert owner_client.post(PAGE, DELETE).status_code == 429
    assert is_open(owner)


# --- what goes --------------------------------------------------------------------------------------------------------


def everything_of(user: User, other: User, staff: User, ingest: Ingest) -> None:
    """Something in every table that refers to accounts."""
    own, others = ingest(game_file(1), uploader=user), ingest(game_file(2), uploader=other)
    for replay in (own, others):
        comment_create(replay, user, "Mine.")
        like_set(replay, user, liked=True)
    comment_report(comment_create(own, other, "Theirs."), user, "Rude.", "203.0.113.1")
    comment_report(comment_create(own, user, "Mine too."), other, "Rude.", "203.0.113.1")
    Sending.objects.create(replay=others, user=user, sent_at=timezone.now())
    Contest.objects.create(user=user, game=own.pk, takes=False, state="conceded", made_at=timezone.now())
    ban = ban_make(user, staff, "abuse", "", None)
    ban_appeal(user, "It was not me.")
    ban_lift(ban, staff, "")
    Ban.objects.create(user=other, by=user, rule="abuse", made_at=timezone.now(), ended_at=timezone.now())
    now = timezone.now()
    replay_report(others, user, "Not them.")
    Appeal.objects.create(replay=own, user=user, text="It was me.", created_at=now)
    TrainingCard.objects.create(user=user, replay=others, event=1, box=1, due_on=now)
    TrainingDay.objects.create(user=user, day=now, tried=1)
    HomeVisit.objects.create(user=user, seen_at=now, seen_event=0)
    batch = UploadBatch.objects.create(user=user, made_at=now, files=1)
    batch._meta.apps.get_model("replays", "BatchFile").objects.create(
        batch=batch, name="a.avf", outcome="stored", replay=own
    )
    batch._meta.apps.get_model("replays", "DeletedGame").objects.create(user=user, replay_number=1, deleted_at=now)
    live_game(user=user)
    BoardCount.objects.create(user=user, level="expert", rules="xp", left=3)
    live_game(user=user, state="over", replay=own, ended_at=now)
    room = Room.objects.create(name="Room", owner=user)
    RoomPlayer.objects.create(room=room, key=f"u{user.pk}", user=user, name=user.username, number=1)
    scores = [{"player": 1, "name": user.username, "user": user.pk, "hue": 1, "shade": 0, "score": 5, "blasts": 0}]
    RoomBoard.objects.create(room=room, epoch=1, start_number=1, started_at=now, end="finished", scores=scores)
    RoomTotal.objects.create(user=user, boards=1, score=5)
    token_create(user, "program", [Scope.READ])
    store_viewer_settings(user, {})
    give_name(user, "Ada Bot")
    LogEntry.objects.log_actions(staff.pk, [user], 2, "changed")


@pytest.mark.parametrize("uploads", rest_long("delete", "leave"))
def test_no_row_of_the_person_is_left(
    owner: User, other_player: User, staff: User, owner_client: Client, ingest: Ingest, uploads: str
) -> None:
    User.objects.filter(pk=owner.pk).update(username="Zaphod", email="zaphod@example.org", first_name="Zaphod")
    owner.refresh_from_db()
    everything_of(owner, other_player, staff, ingest)
    owner_client.get("/")
    assert holding("zaphod") >= {"players_user", "play_roomplayer", "django_admin_log"}, "it would be found"
    assert owner_client.post(PAGE, LEAVE | {"uploads": uploads}).status_code == 302
    erase_all(owner)
    referring = {
        (model._meta.label, field.name)
        for model in apps.get_models()
        for field in model._meta.concrete_fields
        if isinstance(field, ForeignKey) and field.related_model is User
        if model._default_manager.filter(**{field.name: owner.pk}).exists()
    }
    assert referring == set()
    assert holding("zaphod") == set()
    written = {
        text for text in ("Mine.", "Mine too.", "Rude.", "It was not me.", "It was me.") if holding(text.lower())
    }
    assert written <= ({"Rude.", "It was me."} if uploads == "leave" else {"Rude."}), "to staff, and by others"


def holding(word: str) -> set[str]:
    """Return the tables one of whose columns has ``word`` in a text, whatever its letters' case."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        found = set()
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT 1 FROM "{table}" AS row WHERE strpos(lower(row::text), %s) > 0', [word])  # noqa: S608
            if cursor.fetchone():
                found.add(table)
    return found


#: A text that the account chose, as others see it.
MARK: Final = "zq7mark"
#: What was written to staff about the judgement of a game, for them to decide.
_TO_STAFF: Final = {"replays_appeal"}


@pytest.mark.parametrize("uploads", rest_long("delete", "leave"))
def test_no_text_of_the_account_is_left(
    owner: User, other_player: User, staff: User, owner_client: Client, ingest: Ingest, uploads: str
) -> None:
    """Neither in a table nor in a dump: names of rooms, of files, of claims, what staff noted about them."""
    everything_of(owner, other_player, staff, ingest)
    now = timezone.now()
    Room.objects.filter(owner=owner).update(name=MARK)
    Replay.objects.filter(uploader=owner).update(original_name=f"{MARK}.avf")
    for state in Claim.State:
        code, ends = f"{state:.8}", now + timedelta(days=1)
        Claim.objects.create(
            user=owner, name=f"{MARK} {state}", code=code, state=state, text=MARK, made_at=now, expires_at=ends
        )
    Comment.objects.filter(user=owner).update(text=MARK)
    BatchFile.objects.update(name=MARK)
    DeletedGame.objects.update(original_name=MARK)
    refused = ingest(game_file(3), uploader=owner, name=f"{MARK} refused.avf")
    replay_judge(refused, "frozen", "Not a game.", staff)
    others = Replay.objects.get(uploader=other_player)
    comment_moderate(Comment.objects.filter(user=owner, replay=others)[0], staff, hidden=True, reason="Rude.")
    owner_client.post(PAGE, LEAVE | {"uploads": uploads})
    erase_all(owner)
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - a table of this database
            found = [row for row in cursor.fetchall() if MARK in str(row)]
            assert not found or table in _TO_STAFF, table
    rows = Client().get("/api/v1/replays/").json()["rows"]
    assert MARK not in str(rows)


def test_what_others_wrote_and_played_stays(
    owner: User, other_player: User, staff: User, owner_client: Client, ingest: Ingest
) -> None:
    everything_of(owner, other_player, staff, ingest)
    owner_client.post(PAGE, DELETE)
    erase_all(owner)
    (replay,) = Replay.objects.all()
    assert replay.uploader == other_player
    assert not Comment.objects.filter(user=owner).exists()
    assert not Like.objects.exists()
    assert RoomBoard.objects.get().scores[0]["name"] == RoomPlayer.NOBODY
    assert RoomPlayer.objects.get().name == RoomPlayer.NOBODY
    identity = Identity.objects.get(name="Ada Bot")
    assert (identity.state, identity.claimant) == (Identity.State.UNCLAIMED, None)
    assert [claim.text for claim in Claim.objects.all()] == [""]
    assert not ApiToken.objects.exists()
    assert not LiveGame.objects.exists()


def test_left_replays_are_whole_and_of_nobody(owner: User, owner_client: Client, ingest: Ingest) -> None:
    ranked, unread = ingest(game_file(1), uploader=owner), ingest(b"nothing", uploader=owner)
    before = list(PersonalBest.objects.values_list("statistic", "value", "replay").order_by("pk"))
    owner_client.post(PAGE, LEAVE)
    erase_all(owner)
    ranked.refresh_from_db()
    assert ranked.uploader is None
    assert file_store.exists(ranked.sha256)
    assert list(PersonalBest.objects.values_list("statistic", "value", "replay").order_by("pk")) == before
    assert not Replay.objects.filter(pk=unread.pk).exists(), "nobody could see it any more"
    assert not file_store.exists(unread.sha256)
    assert Client().get(f"/replays/{ranked.pk}/").status_code == 200
    assert "owner" not in Document(Client().get(f"/replays/{ranked.pk}/").content.decode()).text.split()


def test_deleted_replays_take_their_files_along(owner: User, owner_client: Client, ingest: Ingest, store: Path) -> None:
    for seed in (1, 2, 3):
        ingest(game_file(seed), uploader=owner)
    ingest(game_file(1) + b"\n", uploader=owner)  # a duplicate
    kept = ingest(game_file(4), uploader=None)
    owner_client.post(PAGE, DELETE)
    erase_all(owner)
    assert [row.pk for row in Replay.objects.all()] == [kept.pk]
    assert [path.name for path in store.rglob("*") if path.is_file()] == [kept.sha256]


def test_what_staff_did_not_accept_stays(owner: User, owner_client: Client, staff: User, ingest: Ingest) -> None:
    frozen = ingest(game_file(1), uploader=owner)
    replay_judge(frozen, "frozen", "Edited.", staff)
    assert "1 replay stays" in owner_client.get(PAGE).content.decode()
    owner_client.post(PAGE, DELETE)
    erase_all(owner)
    frozen.refresh_from_db()
    assert (frozen.judgement, frozen.uploader) == ("frozen", None)
    assert receive_one(game_file(1), name="again", uploader=None).outcome == "duplicate"


def test_a_linked_file_of_somebody_else_takes_the_place(
    owner: User, other_player: User, owner_client: Client, ingest: Ingest
) -> None:
    ingest(game_file(1), uploader=owner)
    copy = ingest(game_file(1) + b"\n", uploader=other_player)
    assert (copy.judgement, copy.ranked) == ("linked", False)
    owner_client.post(PAGE, DELETE)
    erase_all(owner)
    copy.refresh_from_db()
    assert (copy.judgement, copy.ranked) == ("accepted", True)


# --- boards -----------------------------------------------------------------------------------------------------------


def boards() -> dict[str, list[Any]]:
    """All rows of all boards, without what tells one computation from another."""
    return {
        model.__name__: sorted(model.objects.values_list(*names))
        for model, names in (
            (PersonalBest, ("player", "statistic", "level", "style", "value", "replay")),
            (CombinedBest, ("player", "statistic", "style", "value")),
            (SecondCount, ("player", "level", "style", "second", "games")),
        )
    }  # fmt: skip


def test_records_go_back_to_who_held_them(owner: User, other_player: User, owner_client: Client) -> None:
    theirs = [
        stored_replay(other_player.player, time_ms=50_000 + 1_000 * number, uploader=other_player)
        for number in range(3)
    ]
    slower = stored_replay(owner.player, time_ms=49_000, uploader=other_player)
    mine = [stored_replay(owner.player, time_ms=40_000 + number, uploader=owner) for number in range(5)]
    rank_replays([*theirs, slower, *mine])

    def leader() -> tuple[int, int | None]:
        held = next(one for one in record_holders() if (one.key.level, one.key.statistic) == ("expert", "time"))
        return held.player.pk, held.replay_id

    assert leader() == (owner.player.pk, mine[0].pk)
    owner_client.post(PAGE, DELETE)
    erase_all(owner)
    assert leader() == (slower.player_id, slower.pk), "a game that others uploaded is theirs to delete"
    after = boards()
    rebuild_boards()
    assert boards() == after
    assert {row.replay_id for row in PersonalBest.objects.filter(statistic="time", style="all")} == {
        slower.pk, theirs[0].pk,
    }  # fmt: skip


def test_the_player_of_live_games_goes_with_them(owner: User, owner_client: Client) -> None:
    player = owner.player
    own = stored_replay(player, uploader=owner, identifier="")
    rank_replays([own])
    owner_client.post(PAGE, DELETE)
    erase_all(owner)
    assert not Player.objects.filter(pk=player.pk).exists()
    assert boards() == {"PersonalBest": [], "CombinedBest": [], "SecondCount": []}


def test_left_live_games_keep_their_player_without_account_and_country(owner: User, owner_client: Client) -> None:
    Player.objects.filter(user=owner).update(country="de")
    own = stored_replay(owner.player, uploader=owner, identifier="")
    rank_replays([own])
    owner_client.post(PAGE, LEAVE)
    erase_all(owner)
    player = Player.objects.get(name="owner")
    assert own.player_id == player.pk
    assert (player.user, player.country, player.name) == (None, "", "owner")


# --- at the same time -------------------------------------------------------------------------------------------------


def test_a_worker_that_is_at_an_upload(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The account is closed and erased while a worker computes: nothing of the upload comes back."""
    receipt = receive_one(game_file(1), name="a", uploader=owner, enqueue=False)
    assert receipt.replay_id is not None

    def late(rows: Sequence[Replay]) -> Any:
        results = compute_results(rows)
        account_close(owner, "delete")
        erase_all(owner)
        return results

    monkeypatch.setattr("replays.upload.processing.services.compute_results", late)
    analyse_replays([receipt.replay_id])
    assert not Replay.objects.exists()
    assert not PersonalBest.objects.exists()
    assert not file_store.exists(file_store.sha256_of(game_file(1)))


def test_a_room_that_has_the_name_in_memory(owner: User) -> None:
    room = Room.objects.create(name="Room")
    RoomBoard.objects.create(room=room, epoch=1, start_number=1, started_at=timezone.now())
    account_close(owner, "leave")
    erase_all(owner)
    player = (room.pk, f"u{owner.pk}", owner.pk, "owner", 1, None, None, 5, 0, False, False, "", 0, 0)
    scores = [{"player": 1, "name": "owner", "user": owner.pk, "hue": 1, "shade": 0, "score": 5, "blasts": 0}]
    ended = EndedBoard(1, "finished", 0, 9, 0, scores)
    change = RoomChange(room.pk, 1, False, 1, 0, 1, 0, [], [ended], {}, [player], None)
    store(Change(0, take_over(0).fence, 1, "", "", [change]))
    stored = RoomPlayer.objects.get()
    assert (stored.user, stored.name) == (None, RoomPlayer.NOBODY)
    (score,) = RoomBoard.objects.get().scores
    assert (score["user"], score["name"], RoomTotal.objects.count()) == (None, RoomPlayer.NOBODY, 0)


@pytest.mark.parametrize("uploads", ["leave", "delete"])
def test_an_upload_that_arrives_after_the_work(owner: User, uploads: str) -> None:
    account_close(owner, uploads)
    assert not erase(owner.pk)
    receive_one(game_file(1), name="a", uploader=owner, enqueue=False)  # its request began before
    AccountDeletion.objects.update(worked_at=timezone.now() - timedelta(hours=1))
    assert deletions_left_alone() == [owner.pk]
    erase_all(owner)
    assert Replay.objects.exists() == (uploads == "leave")
    assert not Replay.objects.filter(uploader=owner).exists()
    assert deletions_left_alone() == []


def test_a_live_game_that_ends_after_the_work(owner: User) -> None:
    account_close(owner, "leave")
    assert not erase(owner.pk)
    game = live_game(user=owner, state="over", result="won", recording=b"game", ended_at=timezone.now())
    game.refresh_from_db()
    assert replay_store(game.pk) is None
    assert not LiveGame.objects.exists()
    erase_all(owner)
    assert not Player.objects.filter(name__startswith="deleted").exists()


def test_a_run_ends_and_the_next_goes_on(
    owner: User, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    """A worker that is killed between two transactions loses nothing: each run begins with what is left."""
    for number in range(6):
        stored_replay(None, uploader=owner, status=Replay.Status.QUEUED, sha256=f"{number:064x}")
    monkeypatch.setattr(erasing, "RUN_SECONDS", 0.0)
    monkeypatch.setattr(erasing, "_REPLAYS", 2)
    sent = sent_ids(monkeypatch, services.DELETE)
    account_close(owner, "delete")
    left = []
    for _ in range(5):
        with django_capture_on_commit_callbacks(execute=True):
            delete_account(owner.pk)
        left.append(Replay.objects.count())
    assert left == [4, 2, 0, 0, 0]
    assert sent == [[owner.pk]] * 4, "the last but one was at the player"


@pytest.mark.long(
    beside="tests/replays/own/account_deletion/test_deletion.py::test_left_replays_are_whole_and_of_nobody"
)
def test_statements_do_not_grow_with_the_uploads(owner: User, other_player: User) -> None:
    """But for one a file, which asks just before it is deleted whether the same bytes were uploaded again."""

    def statements(user: User, number: int) -> int:
        rank_replays([stored_replay(user.player, uploader=user, time_ms=60_000 + one) for one in range(number)])
        account_close(user, "delete")
        with CaptureQueriesContext(connection) as queries:
            erase_all(user)
        assert not Replay.objects.filter(uploader=user).exists()
        return len(queries) - number

    few = statements(owner, 5)  # first: it may also fill the cache of content types
    assert statements(other_player, 60) <= few
