"""The mark of a sealed file gives way to a doubt while another file has its seal."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from replays.models import GameLink, Replay
from replays.trust.equals.selectors import seals_in_doubt
from tests.replays.conftest import Ingest
from tests.replays.games import game_file


def marks(client: Client, replay: Replay) -> tuple[list[str], bool]:
    """The badges of its page, in the headline and next to its findings, and what the API says."""
    page = client.get(replay.get_absolute_url()).content.decode()
    heading = page.split('class="film-badges"')[1].split('class="by"')[0]
    claims = page.split("What the file claims")[1].split("<dl")[0]
    assert badges(heading) == badges(claims)
    return badges(heading), client.get(f"/api/v1/replays/{replay.pk}/").json()["seal_in_doubt"]


def staff_marks(client: Client) -> tuple[list[str], list[bool]]:
    """The badges of the pairs that staff see, one for each file, and what the API says."""
    page = client.get("/staff/pairs/").content.decode().split("<main")[1]
    (pair,) = client.get("/api/v1/judgements/pairs/").json()["rows"]
    return badges(page), [side["seal_in_doubt"] for side in pair["sides"]]


def badges(source: str) -> list[str]:
    links = re.findall(r'<a class="badge \w+"[^>]*>(.*?)</a>', source)
    return [text for text in links if text in ("sealed file", "seal in doubt")]


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


# --- staff ---


@pytest.fixture
def disputed_pair(pair: list[Replay]) -> list[Replay]:
    Replay.objects.update(judgement=Replay.Judgement.DISPUTED)
    return pair


def test_staff_see_the_doubt_of_both_files(disputed_pair: list[Replay], staff_client: Client) -> None:
    link(disputed_pair, GameLink.Kind.SEAL_REUSED, first_stands=False)
    assert staff_marks(staff_client) == (["seal in doubt"] * 2, [True, True])


def test_staff_see_the_doubt_about_a_third_file_too(
    disputed_pair: list[Replay], staff_client: Client, ingest: Ingest
) -> None:
    """The pair itself has other seals; the second file has that of another one."""
    link(disputed_pair, GameLink.Kind.SIMILAR_CLICKS, first_stands=False)
    assert staff_marks(staff_client) == (["sealed file"] * 2, [False, False])
    third = ingest(game_file(3))
    Replay.objects.filter(pk=third.pk).update(evidence=Replay.Evidence.SEALED)
    link([disputed_pair[1], third], GameLink.Kind.SEAL_REUSED, first_stands=True)
    assert staff_marks(staff_client) == (["sealed file"] * 2, [False, False])
    GameLink.objects.filter(second=third).update(first_stands=False)
    rows = staff_client.get("/api/v1/judgements/pairs/").json()["rows"]
    assert [[side["seal_in_doubt"] for side in row["sides"]] for row in rows] == [[True, True], [False, True]]


def test_doubts_take_as_many_statements_for_many_files_as_for_one(
    pair: list[Replay], django_assert_num_queries: Any
) -> None:
    link(pair, GameLink.Kind.SEAL_REUSED, first_stands=False)
    with django_assert_num_queries(3):  # the links, and what answers_of needs
        assert seals_in_doubt(pair[:1]) == {pair[0].pk}
    with django_assert_num_queries(3):
        assert seals_in_doubt(pair) == {game.pk for game in pair}
    for game in pair:
        game.evidence = Replay.Evidence.OPEN
    with django_assert_num_queries(0):
        assert seals_in_doubt(pair) == set()
