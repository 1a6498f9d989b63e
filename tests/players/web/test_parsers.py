"""JSON of strangers, at every address of the API that takes some."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import User

NESTED = "[" * 100_000


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/api/v1/probability/", "/api/v1/play/tickets/", "/api/v1/me/known-files/"])
def test_json_that_is_nested_too_deeply(client: Client, address: str) -> None:
    client.force_login(User.objects.create_user("ada"))
    response = client.post(address, NESTED, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
