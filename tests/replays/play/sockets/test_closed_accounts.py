"""Accounts that are closed while they play, and sockets that grow old."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import DatabaseError
from django.test import Client

from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import AccountDeletion
from replays.own.account_deletion.services import account_close
from replays.play.sockets import closed_accounts, connection
from replays.play.sockets.socket_limits import limits_of_process
from replays.play.sockets.visitors import Visitor
from tests.replays.play.sockets.conftest import GUEST, Dial, hello
from tests.replays.play.sockets.test_connection import ACCOUNT, answers, end_of
from tests.services import wait_until


def deactivate() -> None:
    User.objects.filter(pk=7).update(is_active=False)


def delete() -> None:
    account_close(User.objects.get(pk=7), AccountDeletion.Uploads.LEAVE)


def vanish() -> None:
    User.objects.filter(pk=7).delete()


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(closed_accounts, "CHECK_SECONDS", 0.05)


@pytest.mark.parametrize("close", [deactivate, delete, vanish])
def test_open_sockets_of_an_account_end_with_it(dial: Dial, close: Callable[[], None]) -> None:
    other = User.objects.create_user("other", pk=8)  # 7 is the account of the fixture; the sequence may stand at it
    sockets = [dial() for _ in range(4)]
    for socket, visitor in zip(sockets, [ACCOUNT, ACCOUNT, Visitor(other.pk, "", "other"), GUEST], strict=True):
        hello(socket, visitor)
        assert answers(socket)
    close()
    assert [end_of(socket) for socket in sockets[:2]] == [("account_closed", 4403)] * 2
    assert all(answers(socket, 2) for socket in sockets[2:])
    assert limits_of_process().sockets("account", "account-7") == 0


@pytest.mark.parametrize("close", [deactivate, delete, vanish])
def test_a_ticket_of_a_closed_account_opens_nothing(dial: Dial, close: Callable[[], None]) -> None:
    socket = dial()
    close()
    hello(socket, ACCOUNT)
    assert end_of(socket) == ("account_closed", 4403)


def test_a_deactivated_account_gets_no_ticket(owner: User, owner_client: Client) -> None:
    _row, token = token_create(owner, "program", [Scope.UPLOAD])
    asked = {"purpose": "solo", "level": "expert", "rules": "xp"}
    User.objects.filter(pk=owner.pk).update(is_active=False)
    address = "/api/v1/play/tickets/"
    by_session = owner_client.post(address, asked, "application/json")
    assert by_session.json()["name"].startswith("Guest ")
    by_token = Client().post(address, asked, "application/json", headers={"Authorization": f"Bearer {token}"})
    assert by_token.status_code == 401


def test_while_the_database_is_away_everybody_plays_on(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def away(some: list[int], _size: int) -> None:
        asked.append(some)
        raise DatabaseError("away")

    monkeypatch.setattr(closed_accounts, "chunked", away)
    socket = dial()
    hello(socket, ACCOUNT)
    assert answers(socket)
    wait_until(lambda: len(asked) > 3, what="a few questions")
    assert answers(socket, 2)
    monkeypatch.undo()


def test_a_socket_that_was_open_for_long_is_closed(dial: Dial, monkeypatch: pytest.MonkeyPatch) -> None:
    """For guests as well; the code is none of those after which a page stays away."""
    monkeypatch.setattr(connection.Connection, "ping_seconds", (0.05,))
    socket = dial()
    hello(socket)
    assert answers(socket)
    monkeypatch.setattr("replays.play.sockets.connection.SOCKET_HOURS", 0)
    assert end_of(socket) == ("socket_old", 1012)


def test_nobody_deletes_an_account_in_the_admin(staff_client: Client, owner: User) -> None:
    assert staff_client.get(f"/admin/players/user/{owner.pk}/change/").status_code == 200
    assert staff_client.post(f"/admin/players/user/{owner.pk}/delete/", {"post": "yes"}).status_code == 403
    staff_client.post(
        "/admin/players/user/", {"action": "delete_selected", "_selected_action": [owner.pk], "post": "yes"}
    )
    assert User.objects.filter(pk=owner.pk).exists()
