"""Nothing inline: the policy of every page and response, and the pages of the API keep to it."""

from __future__ import annotations

import re

from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client

_INLINE = re.compile(r"<style|<script(?![^>]*\ssrc=)|\son[a-z]+=|\sstyle=|javascript:", re.IGNORECASE)


def test_nothing_inline(db: None, client: Client) -> None:
    for address in (
        "/api/v1/docs/", "/api/v1/docs/start/", "/api/v1/docs/errors/", "/api/v1/", "/api/v1/schema?lang=xx", "/api/nothing", "/",
    ):  # fmt: skip
        response = client.get(address)
        policy = response["Content-Security-Policy"]
        assert "unsafe" not in policy, address
        assert "script-src 'self';" in policy, address
        if response["Content-Type"].startswith("text/html"):
            assert _INLINE.search(response.content.decode()) is None, address


def test_the_scripts_of_the_documentation_exist(client: Client) -> None:
    page = client.get("/api/v1/docs/").content.decode()
    files = re.findall(rf'(?:src|href)="{settings.STATIC_URL}([^"]+)"', page)
    assert len(files) >= 4
    for name in files:
        assert finders.find(name), name


def test_there_is_no_browsable_api(db: None, client: Client) -> None:
    response = client.get("/api/v1/players/", headers={"accept": "text/html,application/xhtml+xml,*/*;q=0.8"})
    assert response["Content-Type"] == "application/json"
