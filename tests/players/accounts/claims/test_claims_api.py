"""Claims of names by programs: the account's own, under the rules of the pages, and without the codes."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from players.accounts.claims.services import MAX_CLAIMS_A_DAY, claim_make, claim_refuse
from players.models import Claim, User
from players.people.services import players_for_names
from players.tokens.scopes import Scope
from players.tokens.services import token_create

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/me/claims/"


def claim(client: Client, name: str) -> Any:
    return client.post(ADDRESS, {"name": name}, content_type="application/json")


def test_a_claim_is_made_listed_and_withdrawn(owner_client: Client) -> None:
    made = claim(owner_client, "Ada")
    assert made.status_code == 201
    body = made.json()
    assert (body["name"], body["state"], body["used_at"]) == ("Ada", "open", None)
    assert claim(owner_client, "Ada").json()["id"] == body["id"]
    assert owner_client.get(ADDRESS).json() == {"rows": [body]}
    assert owner_client.get(body["html_url"]).status_code == 200
    own = f"{ADDRESS}{body['id']}/"
    assert owner_client.delete(own).json()["state"] == "withdrawn"
    assert owner_client.delete(own).status_code == 400
    assert owner_client.get(ADDRESS).json() == {"rows": []}
    assert owner_client.get(own).json()["state"] == "withdrawn"


def test_no_answer_tells_the_code(owner_client: Client) -> None:
    made = claim(owner_client, "Ada")
    code = Claim.objects.get().code
    for answer in (made, owner_client.get(ADDRESS), owner_client.get(f"{ADDRESS}{made.json()['id']}/")):
        assert code not in answer.content.decode()


def test_claims_of_others_are_hidden(owner_client: Client, other_player: User) -> None:
    found = claim_make(other_player, "Ada")
    assert owner_client.get(ADDRESS).json() == {"rows": []}
    for method in ("get", "delete"):
        assert getattr(owner_client, method)(f"{ADDRESS}{found.pk}/").status_code == 404
    found.refresh_from_db()
    assert found.state == Claim.State.OPEN


def test_refusals_are_told(owner: User, owner_client: Client, staff: User) -> None:
    for name in ("", " ", "x" * 300):
        refused = claim(owner_client, name)
        assert (refused.status_code, list(refused.json()["errors"])) == (400, ["name"]), name
    asked = claim_make(owner, "Ada")
    Claim.objects.filter(pk=asked.pk).update(state=Claim.State.REQUESTED)
    players_for_names(["Ada"])
    claim_refuse(asked, staff, "Not yours.")
    assert owner_client.get(ADDRESS).json()["rows"][0]["reason"] == "Not yours."
    for number in range(MAX_CLAIMS_A_DAY):
        last = claim(owner_client, f"name {number}")
    assert (last.status_code, list(last.json()["errors"])) == (400, ["name"])


def test_a_token_needs_the_scope_of_uploads_to_claim(owner: User, client: Client) -> None:
    token = token_create(owner, "reader", [Scope.READ])[1]
    client.defaults["HTTP_AUTHORIZATION"] = f"Token {token}"
    assert client.get(ADDRESS).status_code == 200
    assert claim(client, "Ada").status_code == 403
    assert not Claim.objects.exists()


def test_the_list_is_one_query(owner_client: Client, owner: User, django_assert_max_num_queries: Any) -> None:
    for name in ("Ada", "Bob", "Eve"):
        claim_make(owner, name)
    with django_assert_max_num_queries(3):  # the session, the account, the claims
        assert len(owner_client.get(ADDRESS).json()["rows"]) == 3
