"""Tickets: who gets one, what it says, and that it can be used once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.play.sockets import tickets
from replays.play.sockets.tickets import Ticket, TicketError, issue, redeem
from replays.play.sockets.visitors import GUEST_COOKIE, Visitor, guest_of
from tests.cases import check_each_on_site
from tests.conftest import PASSWORD

pytestmark = pytest.mark.django_db
URL = "/api/v1/play/tickets/"
OWNER = Visitor(3, "", "owner")


@pytest.fixture(autouse=True)
def _rooms(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tickets.TARGETS, "room", lambda values, visitor: {**values, "for": visitor.name})
    monkeypatch.delitem(tickets.TARGETS, "solo", raising=False)


def ask(client: Client, **headers: Any) -> Any:
    return client.post(URL, {"purpose": "room", "room": "one"}, content_type="application/json", headers=headers)


def code_of(ticket: str, purpose: tickets.Purpose = "room") -> str:
    with pytest.raises(TicketError) as refused:
        redeem(ticket, purpose)
    return refused.value.code


# --- the ticket itself ---


def test_a_ticket_says_who_and_what_once() -> None:
    ticket = issue(OWNER, "room", {"room": "one", "n": 3})
    assert redeem(ticket, "room") == Ticket(OWNER, {"room": "one", "n": 3})
    assert code_of(ticket) == "ticket_used"


def test_a_ticket_of_a_guest() -> None:
    guest = guest_of("00000000000000ff")
    assert redeem(issue(guest, "solo", {}), "solo").visitor == guest == Visitor(None, "00000000000000ff", "Guest 0255")


def test_a_wrong_purpose_does_not_use_it_up() -> None:
    ticket = issue(OWNER, "room", {})
    assert code_of(ticket, "solo") == "ticket_bad"
    assert redeem(ticket, "room").visitor == OWNER


def test_a_changed_ticket() -> None:
    ticket = issue(OWNER, "room", {})
    for changed in ("", "x", ticket[:-1], ticket + "A", ticket[1:], ticket.replace(":", "", 1)):
        assert code_of(changed) == "ticket_bad"


def test_a_ticket_of_another_signature() -> None:
    """Other things that the site signs with the same key are no tickets."""
    from django.core import signing

    values = ["0" * 16, "room", 3, "", "owner", {}]
    assert code_of(signing.dumps(values)) == "ticket_bad"
    assert code_of(signing.dumps(values, salt="replays.play.guest")) == "ticket_bad"


def test_an_old_ticket(monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = issue(OWNER, "room", {})
    from time import time

    later = time() + 61
    monkeypatch.setattr("time.time", lambda: later)
    assert code_of(ticket) == "ticket_expired"


def test_another_process_knows_what_was_used(monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = issue(OWNER, "room", {})
    redeem(ticket, "room")
    monkeypatch.setattr(tickets, "_used", tickets._UsedTickets())  # as in another process
    assert code_of(ticket) == "ticket_used"


def test_without_the_cache_this_process_remembers() -> None:
    ticket = issue(OWNER, "room", {})
    redeem(ticket, "room")
    cache.clear()
    assert code_of(ticket) == "ticket_used"


def test_used_tickets_are_forgotten_when_they_have_expired() -> None:
    now = 0.0
    used = tickets._UsedTickets(lambda: now)
    assert [used.add("a"), used.add("a"), used.add("b")] == [True, False, True]
    now = 119
    assert not used.add("a")
    now = 120
    assert used.add("c")
    assert list(used._until) == ["c"]


def test_a_target_that_is_too_long_is_an_error_here() -> None:
    with pytest.raises(ValueError, match="too long"):
        issue(OWNER, "room", {"x": [str(number * 7919) for number in range(1000)]})


# --- the address ---


def test_a_guest_gets_a_ticket_and_a_cookie_and_stays_the_same() -> None:
    client = Client()
    first = ask(client)
    assert first.status_code == 200
    cookie = first.cookies[GUEST_COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 365 * 24 * 3600)
    answer = first.json()
    assert (answer["socket"], answer["protocol"], answer["seconds"]) == ("/ws/play/room/", "sweepbook.play.1", 60)
    one = redeem(answer["ticket"], "room")
    two = redeem(ask(client).json()["ticket"], "room")
    assert one == two
    assert one.visitor.user_id is None
    assert one.target == {"room": "one", "for": answer["name"]}
    assert redeem(ask(Client()).json()["ticket"], "room").visitor.guest != one.visitor.guest


def test_a_forged_cookie_makes_a_new_guest() -> None:
    client = Client()
    client.cookies[GUEST_COOKIE] = "00000000000000ff:x:y"
    assert redeem(ask(client).json()["ticket"], "room").visitor.guest != "00000000000000ff"


def test_the_cookie_is_secure_behind_https(settings: Settings) -> None:
    settings.HTTPS = True
    assert ask(Client()).cookies[GUEST_COOKIE]["secure"]


def test_an_account(owner: User, owner_client: Client) -> None:
    response = ask(owner_client)
    assert GUEST_COOKIE not in response.cookies
    assert redeem(response.json()["ticket"], "room").visitor == Visitor(owner.pk, "", "owner")


def test_an_account_needs_its_form_token(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.login(username="owner", password=PASSWORD)
    refused = ask(client)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    client.get("/sign-in/")
    client.get("/account/")
    token = client.cookies["csrftoken"].value
    assert ask(client, **{"X-CSRFToken": token}).status_code == 200


def test_a_token_needs_the_scope(owner: User) -> None:
    for scope, status in ((Scope.READ, 403), (Scope.UPLOAD, 200)):
        key = token_create(owner, scope, [scope])[1]
        assert ask(Client(), Authorization=f"Bearer {key}").status_code == status


def test_what_is_no_request() -> None:
    def is_refused(body: object) -> None:
        response = Client().post(URL, json.dumps(body), content_type="application/json")
        assert (response.status_code, response.json()["code"]) == (400, "bad_request")

    cases = [
        {},
        {"purpose": "else"},
        {"purpose": "room", "rows": -1},
        {"purpose": "room", "rows": 10**30},
        {"purpose": "room", "level": "x" * 101},
        {"purpose": "room", "room": "\0"},
        [],
        "text",
    ]
    check_each_on_site(is_refused, cases)


def test_what_nothing_plays() -> None:
    response = Client().post(URL, {"purpose": "solo"}, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (422, "not_playable")


def test_forms_and_deep_json_are_no_requests() -> None:
    assert Client().post(URL, {"purpose": "room"}).status_code == 415  # what a page of another site could send
    response = Client().post(URL, "[" * 100_000, content_type="application/json")
    assert response.status_code == 400


def test_too_many_tickets(monkeypatch: pytest.MonkeyPatch, owner_client: Client) -> None:
    monkeypatch.setattr("replays.play.tickets_api.TICKET_LIMIT._rate", "3/hour")
    client = Client()
    assert [ask(client).status_code for _ in range(4)] == [200, 200, 200, 429]
    assert int(ask(Client())["Retry-After"]) > 0  # a new guest from the same address
    assert ask(owner_client).status_code == 200


def test_tickets_while_the_counting_server_is_down(no_counts: None) -> None:
    assert ask(Client()).status_code == 200


def test_a_ticket_takes_no_query_but_those_for_the_account(
    owner_client: Client, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(0):
        assert ask(Client()).status_code == 200
    with django_assert_max_num_queries(2):
        assert ask(owner_client).status_code == 200
