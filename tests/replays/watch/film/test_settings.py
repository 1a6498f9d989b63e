"""The settings of the viewer that an account keeps: what is taken, what is refused, and who may."""

from __future__ import annotations

import json
from typing import Any

from django.test import Client

from players.models import User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.watch.film.counters import ROW_NAMES
from replays.watch.film.film_texts import settings_of
from replays.watch.film.serializers import CLICKS, LAYERS, MOST_FORMULAS, TRAILS
from tests.cases import check_each_on_site
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

ADDRESS = "/api/v1/account/viewer/"
SETTINGS = {
    "rate": 0.25, "layers": ["odds", "bv"], "trail": "recent", "clicks": ["left", "chord"], "smooth": True, "letters": False,
    "rows": ["time", "bvs"], "formulas": ["(bvdone - 1) / time"],
}  # fmt: skip


def put(client: Client, body: Any, **headers: str) -> Any:
    data = body if isinstance(body, str) else json.dumps(body)
    return client.put(ADDRESS, data, content_type="application/json", headers=headers)


def film_data(client: Client, page: str) -> dict[str, Any]:
    text = client.get(page).content.decode().split('id="film-data" type="application/json">')[1].split("</script>")[0]
    found: dict[str, Any] = json.loads(text)
    return found


def test_what_is_stored_comes_back(owner: User, owner_client: Client) -> None:
    assert put(owner_client, SETTINGS).json() == SETTINGS
    assert put(owner_client, {"rate": 2}).json() == {"rate": 2}, "in place of the old ones"
    owner.refresh_from_db()
    assert owner.viewer_settings == {"rate": 2}


def test_the_page_carries_them_and_films_know_no_account(
    owner: User, owner_client: Client, client: Client, ingest: Ingest
) -> None:
    game = ingest(game_file())
    put(owner_client, SETTINGS)
    data = film_data(owner_client, game.get_absolute_url())
    assert data["account"] == ADDRESS
    expected = {**SETTINGS, "own": [{"text": "(bvdone - 1) / time", "tree": ["/", ["-", "bvdone", 1], "time"]}]}
    assert data["settings"] == {name: value for name, value in expected.items() if name != "formulas"}
    for visitor, page in ((client, game.get_absolute_url()), (owner_client, f"/embed/replays/{game.pk}/")):
        assert not {"settings", "account"} & set(film_data(visitor, page))
    film = owner_client.get(data["film"])
    assert film.status_code == 200
    assert "Cookie" not in film["Vary"]


def test_a_formula_whose_name_is_gone_is_left_out(owner: User) -> None:
    owner.viewer_settings = {"formulas": ["bvs + gone", "bvs"]}
    assert settings_of(owner) == {"own": [{"text": "bvs", "tree": "bvs"}]}


def test_bad_settings_are_refused(owner: User, owner_client: Client) -> None:
    def is_refused(body: Any) -> None:
        put(owner_client, {"rate": 2})
        refused = put(owner_client, body)
        assert refused.status_code == 400
        assert refused["Content-Type"] == "application/problem+json"
        owner.refresh_from_db()
        assert owner.viewer_settings == {"rate": 2}

    cases = [
        {"rate": 0}, {"rate": 17}, {"rate": "nan"}, {"rate": "inf"}, {"rate": None}, {"rate": [1]},
        {"layers": ["odds", "x"]}, {"layers": "odds"}, {"layers": ["odds"] * 6}, {"layers": [{"a": 1}]},
        {"trail": "long"}, {"clicks": "left"}, {"clicks": None}, {"clicks": ["middle"]}, {"clicks": ["left"] * 4},
        {"rows": ["__proto__"]}, {"rows": ["win"]}, {"rows": ["time"] * (len(ROW_NAMES) + 1)},
        {"formulas": ["alert(1)"]}, {"formulas": ["1 +"]}, {"formulas": ["bvs\0"]}, {"formulas": ["1" * 201]},
        {"formulas": ["bvs"] * (MOST_FORMULAS + 1)}, {"formulas": ["sqrt(" * 30 + "1" + ")" * 30]}, {"formulas": [""]},
        {"formulas": ["\ud800"]}, {"formulas": [None]}, [], "null", '"text"', "{", "[" * 50_000, '{"rate": NaN}',
    ]  # fmt: skip
    check_each_on_site(is_refused, cases)


def test_an_account_holds_a_bounded_amount(owner: User, owner_client: Client) -> None:
    """The largest settings that are taken; fields that nobody knows are refused."""
    most = {
        "rate": 0.123456789, "layers": list(LAYERS), "trail": max(TRAILS, key=len), "clicks": list(CLICKS), "smooth": False,
        "letters": False, "rows": list(ROW_NAMES), "formulas": ["bvs" + " " * 190 + "+1"] * MOST_FORMULAS,
    }  # fmt: skip
    assert put(owner_client, {**most, "more": "x" * 50_000}).status_code == 400
    assert put(owner_client, most).status_code == 200
    owner.refresh_from_db()
    assert set(owner.viewer_settings) == set(most)
    assert len(json.dumps(owner.viewer_settings)) < 8_000
    assert put(owner_client, {"rows": ["time", "bvs"], "layers": ["odds", "bv", "odds"]}).json()["layers"] == [
        "odds",
        "bv",
    ]


def test_rows_and_formulas_take_every_name_of_a_number(owner: User, owner_client: Client) -> None:
    sent = {"rows": ["is", "zne", "gzne", "cls"], "formulas": ["zini / is"]}
    assert put(owner_client, sent).json() == {"rows": ["isl", "gzne", "cls"], "formulas": ["zini / is"]}


def test_who_may(owner: User, client: Client) -> None:
    assert put(client, SETTINGS).status_code == 401
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(owner)
    refused = put(strict, SETTINGS)
    assert (refused.status_code, refused.json()["code"]) == (403, "csrf_failed")
    owner.refresh_from_db()
    assert owner.viewer_settings == {}
    for scope, status in ((Scope.READ, 403), (Scope.DELETE, 403), (Scope.UPLOAD, 200)):
        _token, key = token_create(owner, "script", [scope])
        assert put(Client(), SETTINGS, Authorization=f"Bearer {key}").status_code == status
