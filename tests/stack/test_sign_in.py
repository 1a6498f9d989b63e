"""Guessing passwords against two web servers, which count together in a real Valkey."""

from __future__ import annotations

import http.client
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from players.models import User
from tests.conftest import PASSWORD
from tests.services import Broker
from tests.stack.web import Web
from tests.worker import Worker

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

GUESSER, OWNER = "127.0.0.2", "127.0.0.3"  # a machine has all of 127.0.0.0/8


@pytest.fixture
def webs(worker: Worker, owner: User, other_player: User, tmp_path: Path) -> Iterator[list[Web]]:
    """Two web servers on the database and broker of ``worker``; passwords are stored as they expect them."""
    User.objects.update(password=PBKDF2PasswordHasher().encode(PASSWORD, "salt"))
    made = [Web(tmp_path / f"web{number}.log", worker.environment()) for number in range(2)]
    made[0].start()
    made[1].start()
    yield made
    for web in made:
        web.stop()


def sign_in(web: Web, source: str, name: str, password: str, forwarded: str = "") -> bool:
    """Open the form and send it from the address ``source``; whether there is a session then."""
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60, source_address=(source, 0))
    connection.request("GET", "/sign-in/")
    page = connection.getresponse()
    cookie = (page.getheader("Set-Cookie") or "").partition(";")[0]
    token = re.search(rb'name="csrfmiddlewaretoken" value="([^"]+)"', page.read())
    assert token is not None
    body = urlencode({"login": name, "password": password, "csrfmiddlewaretoken": token[1].decode()})
    headers = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"}
    if forwarded:
        headers["X-Forwarded-For"] = forwarded
    connection.request("POST", "/sign-in/", body, headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return "sessionid=" in str(answer.getheaders())


@pytest.mark.long(beside="tests/pages/test_accounts.py::test_sign_up_signs_in_and_stores_the_browsers_zone")
def test_after_40_wrong_passwords_the_right_one_does_not_get_in(webs: list[Web], broker: Broker) -> None:
    assert sign_in(webs[0], GUESSER, "owner", PASSWORD)
    for number in range(40):
        assert not sign_in(webs[number % 2], GUESSER, "owner", f"wrong {number}", forwarded=f"203.0.113.{number}")
    for web in webs:
        assert not sign_in(web, GUESSER, "owner", PASSWORD, forwarded="203.0.113.99")
        assert sign_in(web, OWNER, "owner", PASSWORD)
        assert sign_in(web, OWNER, "other_player", PASSWORD)
    broker.stop()
    assert sign_in(webs[0], OWNER, "owner", PASSWORD), "people sign in while Valkey is down"
    assert "Traceback" not in webs[0].text()
