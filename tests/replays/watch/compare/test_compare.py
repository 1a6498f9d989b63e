"""Comparing two replays: which ones, what is said of them, on the page and in the API."""

from __future__ import annotations

import datetime
import json
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from django.test import Client

from analysis.film.progress import Splits
from analysis.formats import rawvf
from analysis.recording import Kind, Level, events_from
from analysis.statistics import STORED
from players.models import Player
from replays.models import Replay, file_store
from replays.watch.compare import views
from replays.watch.compare.graph import graph_points, split_graph
from replays.watch.compare.picks import PICKS, offered, picked
from replays.watch.compare.selectors import compare, on_same_board
from replays.watch.standing.selectors import standing_of
from tests.cases import check_each_on_site
from tests.clocks import times_from_one
from tests.factories import EPOCH, rank_replays, stored_replay
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, largest_game, recording

LEFT = (Kind.MOVE, Kind.LEFT_PRESS, Kind.LEFT_RELEASE)


def slower(seed: int, level: Level = Level.BEGINNER) -> bytes:
    game = recording(seed, level)
    events = game.events.copy()
    events["time_ms"] *= 2
    return rawvf.write(replace(game, events=events, player="Bob Bot"))


@pytest.fixture
def pair(ingest: Ingest) -> tuple[Replay, Replay]:
    """The same clicks on the same board, the second game twice as slow."""
    return ingest(game_file(1)), ingest(slower(1))


# --- picks ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def site(db: None) -> dict[str, Replay]:
    """Ada improves from 70 to 60 s and then plays 65; Bob has 62, Cy 40 s."""
    ada, bob, cy = (Player.objects.create(name=name) for name in ("Ada", "Bob", "Cy"))
    days = iter(range(100))

    def game(player: Player, seconds: int) -> Replay:
        return stored_replay(player, time_ms=seconds * 1000, achieved_at=EPOCH + datetime.timedelta(days=next(days)))

    made = {
        "ada 70": game(ada, 70), "ada 60": game(ada, 60), "ada 65": game(ada, 65), "bob 62": game(bob, 62),
        "bob 90": game(bob, 90), "cy 40": game(cy, 40),
    }  # fmt: skip
    rank_replays(made.values())
    made["ada lost"] = stored_replay(ada, time_ms=5_000, win=False, result=Replay.Result.LOST, ranked=False)
    return made


@pytest.mark.parametrize(
    ("game", "found"),
    [
        ("ada 60", {"record": "cy 40", "before": "ada 70", "above": "cy 40"}),
        ("ada 65", {"record": "cy 40", "best": "ada 60", "before": "ada 60", "above": "bob 62"}),
        ("ada 70", {"record": "cy 40", "best": "ada 60", "above": "bob 62"}),
        ("bob 62", {"record": "cy 40", "above": "ada 60"}),
        ("bob 90", {"record": "cy 40", "best": "bob 62", "before": "bob 62", "above": "ada 60"}),
        ("cy 40", {}),
    ],
)
def test_picks(site: dict[str, Replay], game: str, found: dict[str, str]) -> None:
    numbers = {word: picked(site[game], word) for word in PICKS}
    assert {word: number for word, number in numbers.items() if number} == {
        word: site[name].pk for word, name in found.items()
    }
    assert set(found) <= set(offered(site[game], standing_of(site[game]).best_time))


def test_picks_of_other_games(site: dict[str, Replay]) -> None:
    assert picked(site["ada lost"], "best") == site["ada 60"].pk
    assert picked(site["ada lost"], "record") == site["cy 40"].pk
    nameless = stored_replay(None)
    assert picked(nameless, "best") is None
    custom = stored_replay(None, ranked=False)
    custom.level = Level.CUSTOM.value
    assert offered(custom, None) == []
    assert all(picked(custom, word) is None for word in PICKS)


def test_a_word_becomes_a_number(site: dict[str, Replay], client: Client) -> None:
    """The address that is shared names both games, whoever holds the record later."""
    a, b = site["ada 65"].pk, site["cy 40"].pk
    response = client.get(f"/compare/?a={a}&b=record&align=progress")
    assert response["Location"] == f"/compare/?a={a}&b={b}&align=progress"
    nothing = client.get(f"/compare/?a={b}&b=above")
    assert '<p class="notice" role="status">' in nothing.content.decode(), "there is none, and the page says so"


# --- what is said -----------------------------------------------------------------------------------------------------


def test_twice_as_slow(pair: tuple[Replay, Replay]) -> None:
    fast, slow = pair
    found = compare(fast, slow)
    assert found.same_board
    assert found.splits.done.tolist() == list(range(int(fast.statistic("bv") or 0) + 1))
    np.testing.assert_allclose(found.splits.lead, found.splits.first, atol=0.002)
    assert len(found.common) == found.clicks[0] == found.clicks[1]
    assert all(click.second_ms == 2 * click.first_ms for click in found.common)
    by_name = {one.row.name: one for one in found.differences}
    assert by_name["time"].difference == pytest.approx(fast.statistic("time"))
    assert (by_name["time"].better, by_name["bvs"].better, by_name["bv"].better) == ("first", "first", "")
    assert by_name["time"].text.startswith("+")


@pytest.mark.parametrize("level", [Level.BEGINNER, Level.EXPERT])
def test_the_same_replay_twice(ingest: Ingest, level: Level) -> None:
    game = ingest(game_file(1, level))
    found = compare(game, game)
    assert not found.splits.lead.any()
    assert {one.difference for one in found.differences} <= {0, None}
    assert {one.better for one in found.differences} == {""}


def lost(share: float) -> bytes:
    """A share of a game without flags, and then a click on a mine."""
    game = recording(1, Level.BEGINNER, "NF")
    played = np.flatnonzero(game.events["kind"] == Kind.LEFT_RELEASE)
    last = int(played[int(share * len(played))])
    row, column = np.argwhere(game.board.mines)[0].tolist()
    blast = [(int(game.events["time_ms"][last]) + 50, 16 * column + 8, 16 * row + 8, kind) for kind in LEFT]
    return rawvf.write(replace(game, events=np.concatenate([game.events[: last + 1], events_from(blast)])))


def marked(client: Client, a: Replay, b: Replay) -> dict[str, str]:
    """Return the numbers of which one is better; the page marks the same."""
    found = {one.row.public: one.better for one in compare(a, b).differences if one.better}
    assert page(client, f"?a={a.pk}&b={b.pk}").count('class="num better"') == len(found)
    return found


def test_a_lost_game_wins_nothing_against_a_won_one(ingest: Ingest, client: Client) -> None:
    """Whoever hits a mine after a moment has a short time and path, and often a high 3BV/s."""
    short, won = ingest(lost(0.1)), ingest(game_file(1))
    assert (short.win, won.win) == (False, True)
    assert (short.statistic("time") or 0) < (won.statistic("time") or 0)
    assert (short.statistic("path") or 0) < (won.statistic("path") or 0)
    assert marked(client, short, won) == marked(client, won, short) == {}


def test_lost_games_are_compared_by_the_numbers_made_for_them(ingest: Ingest, client: Client) -> None:
    short, long = ingest(lost(0.1)), ingest(lost(0.8))
    found = marked(client, short, long)
    assert found["completion"] == "second"
    assert set(found) <= {"completion", "estime", "stnb", "stnb2023"}


def test_won_games_are_compared_by_all_numbers(pair: tuple[Replay, Replay], client: Client) -> None:
    assert {"time", "bvs", "stnb"} <= set(marked(client, *pair))
    assert "was won" not in page(client, f"?a={pair[0].pk}&b={pair[1].pk}")


def test_other_boards_are_compared_by_share(ingest: Ingest) -> None:
    found = compare(ingest(game_file(1)), ingest(game_file(2, Level.EXPERT)))
    assert not found.same_board
    assert found.common == []
    assert (found.splits.done[0], found.splits.done[-1], len(found.splits.done)) == (0, 1, 101)
    assert found.splits.second[-1] == found.second.statistic("time_ms")


def test_a_board_is_the_same_only_with_its_shape() -> None:
    wide, tall = (Replay(rows=rows, columns=columns, board=b"\x80") for rows, columns in ((1, 4), (4, 1)))
    assert not on_same_board(wide, tall)
    assert on_same_board(wide, wide)
    assert not on_same_board(wide, Replay())


def test_unfinished_games_and_the_largest_board(ingest: Ingest, client: Client) -> None:
    large, small = ingest(largest_game()), ingest(game_file(1))
    for a, b in ((large, small), (small, large), (large, large)):
        assert client.get(f"/compare/?a={a.pk}&b={b.pk}").status_code == 200


# --- the page ---------------------------------------------------------------------------------------------------------


def page(client: Client, query: str) -> str:
    response = client.get(f"/compare/{query}")
    assert response.status_code == 200
    return response.content.decode()


def test_the_page_says_what_is_compared(pair: tuple[Replay, Replay], client: Client) -> None:
    a, b = pair
    source = page(client, f"?a={a.pk}&b={b.pk}")
    found = compare(a, b)
    data = json.loads(re.search(r'<script id="compare-data" type="application/json">(.*?)</script>', source)[1])  # type: ignore[index]
    for steps, game in zip(found.progress, data["games"], strict=True):
        assert game["progress"]["times"] == list(steps.times)
        assert game["progress"]["done"] == list(steps.done)
    assert {one.row.public for one in found.differences} == {row.public for row in STORED} - {"time_ms"}
    text = Document(source).text
    assert f"{len(found.common)} clicks on the same cell" in text
    largest = max(abs(lead) for lead in found.splits.lead)
    assert f"± {largest / 1000:.2f} s" in text
    assert len(source) <= 150_000


def test_what_is_drawn_stands_in_the_table(pair: tuple[Replay, Replay], client: Client) -> None:
    """The clicks of both on the same cell: for the boards, and as a table."""
    a, b = pair
    source = page(client, f"?a={a.pk}&b={b.pk}")
    drawn = json.loads(source.split('id="compare-data" type="application/json">')[1].split("</script>")[0])["common"]
    common, columns = compare(a, b).common, a.columns or 1
    assert [(one["sort"], one["cell"], *one["times"]) for one in drawn] == [
        (one.sort, one.cell, one.first_ms, one.second_ms) for one in common
    ]
    assert {one["sort"] for one in drawn} >= {"left", "right"}
    table = source[source.index('id="common-title"') :].split("<tbody>")[1].split("</tbody>")[0]
    rows = [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in table.split("</tr>") if row.strip()]
    assert [[int(row), int(column)] for _sort, row, column, *_times in rows] == [
        [place + 1 for place in divmod(one.cell, columns)] for one in common
    ]
    for one, row in zip(common, rows, strict=True):
        gap = one.second_ms - one.first_ms
        assert row[3:5] == [f"{time_ms / 1000:.2f}" for time_ms in (one.first_ms, one.second_ms)]
        assert row[5] == (f"A, {gap / 1000:.2f} s" if gap else "=")
    assert "data-common" in source
    assert "data-common" not in page(client, f"?a={a.pk}&b={a.pk}".replace(f"b={a.pk}", "b=")), "nothing to compare"


def test_many_common_clicks_are_cut_and_it_is_said(
    pair: tuple[Replay, Replay], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_COMMON", 3)
    source = page(client, f"?a={pair[0].pk}&b={pair[1].pk}")
    assert "first 3 clicks" in source
    table = source[source.index('id="common-title"') :].split("<tbody>")[1].split("</tbody>")[0]
    assert table.count("<tr>") == 3 == source.split('"common": [')[1].split("]}]")[0].count("sort")


def test_every_replay_leads_here(pair: tuple[Replay, Replay], client: Client) -> None:
    a, b = pair
    links = Document(client.get(a.get_absolute_url()).content.decode()).links()
    assert f"/compare/?a={a.pk}" in links
    assert f"/compare/?a={a.pk}&b={b.pk}&layout=ghost" in links, "the other game on the same board"
    other = Document(client.get(b.get_absolute_url()).content.decode()).links()
    assert f"/compare/?a={b.pk}&b=record" in other


def test_bad_addresses(db: None, client: Client) -> None:
    def is_refused(query: str) -> None:
        assert client.get(f"/compare/{query}").status_code == 400

    cases = ["?a=x", "?a=0", "?a=1&b=fastest", "?a=1&b=-2", "?a=1&b=1&align=best", "?a=1&b=1&layout=3d", "?a=99999999999999999999"]  # fmt: skip
    check_each_on_site(is_refused, cases)


def test_unknown_and_waiting_replays(pair: tuple[Replay, Replay], client: Client) -> None:
    a, b = pair
    assert client.get("/compare/").status_code == 200
    Replay.objects.filter(pk=b.pk).update(status=Replay.Status.REJECTED)
    for query in (f"?a={a.pk}&b={b.pk}", f"?a={b.pk}&b={a.pk}", f"?a={a.pk}&b=987654"):
        assert client.get(f"/compare/{query}").status_code == 404


def test_a_lost_file(pair: tuple[Replay, Replay], client: Client) -> None:
    a, b = pair
    file_store.delete(b.sha256)
    assert client.get(f"/compare/?a={a.pk}&b={b.pk}").status_code == 404


def test_it_counts_as_two_films(pair: tuple[Replay, Replay], client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.watch.film.services.FILM_LIMIT._rate", "5/minute")
    a, b = pair
    statuses = [client.get(f"/compare/?a={a.pk}&b={b.pk}").status_code for _time in range(4)]
    assert statuses == [200, 200, 429, 429]
    assert client.get(f"/compare/?a={a.pk}").status_code == 200, "what is not computed is not counted"


def test_statements(pair: tuple[Replay, Replay], client: Client, django_assert_num_queries: Any) -> None:
    a, b = pair
    with django_assert_num_queries(3):  # both replays, other games on the board
        client.get(f"/compare/?a={a.pk}&b={b.pk}")


def test_the_graph_goes_up_where_the_first_is_ahead() -> None:
    found = Splits(np.array([0, 1, 2.0]), np.array([0, 10, 30.0]), np.array([0, 20, 10.0]))
    across, down = graph_points(found)
    assert across.tolist() == [0, 500, 1000]
    assert down[0] == 100
    assert down[1] < 100 < down[2]
    assert "M0.0 100.0L500.0" in split_graph(found, "a", 'b"<')
    assert "b&quot;&lt;" in split_graph(found, "a", 'b"<')
    flat = Splits(np.zeros(1), np.zeros(1), np.zeros(1))
    assert graph_points(flat)[1].tolist() == [100]


def test_the_lead_at_the_quarters(client: Client, pair: tuple[Replay, Replay]) -> None:
    """The second game is twice as slow, so the first leads by its own time at each."""
    found = compare(*pair)
    leads = [views.lead_at(found, share) for share in (0.25, 0.5, 0.75)]
    assert all(lead is not None and lead > 0 for lead in leads)
    assert leads == sorted(leads, key=lambda lead: lead or 0)
    swapped = compare(*reversed(pair))
    assert [views.lead_at(swapped, share) for share in (0.25, 0.5, 0.75)] == [-(lead or 0) for lead in leads]
    names = views.shown_names(*pair)
    page = client.get(f"/compare/?a={pair[0].pk}&b={pair[1].pk}").content.decode()
    assert all(
        f"<dt>{share}%</dt><dd>{views.lead_text(lead, names)}</dd>" in page
        for share, lead in zip((25, 50, 75), leads, strict=True)
    )


def test_no_lead_where_a_game_did_not_get(pair: tuple[Replay, Replay]) -> None:
    assert views.lead_at(compare(*pair), 1.01) is None
    assert [views.lead_text(lead, ("Ann", "Bob")) for lead in (None, 0.0, 1_500.0, -20.0)] == [
        "–", "= 0.00 s", "Ann 1.50 s", "Bob 0.02 s",
    ]  # fmt: skip


def test_games_are_called_by_their_players_else_by_letter_and_time(pair: tuple[Replay, Replay]) -> None:
    first, second = pair
    assert first.player is not None
    first.__dict__["time"], second.__dict__["time"], first.time_precision_ms = 40.55, 81.102, 10
    second.player = Player(name="Bob")
    assert views.shown_names(first, second) == (first.player.name, "Bob")
    second.player, second.time_precision_ms = first.player, 1
    with times_from_one():
        assert views.shown_names(first, second) == ("A (41.55 s)", "B (82.102 s)")
    second.player = None
    assert views.shown_names(first, second)[1] == "B (81.102 s)"
