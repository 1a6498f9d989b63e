"""Limits on who may compute how much: addresses that cannot be invented, a budget of processor time, hard positions."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from players.models import User
from replays.odds.calculator import calculator_client as calculator
from replays.odds.calculator.calculator_client import Busy, Calculated, TooHard
from replays.odds.positions import budget

pytestmark = pytest.mark.django_db
URL = "/api/v1/probability/"
CORNER = {"rows": ["1.", ".."], "mines": 1}


def ask(client: Client, **headers: str) -> Any:
    return client.post(URL, CORNER, content_type="application/json", headers=headers)


def test_an_invented_address_does_not_renew_the_limit(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "5/minute")
    statuses = [ask(client, **{"X-Forwarded-For": f"192.0.2.{number}"}).status_code for number in range(10)]
    assert statuses == [200] * 5 + [429] * 5


def test_a_position_that_is_too_hard_is_refused(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of the real process is cut so short that nothing fits into it."""
    monkeypatch.setattr(calculator, "CPU_SECONDS", 1e-6)
    response = ask(client)
    assert (response.status_code, response.json()["code"]) == (422, "too_hard")
    assert client.get("/tools/probability/?position=1./..&mines=1").status_code == 422


@pytest.mark.parametrize("hard", [False, True])
def test_processor_time_is_a_budget_of_the_account_or_address(
    client: Client, owner: User, owner_client: Client, monkeypatch: pytest.MonkeyPatch, hard: bool
) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.TIME_LIMIT._rate", "1000/hour")

    def costs(*_arguments: object, **_options: object) -> Calculated:
        if hard:
            raise TooHard(0.5)
        return Calculated(None, 0.5)

    monkeypatch.setattr(budget, "calculate", costs)
    answers = [ask(client) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [422, 422, 429]
    assert answers[2].json()["code"] == "too_many_requests"
    assert 0 < int(answers[2]["Retry-After"]) <= 3600
    assert ask(owner_client).status_code == 422, "an account has a budget of its own"


def test_a_busy_site_says_when_to_try_again(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def busy(*_arguments: object, **_options: object) -> Calculated:
        raise Busy

    monkeypatch.setattr(budget, "calculate", busy)
    for response in (ask(client), client.get("/tools/probability/?position=1./..&mines=1")):
        assert response.status_code == 503
        assert int(response["Retry-After"]) > 0
    assert ask(client).json()["code"] == "busy"


# --- refusing is cheap ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rows", [[[]] * 30_000, [1] * 30_000, ["x" * 256] * 255, ["."] * 300, [""] * 255, [None]])
def test_a_body_that_is_no_position_is_told_one_fault_and_not_thousands(client: Client, rows: list[object]) -> None:
    answer = client.post("/api/v1/probability/", {"rows": rows, "mines": 1}, content_type="application/json")
    assert answer.status_code == 400
    assert list(answer.json()["errors"]) == ["rows"]
    assert len(answer.content) < 500


def large_link(sign: str) -> str:
    return "/tools/probability/?mines=1&position=" + "/".join(["." * 99 + sign] * 100)


def test_a_large_position_that_is_refused_is_not_drawn(client: Client) -> None:
    """Ten thousand cells take longer than everything else of the page."""
    page = client.get(large_link("9"))
    assert page.status_code == 400
    assert page.context["refusal"].code == "bad_cell"
    assert page.context["table"] == []
    small = client.get("/tools/probability/?mines=1&position=1.9/...")
    assert small.status_code == 400
    assert len(small.context["table"]) == 2


def test_nothing_is_drawn_for_who_has_no_time_left(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "1/day")
    assert client.get("/tools/probability/?mines=1&position=1./..").status_code == 200
    page = client.get("/tools/probability/?mines=1&position=1./..")
    assert page.status_code == 429
    assert page.context["table"] == []


def test_the_time_of_drawing_counts(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.TIME_LIMIT._rate", "5/day")
    statuses = {client.get("/tools/probability/?mines=1&position=1.9/" + "/".join(["..."] * 200)).status_code for _ in range(10)}  # fmt: skip
    assert statuses == {400}  # what is refused before computing is told, whatever was used
    answer = client.post("/api/v1/probability/", {"rows": ["1.", ".."], "mines": 1}, content_type="application/json")
    assert answer.status_code == 429
