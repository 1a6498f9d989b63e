"""API addresses without their last slash."""

from __future__ import annotations

from itertools import product

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from replays.models import Replay
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db


def test_an_upload_without_the_last_slash_is_not_lost(owner_client: Client) -> None:
    file = SimpleUploadedFile("game.rawvf", game_file())
    response = owner_client.post("/api/v1/replays", {"file": file})
    assert response.status_code == 202
    assert Replay.objects.count() == 1


def test_reading_without_the_last_slash_is_redirected(client: Client) -> None:
    response = client.get("/api/v1/replays")
    assert (response.status_code, response.headers["Location"]) == (301, "/api/v1/replays/")


def test_unknown_addresses_are_answered_with_json(client: Client) -> None:
    addresses = ("/api/v1/nothing", "/api/v1/nothing/", "/api/v1/replays/abc/", "/api/")
    for method, address in product((client.get, client.post), addresses):
        response = method(address)
        assert response.status_code == 404, (method, address)
        assert response.headers["Content-Type"] == "application/problem+json", (method, address)
        assert response.json()["code"] == "not_found", (method, address)


def test_unknown_pages_stay_pages(client: Client) -> None:
    response = client.get("/nothing/")
    assert (response.status_code, response.headers["Content-Type"]) == (404, "text/html; charset=utf-8")
