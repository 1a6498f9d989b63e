"""/healthz, the documentation of the API, and the addresses that `config` owns."""

from __future__ import annotations

import re

import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client

from config.http import vitals
from tests.api_schema import api_schema
from tests.services import Broker


@pytest.mark.django_db
def test_a_whole_site_is_ok(anonymous: Client) -> None:
    response = anonymous.get("/healthz")
    assert response.status_code == 200
    assert response.json() == {"status": "ok", "failing": [], **dict.fromkeys(vitals._PARTS, True)}
    assert "no-cache" in response["Cache-Control"]


@pytest.mark.django_db
def test_without_its_broker_the_site_is_degraded(anonymous: Client, broker: Broker) -> None:
    broker.stop()
    response = anonymous.get("/healthz")
    assert response.status_code == 200
    assert (response.json()["status"], response.json()["failing"]) == ("degraded", ["broker"])


@pytest.mark.django_db
def test_without_its_database_the_site_is_down(anonymous: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(seconds: int) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(vitals, "own_connection", refuse)
    response = anonymous.get("/healthz")
    assert response.status_code == 503
    assert response.json()["database"] is False


@pytest.mark.django_db
def test_the_documentation_of_the_api_loads_nothing_from_elsewhere(anonymous: Client) -> None:
    page = anonymous.get("/api/v1/docs/").content.decode()
    loaded = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert any("swagger-ui" in address for address in loaded)
    assert [address for address in loaded if not address.startswith(("/", settings.STATIC_URL, "data:"))] == []


@pytest.mark.django_db
def test_the_schema_names_every_endpoint() -> None:
    schema = api_schema()
    assert schema["openapi"].startswith("3.")
    paths = set(schema["paths"])
    assert {"/api/v1/replays/", "/api/v1/players/", "/api/v1/leaderboards/", "/api/v1/statistics/"} <= paths
    for methods in schema["paths"].values():
        for operation in methods.values():
            assert operation["responses"]


@pytest.mark.django_db
def test_the_language_can_be_chosen(anonymous: Client) -> None:
    response = anonymous.post("/i18n/setlang/", {"language": "zh-hans", "next": "/healthz"})
    assert response.status_code == 302
    assert anonymous.cookies[settings.LANGUAGE_COOKIE_NAME].value == "zh-hans"
