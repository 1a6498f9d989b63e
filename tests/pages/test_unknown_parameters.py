"""A parameter that a visitor adds to an address does not come back in every link of the page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from django.http import QueryDict
from django.test import Client

from players.web.parameters import MAX_QUERY_CHARS, form_of, known_query, text

pytestmark = pytest.mark.django_db

LONG: Final = "x" * 6_000
PAGES: Final = (
    "/", "/leaderboards/", "/leaderboards/expert/time/", "/leaderboards/expert/time/history/", "/leaderboards/sub/expert/60/",
    "/leaderboards/corpses/expert/bvs/", "/leaderboards/combined/time/", "/leaderboards/countries/expert/time/", "/players/",
    "/records/", "/records/holders/", "/replays/", "/search/", "/statistics/", "/play/", "/play/rooms/", "/tools/solver/",
    "/help/", "/data/", "/sign-in/", "/nothing/here/",
)  # fmt: skip


@pytest.mark.parametrize("name", ["utm_source", "style", "cursor", "columns", "q"])
def test_a_long_parameter_makes_no_page_long(client: Client, name: str) -> None:
    found = {page: client.get(page, {name: LONG}, follow=True).content.count(LONG.encode()) for page in PAGES}
    assert max(found.values()) <= 3, "a field that shows what was typed, and its message"


def test_an_unknown_parameter_is_in_no_link_but_back_to_the_page(client: Client) -> None:
    for page in PAGES:
        content = client.get(page, {"utm_source": "zq7mark"}, follow=True).content.decode()
        links = [link for link in re.findall(r'(?:href|hx-get|action)="([^"]*)"', content) if "zq7mark" in link]
        assert [link for link in links if "next=" not in link] == [], page


def test_links_keep_what_the_page_knows() -> None:
    query = QueryDict("q=Ada&utm_source=x&sort=time&style=NF")
    assert known_query(query) == query, "nobody has said yet what is known"
    form_of(text("q", most_chars=20))(query)
    form_of(text("style", most_chars=20))(query)
    assert known_query(query).urlencode() == "q=Ada&style=NF"
    long = QueryDict(f"q={'x' * MAX_QUERY_CHARS}")
    assert known_query(long).urlencode() == ""


def test_a_page_leads_back_to_itself_after_the_sign_in(client: Client) -> None:
    content = client.get("/leaderboards/expert/time/?style=NF&utm_source=x").content.decode()
    assert "/sign-in/?next=/leaderboards/expert/time/%3Fstyle%3DNF&quot;" in content or (
        '/sign-in/?next=/leaderboards/expert/time/%3Fstyle%3DNF"' in content
    )


#: Where the whole query is used, which never becomes a link of a page.
WHOLE_QUERY: Final = {
    "players/web/errors.py": "a redirect",
    "players/web/staff.py": "a redirect of staff",
}


def test_no_other_code_repeats_the_whole_query() -> None:
    root = Path(__file__).resolve().parents[2]
    found = {
        path.relative_to(root).as_posix()
        for room in ("players", "replays")
        for path in (root / room).rglob("*.py")
        if re.search(r"GET\.copy\(|get_full_path\(", path.read_text(encoding="utf-8"))
    }
    assert found == set(WHOLE_QUERY)
    pages = (root / "templates").rglob("*.html")
    texts = {path.relative_to(root / "templates").as_posix(): path.read_text(encoding="utf-8") for path in pages}
    whole = {name for name, text in texts.items() if "get_full_path" in text}
    assert whole == {"admin/players/confirm.html", "replays/upload/batches/upload_batch.html"}, (
        "pages of the account alone"
    )
