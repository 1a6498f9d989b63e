"""API tokens: stored as digests, shown once, with names, scopes and an end."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import ApiToken, User
from players.tokens.scopes import Scope
from players.tokens.services import MAX_TOKENS, token_create
from replays.models import Replay
from tests.conftest import PASSWORD
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db
KEY = re.compile(r"swb_[0-9a-f]{64}")
NEW = {"name": "my script", "scopes": ["read", "upload"], "days": "365"}
READ_UPLOAD = [Scope.READ, Scope.UPLOAD]


@pytest.fixture
def confirmed(owner: User) -> Client:
    """The owner, who has just entered the password."""
    client = Client()
    client.post("/sign-in/", {"login": "owner", "password": PASSWORD})
    client.post("/account/confirm/", {"password": PASSWORD})
    return client


def with_key(key: str, scheme: str = "Bearer") -> Client:
    return Client(headers={"authorization": f"{scheme} {key}"})


def upload(client: Client) -> Any:
    return client.post("/api/v1/replays/", {"file": SimpleUploadedFile("a.rawvf", game_file())})


def made(client: Client, **form: Any) -> str:
    """Make a token with the form; its key."""
    page = client.post("/account/token/", {**NEW, **form})
    assert page.status_code == 201
    assert page.headers["Cache-Control"].startswith("max-age=0, no-cache, no-store")
    return str(KEY.findall(page.content.decode())[0])


def test_the_key_is_shown_once_and_not_stored(owner: User, confirmed: Client) -> None:
    key = made(confirmed)
    page = confirmed.get("/account/").content.decode()
    assert key not in page
    assert key[:12] in page
    assert "my script" in page
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM players_apitoken")
        assert key[13:] not in str(cursor.fetchall())
    assert upload(with_key(key)).status_code == 202
    assert Replay.objects.get().uploader == owner


def test_the_command_on_the_page_works_as_it_stands(confirmed: Client) -> None:
    page = confirmed.post("/account/token/", NEW).content.decode()
    command = re.search(r"curl -H &quot;(.*?)&quot;|curl -H \"(.*?)\"", page)
    assert command is not None
    name, _, value = (command[1] or command[2]).partition(": ")
    assert upload(Client(headers={name.lower(): value})).status_code == 202


def test_a_stolen_session_makes_no_token(owner: User, owner_client: Client) -> None:
    answer = owner_client.post("/account/token/", NEW)
    assert answer.headers["Location"].startswith("/account/confirm/")
    assert not ApiToken.objects.exists()


def test_several_tokens_are_ended_one_by_one_or_all(owner: User, other_player: User, confirmed: Client) -> None:
    keys = [made(confirmed, name=f"token {number}") for number in range(4)]
    foreign, foreign_key = token_create(other_player, "theirs", READ_UPLOAD)
    first = ApiToken.objects.get(name="token 0")
    confirmed.post("/account/token/end/", {"id": str(first.pk)})
    confirmed.post("/account/token/end/", {"id": str(foreign.pk)})
    for nonsense in ("", "x", "9" * 30, "²"):
        confirmed.post("/account/token/end/", {"id": nonsense})
    statuses = [with_key(key).get("/api/v1/replays/").status_code for key in (*keys, foreign_key)]
    assert statuses == [401, 200, 200, 200, 200]
    confirmed.post("/account/token/end/", {"id": "all"})
    statuses = [with_key(key).get("/api/v1/replays/").status_code for key in (*keys, foreign_key)]
    assert statuses == [401, 401, 401, 401, 200]


def test_tokens_end_after_the_time_that_was_chosen(owner: User, confirmed: Client) -> None:
    key = made(confirmed, days="30")
    token = ApiToken.objects.get()
    assert datetime.timedelta(days=29) < token.expires_at - timezone.now() <= datetime.timedelta(days=30)
    ApiToken.objects.update(expires_at=timezone.now())
    assert with_key(key).get("/api/v1/replays/").status_code == 401
    assert key[:12] not in confirmed.get("/account/").content.decode()
    assert confirmed.post("/account/token/", {**NEW, "days": "9999"}).status_code == 422
    assert confirmed.post("/account/token/", {**NEW, "scopes": ["root"]}).status_code == 422


def test_the_list_takes_one_statement(owner: User, owner_client: Client) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            owner_client.get("/account/")
        return len(queries)

    statements()  # the first request of a process reads what later ones find in a cache
    none = statements()
    for number in range(5):
        token_create(owner, str(number), READ_UPLOAD)
    assert statements() == none


def test_a_closed_account_has_no_tokens(owner: User) -> None:
    _token, key = token_create(owner, "script", READ_UPLOAD)
    owner.is_active = False
    owner.save()
    assert with_key(key).get("/api/v1/replays/").status_code == 401


def test_an_account_has_so_many_tokens_at_most(owner: User, confirmed: Client) -> None:
    for number in range(MAX_TOKENS):
        token_create(owner, str(number), READ_UPLOAD)
    assert confirmed.post("/account/token/", NEW).status_code == 422
    assert ApiToken.objects.count() == MAX_TOKENS


@pytest.mark.parametrize(("wanted", "left"), [("on", 0), ("", 1)])
def test_a_new_password_ends_the_tokens_if_wanted(owner: User, confirmed: Client, wanted: str, left: int) -> None:
    token_create(owner, "script", READ_UPLOAD)
    elsewhere = Client()
    elsewhere.force_login(owner)
    page = confirmed.get("/account/password/").content.decode()
    assert re.search(r'<input[^>]*name="end_tokens"[^>]*checked', page), "it is the default"
    new = {"oldpassword": PASSWORD, "password1": "quite another phrase", "password2": "quite another phrase"}
    assert confirmed.post("/account/password/", {**new, "end_tokens": wanted}).headers["Location"] == "/account/"
    assert ApiToken.objects.count() == left
    assert elsewhere.get("/account/").status_code == 302, "all other sessions end"
    assert confirmed.get("/account/").status_code == 200


def test_the_last_use_is_noted_once_an_hour(owner: User, django_assert_num_queries: Any) -> None:
    token, key = token_create(owner, "script", READ_UPLOAD)
    client = with_key(key)
    client.get("/api/v1/statistics/")
    token.refresh_from_db()
    assert token.last_used_at is not None
    with django_assert_num_queries(1):  # the token with its account
        client.get("/api/v1/statistics/")
    before = timezone.now() - datetime.timedelta(hours=2)
    ApiToken.objects.update(last_used_at=before)
    client.get("/api/v1/statistics/")
    token.refresh_from_db()
    assert token.last_used_at is not None
    assert token.last_used_at > before


@pytest.mark.parametrize("header", ["Bearer", "Token a b", "bearer swb_00", "Token \xff", "TOKEN x"], ids=ascii)
def test_headers_that_carry_no_token(db: None, header: str) -> None:
    answer = Client(headers={"authorization": header}).get("/api/v1/statistics/")
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("scheme", ["Token", "Bearer", "bearer", "token"])
def test_both_schemes(owner: User, scheme: str) -> None:
    _token, key = token_create(owner, "script", [Scope.UPLOAD])
    assert upload(with_key(key, scheme)).status_code == 202
