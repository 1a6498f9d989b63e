"""Bans: what a banned account may do and may not, by session, token and socket; how a ban ends, and appeals."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final

import pytest
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from players.models import FOREVER, Decision, Player, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from players.web.banned import ALLOWED
from replays.models import Appeal, Ban, BanAppeal, Comment, Like, Replay
from replays.moderation.bans import MAX_APPEALS, appeal_answer, ban_appeal, ban_lift, ban_make
from replays.moderation.selectors import appealed_bans
from replays.play.models import Room
from replays.play.sockets.closed_accounts import _ask
from replays.play.solo.services import replay_store, store_missing
from tests.conftest import PASSWORD
from tests.factories import stored_replay
from tests.replays.conftest import Ingest
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.replays.games import game_file
from tests.replays.moderation.conftest import moderator_named, signed_in
from tests.replays.play.solo.test_pages import live_game

pytestmark = pytest.mark.django_db
TICKET: Final = {"purpose": "solo", "level": "beginner", "rules": "xp"}


@pytest.fixture
def banned(owner: User, moderator: User) -> User:
    ban_make(owner, moderator, "abuse", "Three times.", timezone.now() + timedelta(days=7))
    return User.objects.get(pk=owner.pk)


def token_client(user: User) -> Client:
    return Client(headers={"authorization": f"Bearer {token_create(user, 'script', list(Scope))[1]}"})


def is_refused(answer: Any) -> bool:
    if answer.status_code != 403:
        return False
    is_api = answer.headers["Content-Type"] == "application/problem+json"
    return answer.json()["code"] == "banned" if is_api else "banned" in answer.content.decode()


def attempts(replay: Replay, comment: Comment) -> list[Callable[[Client], Any]]:
    """Attempts at all that a ban takes away, by pages and by the API."""

    def page(address: str, body: dict[str, Any]) -> Callable[[Client], Any]:
        return lambda client: client.post(address, body)

    def call(address: str, body: dict[str, Any]) -> Callable[[Client], Any]:
        return lambda client: client.post(f"/api/v1/{address}", body, content_type="application/json")

    return [
        lambda client: client.post("/api/v1/replays/", {"file": SimpleUploadedFile("a.avf", game_file())}),
        call("play/tickets/", TICKET),
        call("play/rooms/", {"name": "Room"}),
        page(f"/replays/{replay.pk}/comments/", {"text": "Hello."}),
        page(f"/replays/{replay.pk}/like/", {"liked": "1"}),
        page(f"/report/comment/{comment.pk}/", {"rule": "abuse"}),
        page("/upload/", {}),
        page("/play/rooms/", {"name": "Room"}),
        page("/account/names/", {"name": "Ada"}),
        page("/account/token/", {"name": "new", "scopes": ["read"], "days": "30"}),
    ]


@pytest.fixture
def others_comment(other_player: User) -> Comment:
    replay = stored_replay(Player.objects.get(user=other_player), uploader=other_player)
    return Comment.objects.create(replay=replay, user=other_player, text="Theirs.", created_at=timezone.now())


def test_an_old_session_and_an_old_token_end_to_write_at_once(
    owner: User, owner_client: Client, moderator: User, others_comment: Comment
) -> None:
    program = token_client(owner)
    assert owner_client.get("/account/").status_code == 200
    ban_make(owner, moderator, "abuse", "", None)
    tried = attempts(others_comment.replay, others_comment)
    assert [number for number, one in enumerate(tried) if not is_refused(one(owner_client))] == []
    calls = tried[:3]
    assert [number for number, one in enumerate(calls) if not is_refused(one(program))] == []
    assert not Like.objects.exists()
    assert not Room.objects.exists()
    assert Comment.objects.count() == 1
    assert not Replay.objects.filter(uploader=owner).exists()
    assert owner.tokens.count() == 1


def test_a_new_sign_in_is_of_no_use(banned: User, others_comment: Comment) -> None:
    client = Client()
    assert client.post("/sign-in/", {"login": "owner", "password": PASSWORD}).status_code == 302
    assert client.get("/account/").status_code == 200
    for one in attempts(others_comment.replay, others_comment):
        assert is_refused(one(client))


def test_whatever_address_is_not_in_the_list_is_closed(banned: User) -> None:
    """The list names addresses that exist, and no page of moderators, of playing or of uploading."""

    def names(patterns: Any) -> set[str]:
        found: set[str] = set()
        for pattern in patterns:
            found |= names(pattern.url_patterns) if isinstance(pattern, URLResolver) else {str(pattern.name)}
        return found

    every = names([one for one in get_resolver().url_patterns if isinstance(one, URLPattern | URLResolver)])
    assert every >= ALLOWED
    own = {"token-end"}
    for word in ("upload", "play", "room", "judge", "moderat", "report", "like", "object", "token", "bans"):
        assert not {name for name in ALLOWED - own if word in re.split("[-_]", name)}, word


def test_a_banned_account_reads_exports_and_deletes(
    banned: User, ingest: Ingest, owner_client: Client, others_comment: Comment
) -> None:
    own = ingest(game_file(), uploader=banned)
    comment = Comment.objects.create(replay=own, user=banned, text="Mine.", created_at=timezone.now())
    for address in (
        "/",
        "/account/",
        "/account/uploads/",
        own.get_absolute_url(),
        "/api/v1/me/",
        "/account/decisions/",
    ):
        answer = owner_client.get(address)
        assert answer.status_code == 200, address
        if not address.startswith("/api/"):
            assert 'href="/account/ban/"' in answer.content.decode(), address
    export = json.loads(b"".join(owner_client.get("/api/v1/account/export/").streaming_content))  # type: ignore[attr-defined]
    assert [row["rule"] for row in export["bans"]] == ["abuse"]
    assert [row["action"] for row in export["decisions"]] == ["banned"]
    assert owner_client.post(f"/comments/{comment.pk}/delete/").status_code == 302
    assert not Comment.objects.filter(pk=comment.pk).exists()
    Replay.objects.filter(pk=own.pk).update(judgement="suspicious", ranked=False)
    assert owner_client.post(f"/replays/{own.pk}/appeal/", {"text": "It was me."}).status_code == 302
    assert Appeal.objects.filter(replay=own).count() == 1
    deleted = owner_client.post("/account/delete/", {"uploads": "delete", "password": PASSWORD, "final": "on"})
    assert deleted.headers["Location"] == "/account/deleted/"
    assert not User.objects.get(pk=banned.pk).is_active


def test_reading_costs_no_statement_more(owner: User, owner_client: Client, moderator: User) -> None:
    owner_client.get("/players/")
    with CaptureQueriesContext(connection) as before:
        owner_client.get("/players/")
    ban_make(owner, moderator, "abuse", "", None)
    with CaptureQueriesContext(connection) as after:
        assert owner_client.get("/players/").status_code == 200
    assert len(after) == len(before)


def test_a_body_of_a_banned_account_is_not_read(banned: User) -> None:
    from replays.upload.intake.permissions import sender_problem

    key = token_create(banned, "script", list(Scope))[1]
    problem = sender_problem({
        "REQUEST_METHOD": "POST", "PATH_INFO": "/api/v1/replays/", "wsgi.input": io.BytesIO(), "SERVER_NAME": "x", "SERVER_PORT": "80",
        "HTTP_AUTHORIZATION": f"Bearer {key}",
    })  # fmt: skip
    assert problem is not None
    assert (problem.code, problem.http_status) == ("banned", 403)


# --- playing ----------------------------------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_open_sockets_are_closed_with_those_of_closed_accounts(
    owner: User, other_player: User, moderator: User
) -> None:
    assert _ask([owner.pk, other_player.pk]) == {owner.pk, other_player.pk}
    ban = ban_make(owner, moderator, "abuse", "", timezone.now() + timedelta(hours=1))
    assert _ask([owner.pk, other_player.pk]) == {other_player.pk}
    ban_lift(ban, moderator, "")
    assert _ask([owner.pk]) == {owner.pk}


def test_a_game_that_was_decided_meanwhile_waits_for_the_end_of_the_ban(banned: User) -> None:
    game = live_game(user=banned, state="over", result="won", ended_at=timezone.now() - timedelta(minutes=5))
    type(game).objects.filter(pk=game.pk).update(recording=b"x\x9c\x03\x00\x00\x00\x00\x01", game_hash=b"1")
    assert replay_store(game.pk) is None
    assert store_missing() == 0
    game.refresh_from_db()
    assert game.recording is not None


# --- how a ban ends ---------------------------------------------------------------------------------------------------


def test_the_end_passes_and_nothing_has_to_run(owner: User, owner_client: Client, moderator: User) -> None:
    replay = stored_replay(None)
    ban_make(owner, moderator, "spam", "", timezone.now() + timedelta(days=1))
    address, body = f"/replays/{replay.pk}/comments/", {"text": "Back."}
    assert is_refused(owner_client.post(address, body))
    past = timezone.now() - timedelta(seconds=1)
    User.objects.filter(pk=owner.pk).update(banned_until=past)
    Ban.objects.update(until=past, made_at=past - timedelta(days=1))
    assert owner_client.post(address, body).status_code == 302
    assert 'href="/account/ban/"' not in owner_client.get("/").content.decode()
    with pytest.raises(ValidationError):
        ban_appeal(owner, "Too late.")
    assert not Ban.objects.get().is_in_force
    ban_make(owner, moderator, "spam", "Again.", None)  # a second one, though the first was never lifted
    assert User.objects.get(pk=owner.pk).banned_until == FOREVER


def test_a_new_ban_takes_the_place_of_the_old(banned: User, moderator: User) -> None:
    ban_make(banned, moderator, "spam", "Longer.", None)
    assert Ban.objects.filter(user=banned, ended_at=None).count() == 1
    assert Decision.objects.filter(action="banned").count() == 2
    assert User.objects.get(pk=banned.pk).banned_until == FOREVER


@pytest.mark.parametrize(
    "given", [("unheard", "x", None), ("other", "", None), ("abuse", "", timezone.now() - timedelta(days=1))]
)
def test_a_ban_needs_a_reason_and_an_end_that_is_to_come(owner: User, moderator: User, given: Any) -> None:
    with pytest.raises(ValidationError):
        ban_make(owner, moderator, *given)
    assert not User.objects.get(pk=owner.pk).is_banned


def test_nobody_bans_themselves_or_who_has_a_role(owner: User, moderator: User, staff: User) -> None:
    for victim, by in ((moderator, moderator), (staff, moderator), (moderator_named("second"), moderator)):
        with pytest.raises(ValidationError):
            ban_make(victim, by, "abuse", "", None)
    assert not Ban.objects.exists()


# --- appeals ----------------------------------------------------------------------------------------------------------


def test_the_page_says_what_why_and_until_when_and_takes_one_appeal(banned: User, owner_client: Client) -> None:
    page = owner_client.get("/account/ban/").content.decode()
    ban = Ban.objects.get()
    assert ban.until is not None
    for text in ("Insults or harassment", "Three times.", f"{ban.until:%Y-%m-%d}"):
        assert text in page
    assert owner_client.post("/account/ban/", {"text": " "}).status_code == 400
    assert owner_client.post("/account/ban/", {"text": "It was my brother."}).status_code == 302
    assert owner_client.post("/account/ban/", {"text": "Again."}).status_code == 400
    assert BanAppeal.objects.get().state == "open"
    chinese = owner_client.get("/account/ban/", headers={"Accept-Language": "zh-hans"}).content.decode()
    assert "辱骂" in chinese


def test_an_appeal_is_answered_by_another_moderator(banned: User, moderator: User, owner_client: Client) -> None:
    ban = Ban.objects.get()
    ban_appeal(banned, "It was my brother.")
    second = moderator_named("second")
    with pytest.raises(ValidationError) as refused:
        appeal_answer(ban, moderator, granted=False, answer="No.")
    assert refused.value.code == "own_matter"
    client = signed_in(second)
    assert "It was my brother." in client.get("/staff/bans/").content.decode()
    client.post(f"/staff/bans/{ban.pk}/", {"decision": "grant", "reason": ""})
    assert User.objects.get(pk=banned.pk).is_banned, "an answer needs a reason"
    client.post(f"/staff/bans/{ban.pk}/", {"decision": "grant", "reason": "Sorry."})
    assert not User.objects.get(pk=banned.pk).is_banned
    assert "Sorry." in owner_client.get("/account/ban/").content.decode()
    assert [row.action for row in Decision.objects.order_by("id")] == ["banned", "lifted"]
    with pytest.raises(ValidationError):
        appeal_answer(ban, second, granted=True, answer="Twice.")


def test_who_is_alone_answers_appeals_against_their_own_bans(banned: User, moderator: User) -> None:
    ban_appeal(banned, "Please.")
    appeal_answer(Ban.objects.get(), moderator, granted=False, answer="No.")
    assert BanAppeal.objects.get().state == "denied"
    assert User.objects.get(pk=banned.pk).is_banned
    assert Decision.objects.latest("id").action == "upheld"


def test_appeals_end(banned: User, moderator: User) -> None:
    for _one in range(MAX_APPEALS):
        ban_appeal(banned, "Please.")
        appeal_answer(Ban.objects.get(), moderator, granted=False, answer="No.")
    with pytest.raises(ValidationError) as refused:
        ban_appeal(banned, "Please.")
    assert refused.value.code == "too_many_appeals"


def test_a_banned_account_does_not_answer_or_lift(banned: User, moderator: User, owner_client: Client) -> None:
    """Not even one that was given the role past the services."""
    ban_appeal(banned, "Please.")
    User.objects.filter(pk=banned.pk).update(is_moderator=True, is_staff=True)
    pk = Ban.objects.get().pk
    assert owner_client.post(f"/staff/bans/{pk}/", {"decision": "lift"}).status_code == 403
    assert owner_client.get("/staff/bans/").status_code in (302, 403)
    with pytest.raises(ValidationError):
        ban_lift(Ban.objects.get(), User.objects.get(pk=banned.pk), "")
    assert User.objects.get(pk=banned.pk).is_banned


def test_statements_do_not_grow_with_bans(moderator: User) -> None:
    def fill(name: str, number: int) -> None:
        for one in range(number):
            user = User.objects.create_user(f"{name}{one}")
            ban_make(user, moderator, "spam", "", None)
            if one % 2:
                ban_appeal(user, "Please.")

    def count() -> int:
        client = signed_in(moderator)
        client.get("/staff/bans/")
        with CaptureQueriesContext(connection) as queries:
            assert client.get("/staff/bans/").status_code == 200
        return len(queries)

    fill("few", 2)
    few = count()
    fill("many", 12)
    assert count() == few
    assert [len(ban.open_appeals) for ban in appealed_bans()] == [1] * 7  # type: ignore[attr-defined]  # prefetched
