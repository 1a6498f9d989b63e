"""The page of limits, and the same as JSON."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db
PAGE = "/api/v1/docs/limits/"
JSON = "/api/v1/limits/"


def test_the_page_and_the_json_have_the_same_rows(client: Client) -> None:
    found = client.get(JSON).json()
    page = client.get(PAGE).content.decode()
    rows = [row for table in ("rates", "sign_in", "sizes", "live") for row in found[table]]
    assert len(rows) > 50
    for row in rows:
        assert f"<code>{row['name']}</code>" in page
    assert page.count("<tr>") == len(rows) + 4


def test_figures_are_those_of_the_settings(client: Client, settings: Settings) -> None:
    settings.FILM_RATE, settings.UPLOAD_QUOTA_MB, settings.UPLOAD_MAX_FILES = "777/hour", 3, 123
    settings.PLAY_SOCKETS_OF_ACCOUNT = 9
    found = client.get(JSON).json()
    rates = {row["name"]: row for row in found["rates"]}
    assert (rates["films"]["quota"], rates["films"]["window_seconds"]) == (777, 3_600)
    assert (rates["upload-bytes"]["quota"], rates["upload-bytes"]["unit"]) == (3 * 1024 * 1024, "content-bytes")
    assert {row["name"]: row["most"] for row in found["sizes"]}["request-files"] == 123
    assert {row["name"]: row["most"] for row in found["live"]}["account-sockets"] == 9
    page = client.get(PAGE).content.decode()
    for text in ("777 per hour", "3.0\xa0MB per day", ">123<", "20,000 ms per minute", "10 in 15 minutes"):
        assert text in page, text


def test_the_page_is_linked_and_in_chinese(client: Client) -> None:
    assert client.get("/api/v1/").json()["links"]["limits"] == JSON
    for address in ("/api/v1/docs/", "/api/v1/docs/start/"):
        assert PAGE in client.get(address).content.decode()
    assert JSON in client.get(PAGE).content.decode()
    page = client.get(PAGE, headers={"accept-language": "zh-hans"}).content.decode()
    assert "<h1>API 限制</h1>" in page


def test_the_index_of_limits_costs_no_query(client: Client, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        client.get(JSON)
