"""The list that a row of a board links has exactly the games behind the row, of those that the naive twin counts."""

from __future__ import annotations

import random
from datetime import datetime
from typing import Any, Final

import pytest
from django.test import Client

from analysis.statistics import BY_ANY_NAME
from players.models import Player
from players.people.services import set_country
from tests.effort import amount
from tests.factories import rank_replays, stored_corpse, stored_replay
from tests.players.made_games import NAMES, Shelf, on_shelf
from tests.players.naive_site import DIRECTION, SUMMED, Row, Site
from tests.players.random_changes import World
from tests.players.site_check import naive_of_now

pytestmark = pytest.mark.django_db

#: A year, a month and two weeks of the games, a day of them, and what else filters.
_FILTERS: Final = (
    "", "period=2024", "period=2024-01", "period=2024-01-06", "as_of=2024-01-06", "min_3bv=23", "best_of=2",
    "period=2024-01&min_3bv=22&best_of=3", "country=DE",
)  # fmt: skip
_BOARDS: Final[tuple[tuple[str, str], ...]] = (
    ("expert", "time"), ("beginner", "bvs"), ("beginner-9x9", "path"), ("intermediate", "ioe"), ("expert", "stnb"),
    ("combined", "time"), ("combined", "path"), ("combined", "ioe"), ("corpses", "estime"), ("corpses", "stnb"), ("sub", "8"),
    ("sub", "12"),
)  # fmt: skip


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site after random changes of every kind."""
    shelf = Shelf()
    with on_shelf(shelf):
        world, changes = World(3, shelf, monkeypatch, full=250), 0
        world.names = NAMES[:6]  # so that each has many games
        while changes < amount(long=1_000, usual=220):
            changes += world.change()
    for player in Player.objects.filter(pk__in=world.source.sample(list(_with_games()), 3)):
        set_country(player, "DE")
    return naive_of_now()


def _with_games() -> Any:
    return Player.objects.filter(replays__ranked=True).distinct().order_by("pk").values_list("pk", flat=True)


def every_game(client: Client, address: str) -> list[dict[str, Any]]:
    """The rows of all pages of a list."""
    rows: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = client.get(f"{address}&size=7&cursor={cursor}")
        assert page.status_code == 200, page.content
        rows += page.json()["rows"]
        cursor = page.json()["next_cursor"] or ""
        if not cursor:
            return rows


def counted(site: Site, level: str, style: str, frame: dict[str, Any], player: int, *, lost: bool) -> list[Row]:
    """The games of a player that count on a level, within the filters of a board."""
    since, until = (frame[name] and datetime.fromisoformat(frame[name]) for name in ("since", "until"))
    return [
        row for row in (site.corpses if lost else site.games).get((level, style), [])
        if site.player(row) == player and row["bv"] >= frame["min_3bv"]
        and (not since or row["achieved_at"] >= since) and (not until or row["achieved_at"] < until)
    ]  # fmt: skip


def address_of(board: tuple[str, str], source: random.Random) -> tuple[str, list[str]]:
    """The address of a board, and its levels."""
    kind, statistic = board
    if kind == "combined":
        return f"combined/{statistic}", list(SUMMED)
    level = source.choice(["expert", "beginner"])
    if kind == "corpses":
        return f"corpses/{level}/{statistic}", [level]
    return (f"sub/{level}/{statistic}", [level]) if kind == "sub" else (f"{kind}/{statistic}", [kind])


@pytest.mark.long(beside="tests/players/leaderboards/ranks/test_row_games.py::test_the_games_of_a_sub_n_row")
def test_a_row_links_exactly_its_games(site: Site, client: Client) -> None:
    source, compared, games_seen = random.Random(4), 0, 0
    for board in _BOARDS:
        for query in _FILTERS:
            style = source.choice(["all", "NF", "FL"])
            if (board[0] == "sub" and "best_of" in query) or (board[0] == "combined" and "min_3bv" in query):
                continue
            address, levels = address_of(board, source)
            body = client.get(f"/api/v1/leaderboards/{address}/?style={style}&size=200&{query}").json()
            for row in source.sample(body["rows"], min(2, len(body["rows"]))):
                listed = every_game(client, row["games_url"])
                games_seen += len(listed)
                assert_row(site, body, row, listed, levels, style, board)
                page = client.get(row["games_html_url"])
                assert page.status_code == 200
                for one in listed[:50]:
                    assert f'href="/replays/{one["id"]}/"' in page.content.decode()
                compared += 1
    assert compared > 100
    assert games_seen > 2 * compared


def test_the_games_of_a_sub_n_row(client: Client) -> None:
    """Games up to 38.99 s, won, ranked, of the style, and of this player."""
    ada, bob = (Player.objects.create(name=name) for name in ("Ada", "Bob"))
    mine = [
        stored_replay(ada, time_ms=time_ms, style=style)
        for time_ms in (20_000, 38_990, 39_000)
        for style in ("NF", "FL")
    ]
    rank_replays([*mine, stored_replay(bob, time_ms=30_000, style="NF")])
    stored_replay(ada, time_ms=21_000, style="NF", ranked=False, judgement="suspicious")
    stored_corpse(ada, time_ms=22_000, style="NF")
    body = client.get("/api/v1/leaderboards/sub/expert/40/?style=NF").json()
    row = next(row for row in body["rows"] if row["player"]["name"] == "Ada")
    assert row["games_html_url"] == f"/replays/?player={ada.pk}&level=expert&style=NF&ranked=true&sub=40"
    assert [one["id"] for one in every_game(client, row["games_url"])] == [mine[2].pk, mine[0].pk]
    page = client.get("/leaderboards/sub/expert/40/?style=NF").content.decode()
    assert f'<a class="v" href="{row["games_html_url"].replace("&", "&amp;")}">2</a>' in page


def test_the_value_of_an_average_links_its_games(client: Client) -> None:
    ada = Player.objects.create(name="Ada")
    games = [stored_replay(ada, time_ms=1_000 * seconds) for seconds in (60, 50, 70)]
    rank_replays(games)
    (row,) = client.get("/api/v1/leaderboards/expert/time/?best_of=2").json()["rows"]
    assert [one["id"] for one in every_game(client, row["games_url"])] == [games[1].pk, games[0].pk, games[2].pk]
    link = row["games_html_url"].replace("&", "&amp;")
    assert f'data-main href="{link}">' in client.get("/leaderboards/expert/time/?best_of=2").content.decode()
    assert f'data-main href="/replays/{games[1].pk}/"' in client.get("/leaderboards/expert/time/").content.decode()


def assert_row(
    site: Site, body: dict[str, Any], row: dict[str, Any], listed: list[dict[str, Any]], levels: list[str], style: str,
    board: tuple[str, str],
) -> None:  # fmt: skip
    lost, player, frame = board[0] == "corpses", row["player"]["id"], body["frame"]
    by_level = {level: counted(site, level, style, frame, player, lost=lost) for level in levels}
    if board[0] == "sub":
        games = [one for one in by_level[levels[0]] if one["time_ms"] // 1000 + 1 <= int(board[1]) - 1]
        assert row["value"] == len(listed)
        assert row["replay"]["id"] == min(games, key=lambda one: (one["achieved_at"], one["id"]))["id"]
    else:
        name = BY_ANY_NAME[board[1]].name
        games = [one for some in by_level.values() for one in some if one[name] is not None]
        best = [_mean_of_best(by_level[level], name, frame["best_of"]) for level in levels]
        assert row["value"] == pytest.approx(sum(best))
        if len(levels) == 1:
            values = [one["statistics"][board[1]] for one in listed]
            assert values == sorted(values, reverse=DIRECTION[name] < 0)
            assert sum(values[: frame["best_of"]]) / frame["best_of"] == pytest.approx(row["value"])
    assert sorted(one["id"] for one in listed) == sorted(one["id"] for one in games)


def _mean_of_best(games: list[Row], name: str, count: int) -> float:
    values = sorted(DIRECTION[name] * one[name] for one in games if one[name] is not None)[:count]
    assert len(values) == count
    return float(DIRECTION[name] * sum(values) / count)
