"""Properties of every page of the site."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils.html import escape

from analysis.statistics import STATISTICS
from players.leaderboards.boards import BoardKey, all_boards
from players.models import ALL_STYLES, Player
from players.profile.charts.kinds.catalogue import KINDS
from replays.models import Replay
from tests.cases import check_each_on_site
from tests.conftest import PASSWORD
from tests.pages.conftest import MakePlayers
from tests.pages.html import Document

PUBLIC = (
    "/",
    "/upload/",
    "/play/",
    "/play/beginner/",
    "/play/expert/?rules=no-guess",
    "/play/custom/?rows=20&columns=24&mines=99",
    "/play/verify/",
    "/replays/",
    "/replays/?level=expert&result=won&bv__gte=50&sort=-stnb",
    "/leaderboards/",
    "/leaderboards/?style=NF",
    "/leaderboards/expert/time/",
    "/leaderboards/beginner-9x9/bvs/?style=FL",
    "/leaderboards/combined/time/",
    "/leaderboards/expert/time/history/",
    "/leaderboards/sub/expert/60/",
    "/leaderboards/corpses/expert/estime/",
    "/leaderboards/expert/time/?columns=gap,bv,bvs,style,trend,date,age,film",
    "/leaderboards/countries/expert/time/",
    "/leaderboards/improvements/expert/",
    "/records/",
    "/players/",
    "/players/?q=pla",
    "/help/",
    "/more/",
    "/help/replay-files/",
    "/help/ranking/",
    "/help/glossary/",
    "/help/about/",
    "/help/privacy/",
    "/help/licence/",
    "/data/",
    "/search/",
    "/search/?q=time",
    "/statistics/",
    "/sign-in/",
    "/sign-up/",
    "/password-reset/",
    "/password-reset/sent/",
    "/password-reset/x/y/",
    "/account/email/sent/",
    "/account/email/x/",
    "/account/inactive/",
    "/account/deleted/",
)
PRIVATE = (
    "/",
    "/account/delete/",
    "/account/uploads/",
    "/training/",
    "/account/uploads/?state=rejected",
    "/account/",
    "/account/password/",
    "/account/email/",
    "/account/confirm/",
    "/replays/?uploader=me&status=any",
    "/upload/",
)


def document(client: Client, address: str, status: int = 200) -> Document:
    response = client.get(address)
    assert response.status_code == status, address
    return Document(response.content.decode())


def assert_is_a_page_of_the_site(page: Document) -> None:
    assert len(page.all("h1")) == 1
    assert page.all("html")[0]["lang"] == "en"
    assert any(link.get("class") == "skip" for link in page.all("a"))
    assert_the_policy_allows(page)


def assert_the_policy_allows(page: Document) -> None:
    """Nothing that the content security policy would block."""
    assert not any("style" in attributes for _tag, attributes in page.elements)
    assert not any(name.startswith("on") for _tag, attributes in page.elements for name in attributes)
    for script in page.all("script"):
        assert script.get("src", "").startswith("/") or script.get("type") == "application/json"
    for link in [*page.all("link"), *page.all("img")]:
        assert (link.get("href") or link.get("src", "")).startswith(("/", "http://testserver/"))
    assert not page.all("style")


def check_pages(client: Client, addresses: Iterable[str]) -> None:
    check_each_on_site(lambda address: assert_is_a_page_of_the_site(document(client, address)), addresses)


def test_public_pages(make_players: MakePlayers, client: Client) -> None:
    make_players(2)
    check_pages(client, PUBLIC)


def test_pages_of_an_empty_site(db: None, client: Client) -> None:
    addresses = (
        "/", "/leaderboards/", "/leaderboards/expert/time/", "/leaderboards/combined/time/", "/leaderboards/sub/expert/60/",
        "/replays/", "/players/", "/statistics/",
    )  # fmt: skip
    check_pages(client, addresses)


def test_private_pages(owner_client: Client) -> None:
    check_pages(owner_client, PRIVATE)


@pytest.mark.parametrize("address", ["/account/token/", "/account/two-factor/on/"])
def test_pages_behind_the_password(owner_client: Client, address: str) -> None:
    owner_client.post("/account/confirm/", {"password": PASSWORD})
    page = document(owner_client, address)
    pictures = [picture for picture in page.all("img") if picture["src"].startswith("data:")]  # which the policy allows
    page.elements = [element for element in page.elements if element[1] not in pictures]
    assert_is_a_page_of_the_site(page)


def test_pages_of_allauth_that_are_not_wanted_have_no_address(db: None, client: Client) -> None:
    wanted = {entry.name for entry in get_resolver().url_patterns if isinstance(entry, URLPattern)}
    for resolver in get_resolver().url_patterns:
        if isinstance(resolver, URLResolver):
            wanted |= {entry.name for entry in resolver.url_patterns if isinstance(entry, URLPattern)}
    names = {name for name in wanted if name and name.startswith(("account_", "mfa_", "socialaccount_"))}
    assert names == {
        "account_login", "account_logout", "account_signup", "account_inactive", "account_reauthenticate",
        "account_reset_password", "account_reset_password_done", "account_reset_password_from_key",
        "account_change_password", "account_email", "account_email_verification_sent", "account_confirm_email",
        "mfa_authenticate", "mfa_reauthenticate", "mfa_index", "mfa_activate_totp", "mfa_deactivate_totp",
        "mfa_view_recovery_codes", "mfa_generate_recovery_codes",
    }  # fmt: skip


def test_pages_of_a_game(game: Replay, client: Client) -> None:
    assert game.player is not None
    player = game.player.get_absolute_url()
    pages = (
        game.get_absolute_url(),
        player,
        f"{player}versus/{game.player.pk}/",
        *(f"{player}charts/{name}/" for name in KINDS),
        *(reverse(name, args=[game.pk]) for name in ("replay-rzini", "replay-review")),
        f"{reverse('compare')}?a={game.pk}&b={game.pk}&layout=ghost",
        reverse("needless-guesses", args=[game.player.pk]),
    )
    check_pages(client, pages)


def test_the_page_for_frames(game: Replay, client: Client, settings: Any) -> None:
    """The viewer alone: nothing that the policy would block, and no part of the site but it."""
    settings.SITE_URL = "http://testserver"
    page = document(client, reverse("replay-embed", args=[game.pk]))
    assert_the_policy_allows(page)
    assert len(page.all("h1")) == 1
    assert not any(form.get("method") == "post" for form in page.all("form"))
    assert not page.all("nav")


@pytest.mark.long(beside="tests/pages/test_every_page.py::test_statistics_page_shows_the_whole_registry")
def test_every_board_has_a_page(db: None, client: Client) -> None:
    def has_a_page(key: BoardKey) -> None:
        name, arguments = (
            ("board-combined", [key.statistic]) if key.level == "combined" else ("board", [key.level, key.statistic])
        )
        response = client.get(reverse(name, args=arguments))
        assert response.status_code == 200
        assert escape(key.row.label) in response.content.decode()

    check_each_on_site(has_a_page, [key for key in all_boards() if key.style == ALL_STYLES])


def test_the_policy_allows_only_our_own_resources(db: None, client: Client) -> None:
    policy = client.get("/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self';" in policy
    assert "style-src 'self';" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy


def test_statistics_page_shows_the_whole_registry(db: None, client: Client) -> None:
    page = document(client, "/statistics/")
    identifiers = {attributes.get("id") for _tag, attributes in page.elements}
    for row in STATISTICS:
        assert row.public in identifiers
        assert row.label in page.text
        assert row.doc in page.text
        assert row.formula in page.text
        assert row.undefined in page.text
    assert "/leaderboards/expert/stnb/" in page.links()
    assert "/leaderboards/beginner-9x9/stnb/" not in page.links()  # not defined there


def test_dark_is_drawn_by_the_server(db: None, client: Client) -> None:
    assert "data-theme" not in document(client, "/").all("html")[0]
    client.cookies["theme"] = "dark"
    assert document(client, "/").all("html")[0]["data-theme"] == "dark"
    client.cookies["theme"] = '"><script>'
    assert "data-theme" not in document(client, "/").all("html")[0]


def test_the_skin_of_boards_is_set_by_the_server(db: None, client: Client) -> None:
    def skin() -> tuple[str | None, bool]:
        page = document(client, "/")
        linked = any("skins" in str(link.get("href")) for link in page.all("link"))
        return page.all("html")[0].get("data-skin"), linked

    assert skin() == (None, False)
    client.cookies["skin"] = "safe"
    assert skin() == ("safe", True)
    for wrong in ("classic", '"><script>', "a"):
        client.cookies["skin"] = wrong
        assert skin() == (None, False)


def test_navigation_marks_where_one_is(make_players: MakePlayers, client: Client) -> None:
    player: Player = make_players(1)[0]
    for address, marked in (("/replays/", "/replays/"), (player.get_absolute_url(), "/players/"), ("/", None)):
        current = [link["href"] for link in document(client, address).all("a") if link.get("aria-current") == "page"]
        assert (marked in current) is (marked is not None)


def test_robots_and_favicon(client: Client) -> None:
    assert "Disallow: /account/" in client.get("/robots.txt").content.decode()
    assert client.get("/favicon.ico").headers["Location"].endswith(".svg")
