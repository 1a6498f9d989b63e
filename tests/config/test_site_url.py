"""Links with a host begin with SITE_URL: the sender of a request chooses its Host header."""

from __future__ import annotations

import re
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from django.urls import reverse

from tests.config.test_broken_requests import VISITORS, addresses
from tests.config.test_permissions import World
from tests.config.test_permissions import world as world
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.transactions import undone

pytestmark = pytest.mark.django_db

HOST: Final = "another.example"
SITE: Final = "https://sweepbook.example"
#: What is asked besides the plain address of a route.
QUERIES: Final = {
    "tool-probability": "?position=1x/..&mines=1",
    "api-probability": "?position=1x/..&mines=1",
    "compare": "?a={replay}&b={replay}",
    "replay": "?t=1",
}


@pytest.mark.long(beside="tests/config/test_site_url.py::test_the_feed_and_canonical_links_name_the_site")
def test_no_answer_names_the_host_of_the_request(world: World, settings: Any) -> None:
    settings.ALLOWED_HOSTS = [HOST]
    settings.SITE_URL = SITE
    named, ours = [], 0
    for route, plain in addresses(world):
        more = QUERIES.get(route, "").format(replay=world.numbers["ranked"])
        for visitor in VISITORS:
            for address in dict.fromkeys((plain, plain + more)):
                with undone():
                    response = world.clients[visitor].get(address, headers={"host": HOST})
                    body = b"".join(response) if response.streaming else response.content
                everything = f"{response.headers}".encode() + body
                if HOST.encode() in everything:
                    named.append((route, visitor, everything[everything.index(HOST.encode()) - 60 :][:120]))
                ours += SITE.encode() in body
    assert not named
    assert ours > 20, "no answer holds a link with a host"


def test_the_feed_and_canonical_links_name_the_site(world: World, settings: Any) -> None:
    settings.ALLOWED_HOSTS = [HOST]
    settings.SITE_URL = SITE
    client = world.clients["anonymous"]
    feed = client.get(reverse("records-feed"), headers={"host": HOST}).content.decode()
    links = re.findall(r'<link href="([^"]+)"', feed)
    assert len(links) >= 3, "a feed without records"
    assert {urlsplit(link)[:2] for link in links} == {("https", "sweepbook.example")}
    page = client.get(reverse("replay", args=[world.numbers["ranked"]]), headers={"host": HOST}).content.decode()
    canonical = re.findall(r'<link rel="canonical" href="([^"]+)"', page)
    assert canonical == [f"{SITE}/replays/{world.numbers['ranked']}/"]
