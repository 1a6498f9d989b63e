"""``/api/v1/probability/``: results, limits, and hostile input."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from players.models import User
from replays.odds.positions.positions import MAX_CELLS
from tests.cases import check_each_on_site
from tests.effort import examples
from tests.replays.odds.positions.test_results import LATTICE

pytestmark = pytest.mark.django_db
URL = "/api/v1/probability/"
CORNER = {"rows": ["1.", ".."], "mines": 1}


def post(client: Client, body: Any, **options: Any) -> Any:
    data = body if isinstance(body, str | bytes) else json.dumps(body)
    return client.post(URL, data, content_type="application/json", **options)


def assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    assert response.status_code == status, response.content
    body: dict[str, Any] = response.json()
    assert body["code"] == code
    assert body["detail"]
    assert response["Content-Type"] == "application/problem+json"
    return body


# --- results ----------------------------------------------------------------------------------------------------------


def test_a_whole_result(client: Client) -> None:
    response = post(client, {"rows": ["11.", "..."], "mines": 1, "advice": True})
    assert response.status_code == 200
    found = response.json()
    texts = [found["steps"][0].pop("text"), found["advice"].pop("text")]
    assert all(named in texts[0] for named in ("A (the 1 in row 1, column 1)", "B (the 1 in row 1, column 2)"))
    assert "row 1, column 3; row 2, column 3" in texts[1]
    assert found == {
        "link": "http://testserver/tools/probability/?position=11./...&mines=1",
        "mines": 1,
        "flag_use": "trusted",
        "layouts": "2",
        "mine": [[None, None, 0.0], [0.5, 0.5, 0.0]],
        "elsewhere": None,
        "frontier": [{"mines": 1, "chance": 1.0}],
        "certain_safe": [[0, 2], [1, 2]],
        "certain_mine": [],
        "steps": [
            {
                "rule": "md2",
                "sets": [
                    {"name": "A", "number": [0, 0], "shown": 1, "cells": [[1, 0], [1, 1]], "mines": 1},
                    {"name": "B", "number": [0, 1], "shown": 1, "cells": [[0, 2], [1, 0], [1, 1], [1, 2]], "mines": 1},
                ],
                "mines": [],
                "safe": [[0, 2], [1, 2]],
                "guesses": [],
                "risk": None,
            }
        ],
        "advice": {"cells": [[0, 2], [1, 2]], "reason": "certain", "safe": 1.0, "win": None},
    }  # fmt: skip


def test_layouts_are_counted_to_the_last_digit(client: Client) -> None:
    response = post(client, {"rows": ["." * 30] * 16, "mines": 99})
    layouts = response.json()["layouts"]
    assert layouts.startswith("5602")
    assert len(layouts) == 105  # 480 over 99


def test_a_density_stands_for_mines(client: Client) -> None:
    assert post(client, {"rows": ["....", "...."], "density": 0.25}).json()["mines"] == 2


def test_flags_are_ignored_or_trusted(client: Client) -> None:
    query = {"rows": ["1F", ".."], "mines": 1}
    by_default, trusted, ignored = (
        post(client, query | flags).json() for flags in ({}, {"flags": "trusted"}, {"flags": "ignored"})
    )
    assert by_default == trusted
    assert (trusted["flag_use"], trusted["mine"]) == ("trusted", [[None, 1.0], [0.0, 0.0]])
    assert (ignored["flag_use"], ignored["mine"]) == ("ignored", [[None, 1 / 3], [1 / 3, 1 / 3]])
    assert "flags=ignored" in ignored["link"]
    assert "flags" not in trusted["link"]


def test_contradictory_flags_are_reported(client: Client) -> None:
    found = post(client, {"rows": ["1F", ".F"], "mines": 1}).json()
    assert (found["flag_use"], found["mine"]) == ("contradictory", [[None, 1 / 3], [1 / 3, 1 / 3]])


def test_a_link_has_the_same_result(client: Client) -> None:
    linked = client.get(URL + "?position=1./..&mines=1&advice=true")
    assert linked.json() == post(client, CORNER | {"advice": True}).json()
    assert linked.headers["Cache-Control"] == "public, no-cache"
    assert "Accept-Language" in linked.headers["Vary"]


def test_no_account_is_needed(client: Client, owner_client: Client) -> None:
    assert post(client, CORNER).status_code == post(owner_client, CORNER).status_code == 200


def test_it_is_in_the_schema(client: Client) -> None:
    schema = client.get("/api/v1/schema", headers={"accept": "application/json"}).content.decode()
    assert "/api/v1/probability/" in schema


# --- refusals ---------------------------------------------------------------------------------------------------------


def test_what_is_refused(client: Client) -> None:
    def is_refused(body: Any, status: int, code: str) -> None:
        assert_problem(post(client, body), status, code)

    cases = [
        ("", 400, "bad_request"),
        ("{", 400, "bad_request"),
        ("[]", 400, "bad_request"),
        ("null", 400, "bad_request"),
        ('{"rows": NaN}', 400, "bad_request"),
        ("[" * 30_000, 400, "bad_request"),
        (b"\xff\xfe", 400, "bad_request"),
        ({}, 400, "bad_request"),
        ({"rows": "1.", "mines": 1}, 400, "bad_request"),
        ({"rows": [["1", "."]], "mines": 1}, 400, "bad_request"),
        ({"rows": ["1."]}, 400, "bad_request"),
        (CORNER | {"density": 0.5}, 400, "bad_request"),
        ({"rows": ["1."], "density": "nan"}, 400, "bad_request"),
        ({"rows": ["1."], "density": 1.5}, 400, "bad_request"),
        (CORNER | {"mines": -1}, 400, "bad_request"),
        (CORNER | {"mines": 1.5}, 400, "bad_request"),
        (CORNER | {"mines": 10**400}, 400, "bad_request"),
        (CORNER | {"flags": "\ud800"}, 400, "bad_request"),
        (CORNER | {"flags": []}, 400, "bad_request"),
        (CORNER | {"rows": ["1\0", ".."]}, 400, "bad_request"),
        (CORNER | {"rows": []}, 400, "no_cells"),
        (CORNER | {"rows": ["1\ud800", ".."]}, 400, "bad_request"),
        (CORNER | {"rows": ["1 ", ".."]}, 400, "bad_cell"),
        (CORNER | {"rows": ["1.", "."]}, 400, "ragged_rows"),
        (CORNER | {"mines": 4}, 400, "too_many_mines"),
        ({"rows": ["." * 101] * 100, "mines": 1}, 400, "too_large"),
        (CORNER | {"mines": MAX_CELLS + 1}, 400, "bad_request"),
        ({"rows": ["." * 256], "mines": 1}, 400, "bad_request"),
        ({"rows": list(LATTICE.rows), "mines": LATTICE.mines}, 422, "too_wide"),
        ({"rows": ["8.", ".."], "mines": 1}, 422, "impossible_position"),
    ]  # fmt: skip
    check_each_on_site(is_refused, cases)


def test_a_contradiction_is_reported_with_its_cells(client: Client) -> None:
    body = assert_problem(post(client, {"rows": ["....", ".01.", "...."], "mines": 0}), 422, "impossible_position")
    assert body["cells"] == [[1, 2]]
    assert "the 1 in row 2, column 3" in body["detail"]


def test_a_wrong_field_is_named(client: Client) -> None:
    body = assert_problem(post(client, CORNER | {"mines": "many"}), 400, "bad_request")
    assert list(body["errors"]) == ["mines"]


def test_other_media_are_not_read(client: Client) -> None:
    assert_problem(client.post(URL, {"rows": "1."}), 415, "unsupported_media_type")


@pytest.mark.parametrize("query", ["", "?position=1./..", "?mines=1", "?position=%00&mines=1", "?position=1&mines=x"])
def test_bad_links(client: Client, query: str) -> None:
    assert client.get(URL + query).status_code == 400


def test_positions_are_counted_by_visitor(
    client: Client, owner_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "2/day")
    assert post(client, CORNER).status_code == 200
    assert (
        client.get("/tools/probability/?position=1./..&mines=1").status_code == 200
    )  # counted with the requests of the API
    refused = post(client, CORNER)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert client.get("/tools/probability/?position=1./..&mines=1").status_code == 429
    assert client.get("/tools/probability/").status_code == 200  # the first example is not counted
    assert post(owner_client, CORNER).status_code == 200


@pytest.mark.usefixtures("no_counts")
def test_a_counter_that_is_down_refuses_nobody(client: Client) -> None:
    assert post(client, CORNER).status_code == 200


def test_a_session_needs_the_form_token(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert post(client, CORNER).status_code == 403
    assert client.get(URL + "?position=1./..&mines=1").status_code == 200


# --- random input -----------------------------------------------------------------------------------------------------

_ANY = settings(max_examples=examples(150), suppress_health_check=[HealthCheck.function_scoped_fixture])
_signs = st.text(st.sampled_from("0123456789.F? x\ud800\0"), max_size=6)
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5) | _signs,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
_bodies = st.fixed_dictionaries(
    {},
    optional={
        "rows": st.lists(_signs, max_size=6) | _json,
        "mines": st.integers(-1, 12) | _json,
        "density": st.floats() | _json,
        "flags": st.sampled_from(["ignored", "trusted"]) | _json,
        "advice": st.booleans() | _json,
    },
)
_FINE = {200, 400, 413, 422}


@_ANY
@given(_bodies | _json)
@example({"rows": ["1."], "density": float("inf")})
@example("\ud800")
def test_no_body_breaks_it(client: Client, body: Any) -> None:
    response = post(client, json.dumps(body))  # also a text, which may hold what a raw body cannot
    assert response.status_code in _FINE
    response.json()


@_ANY
@given(st.binary(max_size=60))
def test_no_bytes_break_it(client: Client, body: bytes) -> None:
    assert post(client, body).status_code in _FINE


_positions = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.text("012345678.F?", min_size=width, max_size=width), min_size=1, max_size=5)
)


@_ANY
@given(_positions, st.integers(0, 8), st.sampled_from(["ignored", "trusted"]))
def test_every_position_is_answered_or_impossible(client: Client, rows: list[str], mines: int, flags: str) -> None:
    response = post(client, {"rows": rows, "mines": mines, "flags": flags, "advice": True})
    body = response.json()
    if response.status_code == 200:
        chances = [chance for line in body["mine"] for chance in line if chance is not None]
        assert sum(chances) == pytest.approx(mines)
        assert int(body["layouts"]) >= 1
    else:
        assert body["code"] in {"impossible_position", "too_many_mines"}
        for row, column in body.get("cells", []):
            assert rows[row][column] in "012345678"


@pytest.mark.long(beside="tests/replays/odds/positions/test_api.py::test_no_body_breaks_it")
@_ANY
@given(
    st.text(st.sampled_from("0123456789.F?/fx \n\0"), max_size=40),
    st.text("0123456789-.ena", max_size=4),
    st.text(max_size=4),
)
def test_no_link_breaks_the_page(client: Client, position: str, mines: str, flags: str) -> None:
    values = {"position": position, "mines": mines, "flags": flags}
    for address in ("/tools/probability/", URL):
        assert client.get(address, values).status_code in _FINE
