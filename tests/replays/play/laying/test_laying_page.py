"""The page and the API that lay boards by the multiplayer paper: golden values, links, and what strangers may ask for."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pytest
from django.test import Client
from pytest_django import Settings

from replays.play.laying.selectors import MAX_TOOL_CELLS
from tests.analysis.multiplayer.golden import GOLDEN
from tests.cases import check_each_on_site
from tests.pages.html import Document

PAGE = "/tools/laying/"
API = "/api/v1/play/laying/"
TINY = {"rows": 4, "columns": 6, "area": 4, "area_mines": 3, "modulus": 101, "start_number": 7}

pytestmark = pytest.mark.django_db


def mines_of(board: list[str]) -> bytes:
    return np.packbits([[sign == "*" for sign in row] for row in board]).tobytes()


def test_the_default_board_is_the_golden_one(client: Client) -> None:
    found = client.get(API).json()
    assert hashlib.sha256(mines_of(found["board"])).hexdigest() == GOLDEN["default_board"]["board_sha256"]
    assert (found["mines"], len(found["areas"]), len(found["steps"])) == (1054, 25, 16)
    assert found["areas"][-1] == {"top": 64, "left": 64, "height": 11, "width": 11, "mines": 22}
    first = [
        {
            "cell": one["cell"],
            "fibonacci": one["fibonacci"],
            "delta": one["deltas"][-1],
            "swap_with": one["swapped_with"],
        }
        for one in found["steps"][:8]
    ]
    assert first == GOLDEN["default_board"]["first_8_steps"]


def test_the_tiny_board_with_its_retries(client: Client) -> None:
    found = client.get(API, {**TINY, "steps": 24}).json()
    assert found["board"] == GOLDEN["tiny_board"]["rows"]
    assert [one["deltas"] for one in found["steps"]] == [
        deltas for _, deltas, _ in GOLDEN["tiny_board"]["trace_fibonacci_deltas_swap"]
    ]
    later = client.get(API, {**TINY, "first_step": 20, "steps": 100}).json()["steps"]
    assert later == found["steps"][20:]


def test_the_link_of_the_api_is_a_page_with_the_same_board(client: Client) -> None:
    link = client.get(API, TINY).json()["link"]
    page = Document(client.get(link.removeprefix("http://testserver")).content.decode())
    assert "4 mines in 24 cells, 2 areas" in page.text
    values = {one["name"]: one["value"] for one in page.all("input") if "name" in one and one["name"] in TINY}
    assert values == {name: str(value) for name, value in TINY.items()}


def test_the_page_has_its_board_without_a_script(client: Client) -> None:
    page = Document(client.get(PAGE).content.decode())
    paths = {one["class"]: one["d"] for one in page.all("path") if "class" in one}
    runs = [part.split("h") for part in paths["mines"].split("M")[1:]]
    assert sum(int(run[1].split("v")[0]) for run in runs) == 1054
    assert paths["mines"].startswith("M1 0h1v1h-1zM11 0h1v1h-1zM13 0h3v1h-3z")
    assert "(0, 0) 2 2874682 (10, 3)" in page.text
    assert page.inline_code == []


def test_what_makes_no_board_is_refused(client: Client) -> None:
    def is_refused(values: dict[str, str], field: str) -> None:
        response = client.get(API, values)
        assert response.status_code == 400
        assert response.json()["code"] == "bad_parameter"
        assert set(response.json()["errors"]) == {field}
        page = client.get(PAGE, values)
        assert page.status_code == 400
        document = Document(page.content.decode())
        assert [one["name"] for one in document.all("input") if one.get("aria-invalid")] == [field]
        assert not document.all("svg") or all(one.get("class") != "laid" for one in document.all("svg"))

    cases = [
        ({"rows": "0"}, "rows"),
        ({"rows": "1000", "columns": "1000"}, "rows"),
        ({"rows": "x"}, "rows"),
        ({"area": "251"}, "area"),
        ({"area_mines": "256"}, "area_mines"),
        ({"modulus": "257"}, "modulus"),
        ({"modulus": "99999999"}, "modulus"),
        ({"start_number": "33554393"}, "start_number"),
        ({"start_number": str(2**53)}, "start_number"),
        ({"start_number": "-1"}, "start_number"),
        (
            {"rows": "8", "columns": "8", "area": "8", "area_mines": "8", "modulus": "128", "start_number": "3"},
            "modulus",
        ),
    ]
    check_each_on_site(is_refused, cases)


def test_unknown_parameters(client: Client) -> None:
    assert client.get(API, {"row": 3}).status_code == 400
    assert client.get(PAGE, {"step": "3", "utm": "x"}).status_code == 200


def test_the_largest_board_is_small_enough_to_send(client: Client) -> None:
    response = client.get(PAGE, {"rows": 316, "columns": 316})
    assert response.status_code == 200
    assert 316 * 316 <= MAX_TOOL_CELLS < 317 * 317
    assert len(response.content) < 400_000


def test_requests_are_counted_with_those_of_the_probability_tool(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "2/minute")
    assert client.get(API).status_code == 200
    assert client.get(PAGE, TINY).status_code == 200
    refused = client.get(API)
    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    page = client.get(PAGE, TINY)
    assert page.status_code == 429
    assert int(page["Retry-After"]) > 0
    assert client.get(PAGE).status_code == 200  # the board that everybody sees first costs nobody anything


def test_texts_in_chinese(client: Client, settings: Settings) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    text = Document(client.get(PAGE).content.decode()).text
    for words in ("逐区布雷", "共 25 个分区", "弱点", "23.0%"):
        assert words in text


def test_the_kernels_are_waited_for(client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr("replays.upload.kernels.warmup.is_ready", lambda name: name != "rooms")
    monkeypatch.setattr("replays.upload.kernels.compile_beside", lambda: None)
    assert client.get(API).status_code == 503
    assert client.get(PAGE).status_code == 503
