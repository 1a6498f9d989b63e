"""The schema is made once a process, language and format, whoever asks and however many at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from config.api.views import SchemaView

ADDRESS = "/api/v1/schema"
JSON = {"accept": "application/json"}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The languages in which it was made, by a generator that takes no time."""
    calls: list[str] = []

    def get_schema(_self: SchemaGenerator, request: Any = None, public: bool = False) -> dict[str, str]:
        from django.utils.translation import get_language

        assert public
        assert request is None, "nothing of the first visitor is in it"
        calls.append(get_language() or "")
        return {"openapi": "3.0.3", "language": calls[-1]}

    monkeypatch.setattr(SchemaGenerator, "get_schema", get_schema)
    monkeypatch.setattr(SchemaView, "_made", {})
    return calls


def test_it_is_made_once_for_all_who_ask_at_once(made: list[str]) -> None:
    begin, answers = threading.Barrier(8, timeout=30), []

    def ask() -> None:
        begin.wait()
        answers.append(Client().get(ADDRESS, headers=JSON))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [answer.status_code for answer in answers] == [200] * 8
    assert len({answer.content for answer in answers}) == 1
    assert made == ["en"]


def test_each_language_and_format_has_its_own(made: list[str]) -> None:
    client = Client()
    for _ in range(2):
        assert client.get(ADDRESS, {"lang": "zh-hans"}, headers=JSON).json()["language"] == "zh-hans"
        by_header = client.get(ADDRESS, headers=JSON | {"accept-language": "zh-hans"})
        assert (by_header.json()["language"], by_header["Content-Language"]) == ("zh-hans", "zh-hans")
        assert client.get(ADDRESS, headers=JSON).json()["language"] == "en"
        assert b"language: en" in client.get(ADDRESS).content
    assert made == ["zh-hans", "en", "en"]


def test_whoever_has_it_gets_304(made: list[str]) -> None:
    first = Client().get(ADDRESS, headers=JSON)
    again = Client().get(ADDRESS, headers=JSON | {"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert "Accept" in first["Vary"]
    assert first["Content-Type"] == "application/json"
    assert made == ["en"]
