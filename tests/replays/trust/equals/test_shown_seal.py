"""The mark of a sealed file gives way to a doubt while another file has its seal."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import timezone

from replays.models import GameLink, Replay
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import game_file


def marks(client: Client, replay: Replay) -> tuple[list[str], bool]:
    """The badges of the headline of its page, and what the API says."""
    heading = client.get(replay.get_absolute_url()).content.decode().split("<h1")[1].split("</h1>")[0]
    words = [word for word in ("sealed file", "seal in doubt") if word in Document(heading).text]
    return words, client.get(f"/api/v1/replays/{replay.pk}/").json()["seal_in_doubt"]


@pytest.fixture
def pair(ingest: Ingest) -> list[Replay]:
    """Two sealed games, of which nothing says which one stands."""
    games = [ingest(game_file(seed)) for seed in (1, 2)]
    for game in games:
        Replay.objects.filter(pk=game.pk).update(evidence=Replay.Evidence.SEALED)
        game.refresh_from_db()
    return games


def link(pair: list[Replay], kind: GameLink.Kind, *, first_stands: bool) -> None:
    first, second = pair
    GameLink.objects.create(first=first, second=second, kind=kind, made_at=timezone.now(), first_stands=first_stands)


def test_a_seal_without_a_link_is_one(pair: list[Replay], client: Client) -> None:
    assert [marks(client, game) for game in pair] == [(["sealed file"], False)] * 2


def test_neither_seal_is_shown_as_good_while_nobody_knows(pair: list[Replay], client: Client) -> None:
    link(pair, GameLink.Kind.SEAL_REUSED, first_stands=False)
    assert [marks(client, game) for game in pair] == [(["seal in doubt"], True)] * 2


def test_the_seal_of_the_file_that_stands_is_shown(pair: list[Replay], client: Client) -> None:
    link(pair, GameLink.Kind.SEAL_REUSED, first_stands=True)
    assert [marks(client, game) for game in pair] == [(["sealed file"], False), (["seal in doubt"], True)]


def test_other_links_and_other_files_have_nothing_to_do_with_seals(pair: list[Replay], client: Client) -> None:
    link(pair, GameLink.Kind.SIMILAR_CLICKS, first_stands=False)
    assert [marks(client, game) for game in pair] == [(["sealed file"], False)] * 2
    GameLink.objects.update(kind=GameLink.Kind.SEAL_REUSED)
    Replay.objects.update(evidence=Replay.Evidence.OPEN)
    assert [marks(client, game) for game in pair] == [([], False)] * 2
