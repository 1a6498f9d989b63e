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
from players.models import Player, User
from replays.models import BatchFile, Replay
from replays.upload.batches.services import batch_add, batch_start
from replays.upload.intake.names import file_name
from replays.watch.comments.services import comment_create
from tests.cases import check_each_on_site
from tests.factories import comment_report, receive_one
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


def is_data(code: str) -> bool:
    """Return whether a script is JSON, which is never run; a name that ended it early would leave no JSON."""
    try:
        json.loads(code)
    except ValueError:
        return False
    return True


def test_names_are_text_on_every_page(ingest: Ingest, owner: User, owner_client: Client, settings: Any) -> None:
    settings.JUDGE_FINDINGS = []  # else a name with hidden characters would be on no board

    def is_text(name: str) -> None:
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
            page = Document(owner_client.get(address).content.decode())
            assert not any("alert" in code for code in page.inline_code if not is_data(code)), address
            assert not any("onerror" in attributes for _tag, attributes in page.elements), address
            if address not in (f"/replays/{game.pk}/delete/", "/account/"):
                assert shown_name(name) in page.words or shown_name(name) in page.text, address

    check_each_on_site(is_text, HOSTILE)


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


@pytest.mark.long(beside="tests/pages/test_escaping.py::test_names_are_text_on_every_page")
def test_names_and_words_are_text_on_pages_of_players(
    ingest: Ingest,
    owner: User,
    owner_client: Client,
    other_player: User,
    staff_client: Client,
    monkeypatch: pytest.MonkeyPatch,
    settings: Any,
) -> None:
    settings.JUDGE_FINDINGS = []
    monkeypatch.setattr("replays.browse.search.selectors.SEARCH_LIMIT._rate", "1000/hour")
    batch = batch_start(owner)
    pages: list[tuple[str, dict[str, str]]] = []
    for number, name in enumerate(HOSTILE):
        games = [
            ingest(rawvf.write(replace(recording(2 * number + 1 + more), player=f"{name}{suffix}")), uploader=owner)
            for more, suffix in enumerate(("", "2"))
        ]
        batch_add(batch, [BatchFile(name=file_name(name), outcome="stored", message="", replay=game) for game in games])
        batch_add(batch, [BatchFile(name=file_name(name), outcome="refused", message="")])
        comment = comment_create(games[0], owner, name)
        comment_report(comment, other_player, name, "203.0.113.1")
        first, second = (game.player_id for game in games)
        assert first != second
        pages += (
            (f"/players/{first}/versus/{second}/", {}), (f"/players/{second}/", {}),
            (f"/replays/{games[0].pk}/comments/", {}), (f"/report/comment/{comment.pk}/", {}), ("/search/", {"q": name}),
            ("/players/", {"q": name}),
        )  # fmt: skip
    Player.objects.filter(name__in=[f"{name}{suffix}" for name in HOSTILE for suffix in ("", "2")]).update(country="DE")
    pages += [
        (address, {})
        for address in (
            "/leaderboards/countries/beginner/time/", "/records/", "/records/holders/", f"/upload/batches/{batch.pk}/",
            f"/upload/batches/{batch.pk}/?part=outcome", "/account/uploads/", "/account/comments/", "/staff/reports/",
            "/leaderboards/beginner/time/?columns=trend,film,gap", "/leaderboards/improvements/beginner/",
            "/leaderboards/sub/beginner/999/",
        )
    ]  # fmt: skip
    seen = set()
    for client in (owner_client, staff_client):
        for address, query in pages:
            response = client.get(address, query)
            if response.status_code in (403, 404):
                continue  # of the other visitor
            page = Document(response.content.decode())
            assert not any("alert" in code for code in page.inline_code), address
            assert not any({"onerror", "onload"} & set(attributes) for _tag, attributes in page.elements), address
            assert "\u202e" not in page.text, f"{address} shows a character that turns text around"
            seen.add((address, *query.values()))
    assert len(seen) == len(pages)
