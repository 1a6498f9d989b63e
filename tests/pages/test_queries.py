"""The number of statements of each page is fixed, however many rows it lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import Player
from replays.models import Replay
from tests.caches import clear_caches
from tests.pages.conftest import MakePlayers
from tests.players.profile.charts.games import random_games, save
from tests.replays.games import game_file

#: Address and the number of statements for a visitor without an account.
PAGES = {
    "/": 6,  # one asks whether the files are seen
    "/replays/": 1,
    "/replays/?level=expert&sort=-stnb": 1,
    "/leaderboards/": 4,
    "/leaderboards/expert/time/": 2,
    "/leaderboards/expert/time/?columns=trend,gap": 3,
    "/leaderboards/expert/time/?value=40.5": 4,
    "/leaderboards/combined/time/": 4,
    "/leaderboards/combined/time/?value=81": 6,
    "/leaderboards/sub/expert/100/": 4,
    "/leaderboards/sub/expert/100/?country=DE": 2,
    "/leaderboards/expert/time/?period=2024": 4,
    "/leaderboards/expert/time/?as_of=2030-01-01": 4,
    "/leaderboards/combined/bvs/?best_of=1&period=2024": 8,
    "/leaderboards/corpses/expert/stnb/": 2,
    "/records/": 1,
    "/records/?kind=personal&level=expert&statistic=time": 1,
    "/records/holders/": 4,
    "/players/": 5,
    "/players/?order=name": 2,
    "/statistics/": 0,
    "/upload/": 0,
}


def count(client: Client, address: str) -> int:
    clear_caches()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert client.get(address).status_code == 200
    return len(queries)


def test_lists_take_a_fixed_number_of_statements(make_players: MakePlayers, client: Client) -> None:
    make_players(2)
    few = {address: count(client, address) for address in PAGES}
    make_players(12, name="More")
    many = {address: count(client, address) for address in PAGES}
    assert (few, many) == (PAGES, PAGES)


def test_pages_of_one_game_and_one_player(
    game: Replay, make_players: MakePlayers, client: Client, django_assert_num_queries: Any
) -> None:
    assert game.player is not None
    make_players(5)
    # The replay, the player's bests with ranks, the games around it, the player's own games, the tables of its
    # level, other games on its board.
    with django_assert_num_queries(6):
        client.get(game.get_absolute_url())
    with django_assert_num_queries(5):  # the tables are kept
        client.get(game.get_absolute_url())
    # The player with names, those of others that look alike, bests, sums, totals and sub-N counts, and the charts that are not in the cache. Rivals, last
    # games and more charts come when they are near; records have a page of their own.
    clear_caches()
    with django_assert_num_queries(13):
        client.get(game.player.get_absolute_url())
    with django_assert_num_queries(8):  # the charts and the sizes come from the cache
        client.get(game.player.get_absolute_url())
    nameless = Player.objects.get(name="Player 003")
    clear_caches()
    with django_assert_num_queries(13):  # the same
        client.get(nameless.get_absolute_url())


@pytest.mark.long(beside="tests/pages/test_queries.py::test_pages_of_one_game_and_one_player")
def test_the_page_of_a_player_takes_no_statement_a_game(make_players: MakePlayers, client: Client) -> None:
    first, second = make_players(2)
    pages = (first.get_absolute_url(), f"/players/{first.pk}/versus/{second.pk}/")
    save(*random_games(first, 20, seed=1))
    few = [count(client, address) for address in pages]
    save(*random_games(first, 150, seed=2))
    make_players(8, name="More")
    assert [count(client, address) for address in pages] == few


def test_an_account_takes_a_fixed_number_of_statements_more(
    make_players: MakePlayers, owner_client: Client, django_assert_num_queries: Any
) -> None:
    make_players(3)
    # Session, account, their player (of the header, then of the page), the page, their own row, the size; games that wait for them (cached for a while).
    with django_assert_num_queries(8):
        owner_client.get("/leaderboards/expert/time/")
    with django_assert_num_queries(4):  # session, account, their player, the page
        owner_client.get("/replays/")


def test_status_of_many_uploads_is_one_statement(
    ingest: Callable[..., Replay], client: Client, django_assert_num_queries: Any
) -> None:
    ids = [str(ingest(game_file(seed)).pk) for seed in (1, 2, 3)]
    with django_assert_num_queries(1):
        assert len(client.get(f"/upload/status/?ids={','.join(ids)}").json()["replays"]) == 3
