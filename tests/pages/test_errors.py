"""Error pages look like the site and say why."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from config.urls import urlpatterns as site_urls
from tests.cases import check_each_on_site
from tests.pages.html import Document


def _breaks(request: Any) -> HttpResponse:
    raise RuntimeError("a fault of ours")


urlpatterns = [*site_urls, path("breaks/", _breaks)]


def test_bad_addresses(db: None, client: Client) -> None:
    def is_told(address: str, status: int, reason: str) -> None:
        response = client.get(address)
        assert response.status_code == status
        page = Document(response.content.decode())
        assert reason in page.text
        assert "/leaderboards/" in page.links()

    cases = [
        ("/nothing/", 404, "doesn't exist"),
        ("/replays/999999999/", 404, "doesn't exist"),
        ("/players/999999999/", 404, "doesn't exist"),
        ("/replays/99999999999999999999999/", 404, "doesn't exist"),
        ("/players/99999999999999999999999/", 404, "doesn't exist"),
        ("/players/99999999999999999999999/progress/expert/time/", 404, "doesn't exist"),
        ("/players/99999999999999999999999/by-3bv/expert/time/", 404, "doesn't exist"),
        ("/leaderboards/hard/time/", 404, "no ranked level “hard”"),
        ("/leaderboards/expert/luck/", 404, "“luck” has no leaderboard"),
        ("/leaderboards/expert/completion/", 404, "has no leaderboard"),
        ("/leaderboards/combined/luck/", 404, "has no leaderboard"),
        ("/leaderboards/expert/time%20/", 404, "“time ” has no leaderboard"),
        ("/leaderboards/%E4%B8%AD/time/history/", 404, "no ranked level “中”"),
        ("/leaderboards/expert/time/?style=best", 400, "Choose one of: all, NF, FL."),
        ("/leaderboards/sub/hard/40/", 404, "no ranked level"),
        ("/leaderboards/sub/expert/1/", 404, "N must be between"),
        ("/leaderboards/sub/expert/40/?n=x", 400, "whole number"),
        ("/leaderboards/expert/time/?cursor=forged", 400, "cursor"),
        ("/leaderboards/combined/time/?cursor=forged", 400, "cursor"),
        ("/leaderboards/sub/expert/40/?cursor=forged", 400, "cursor"),
        ("/players/?cursor=forged", 400, "cursor"),
        ("/replays/?cursor=forged", 400, "cursor"),
        ("/replays/?level=hard", 400, "Choose one of: beginner"),
        ("/replays/?bv__gte=many", 400, "3BV ≥: Enter a number"),
        ("/replays/?sort=-stnb", 400, "choose exactly one level"),
        ("/replays/?uploader=me", 400, "Sign in"),
    ]
    check_each_on_site(is_told, cases)


def test_cursor_of_another_board_is_refused(make_players: Any, client: Client) -> None:
    make_players(1)
    page = client.get("/leaderboards/expert/time/")
    assert page.status_code == 200
    assert client.get("/players/?cursor=eyJhIjoxfQ:abc").status_code == 400


def test_missing_form_cookie(db: None) -> None:
    response = Client(enforce_csrf_checks=True).post("/sign-up/", {"username": "x"})
    assert response.status_code == 403
    assert "submit the form again" in response.content.decode()


@pytest.mark.urls("tests.pages.test_errors")
def test_a_server_error(db: None) -> None:
    response = Client(raise_request_exception=False).get("/breaks/")
    assert response.status_code == 500
    assert "Something broke on our side" in response.content.decode()


def test_wrong_method(db: None, client: Client) -> None:
    assert client.post("/replays/").status_code == 405
    assert client.get("/language/").status_code == 405


def test_pages_answer_head_requests(db: None, owner_client: Client, client: Client) -> None:
    for address in ("/upload/", "/account/", "/sign-up/", "/sign-in/", "/", "/api/v1/docs/"):
        visitor = owner_client if address == "/account/" else client
        assert visitor.head(address).status_code == 200, address


def test_other_methods_on_the_page_of_the_interface(db: None, client: Client) -> None:
    for method in (client.options, client.post, client.delete):
        assert method("/api/v1/docs/").status_code == 405


@pytest.mark.parametrize(
    ("query", "before"),
    [("bv__gte=many", 'name="bv__gte"'), ("ioe__lte=few", 'name="ioe__lte"')],
)
def test_a_wrong_filter_of_the_list_is_told_beside_its_field(db: None, client: Client, query: str, before: str) -> None:
    response = client.get(f"/replays/?{query}")
    assert response.status_code == 400
    page = response.content.decode()
    assert page.count('role="alert"') == 1
    between = page[page.index(before) : page.index('role="alert"')]
    assert "</fieldset>" not in between
    assert '<div class="field">' not in between


@pytest.mark.parametrize("query", ["level=hard", "style=best", "sort=nothing"])
def test_a_wrong_choice_of_the_list_is_told_above_its_bar(db: None, client: Client, query: str) -> None:
    response = client.get(f"/replays/?{query}")
    assert response.status_code == 400
    page = response.content.decode()
    assert page.count('role="alert"') == 1
    told = page[page.index('role="alert"') : page.index('class="bar-frame')]
    assert query.partition("=")[0] in told.lower()


def test_a_wrong_filter_that_has_no_field_is_told_above_the_form(db: None, client: Client) -> None:
    page = client.get("/replays/?uploader=x&bv__gte=10").content.decode()
    assert "Uploader: uploader must be a whole number." in page
    assert 'value="10"' in page
