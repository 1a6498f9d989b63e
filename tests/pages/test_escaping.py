"""Names and other input are shown as text, whatever they hold."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from analysis.formats import rawvf
from analysis.names import shown_name
from players.models import User
from replays.models import Replay
from tests.factories import receive_one
from tests.pages.html import Document
from tests.replays.games import recording

Ingest = Callable[..., Replay]
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ settings.SECRET_KEY }}{% debug %}",
    "\u202egnp.exe",  # writes from right to left
    "王嘉宁'--",
    "&lt;b&gt;",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_on_every_page(
    ingest: Ingest, owner: User, owner_client: Client, settings: Any, name: str
) -> None:
    settings.JUDGE_FINDINGS = []  # else a name with hidden characters would be on no board
    game = ingest(rawvf.write(replace(recording(), player=name)), name=f"{name[:20]}.rawvf", uploader=owner)
    assert game.player is not None, game.reject_code
    assert game.player.name == name
    for address in (
        "/",
        "/replays/",
        f"/replays/?player={game.player.pk}",
        game.get_absolute_url(),
        game.player.get_absolute_url(),
        "/players/",
        "/leaderboards/",
        "/leaderboards/beginner/time/",
        "/account/",
        f"/replays/{game.pk}/delete/",
    ):
        source = owner_client.get(address).content.decode()
        page = Document(source)
        assert not any("alert" in code for code in page.inline_code), address
        assert not any("onerror" in attributes for _tag, attributes in page.elements), address
        if address != f"/replays/{game.pk}/delete/":
            assert shown_name(name) in page.words or shown_name(name) in page.text or address == "/account/", address


def test_names_are_isolated_from_the_text_around_them(ingest: Ingest, client: Client) -> None:
    game = ingest(rawvf.write(replace(recording(), player="\u05e0\u05d5\u05e2\u05dd")))
    assert game.player is not None
    assert f"<bdi>{game.player.name}</bdi>" in client.get("/leaderboards/beginner/time/").content.decode()
    assert f"<bdi>{game.player.name}</bdi>" in client.get(game.player.get_absolute_url()).content.decode()


def test_file_names_are_text(owner: User, owner_client: Client) -> None:
    receipt = receive_one(b"no replay", name="<svg onload=alert(1)>.avf", uploader=owner, enqueue=False)
    page = Document(owner_client.get(f"/replays/{receipt.replay_id}/").content.decode())
    assert not any("onload" in attributes for _tag, attributes in page.elements)
    assert "<svg onload=alert(1)>.avf" in page.text


def test_data_for_scripts_cannot_leave_its_element(owner_client: Client) -> None:
    page = Document(owner_client.get("/upload/").content.decode())
    assert len(page.inline_code) == 2
    for data in page.inline_code:
        json.loads(data)


def test_filters_are_text(db: None, client: Client) -> None:
    page = Document(client.get("/replays/", {"software": "<script>alert(1)</script>"}).content.decode())
    assert not any("alert" in code for code in page.inline_code)
    assert "<script>alert(1)</script>" in page.text
    bad = Document(client.get("/replays/", {"<script>alert(1)</script>": "x"}).content.decode())
    assert not bad.inline_code
