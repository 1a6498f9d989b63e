"""Each chart's drawing, table and file hold the same numbers."""

from __future__ import annotations

import csv
import gzip
import io
import re
from typing import Any
from urllib.parse import parse_qsl
from xml.etree import ElementTree
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.recording import Level
from analysis.statistics import LUCK_VERSION
from players.models import Player
from players.profile.charts import games as player_games
from players.profile.charts.kinds import wins
from players.profile.charts.kinds.catalogue import KINDS
from players.profile.charts.request import PARAMETERS, chart_query
from players.web.charts.plot import LEFT, RIGHT
from players.web.clock import CLOCK_COOKIE
from players.web.parameters import form_of
from replays.models import Replay
from tests.caches import clear_caches
from tests.cases import check_each_on_site
from tests.effort import rest_long
from tests.pages.html import Document
from tests.players.profile.charts.games import at, played, random_games, save

pytestmark = pytest.mark.django_db

#: What a card may weigh on the wire.
MOST_BYTES = 12 * 1024
CHARTS = tuple(KINDS)


@pytest.fixture
def player() -> Player:
    return Player.objects.create(name="Ada")


def built(player: Player, name: str, **query: str) -> Any:
    kind = KINDS[name]
    values = form_of(*PARAMETERS)(query).values()
    return kind.build(chart_query(player, values, takes=kind.takes, needs_level=kind.needs_level))


def card(client: Client, player: Player, name: str, query: str = "") -> str:
    clear_caches()
    response = client.get(f"/players/{player.pk}/charts/{name}/{query}", headers={"HX-Request": "true"})
    assert response.status_code == 200, name
    return response.content.decode()


def asked(player: Player, name: str, query: str = "") -> Any:
    """Return the chart that a page with ``query`` shows."""
    return built(player, name, **dict(parse_qsl(query.removeprefix("?"))))


def table_rows(text: str) -> list[list[str]]:
    """The cells of each row of the table of a card, without markup."""
    rows = re.findall(r"<tr data-x=.*?</tr>", text, re.S)
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in re.findall(r"<td>(.*?)</td>", row, re.S)] for row in rows]


def several_games(player: Player) -> None:
    save(*random_games(player, 120))


def one_game(player: Player) -> None:
    save(played(player, at("2024-02-03 12:00")))


def equal_values(player: Player) -> None:
    save(*(played(player, at("2024-02-03 12:00")) for _ in range(12)))


def no_game(_player: Player) -> None: ...


def lost_games_alone(player: Player) -> None:
    values: dict[str, float | None] = {"bvdone": 0, "completion": 0.0}
    save(*(played(player, at("2024-02-03 12:00"), won=False, values=values) for _ in range(3)))


SITES = (several_games, one_game, equal_values, no_game, lost_games_alone)


@pytest.mark.parametrize("fill", rest_long(*SITES), ids=lambda fill: fill.__name__)
def test_drawing_and_table_are_the_same_rows(player: Player, client: Client, fill: Any) -> None:
    fill(player)

    def has_the_same_rows(name: str) -> None:
        text, chart = card(client, player, name), built(player, name)
        assert table_rows(text) == [row.texts for row in chart.shown_rows]
        file = client.get(f"/players/{player.pk}/charts/{name}/?format=csv").content.decode()
        assert list(csv.DictReader(io.StringIO(file))) == [
            {column: "" if value is None else str(value) for column, value in row.items()} for row in chart.rows
        ]
        for row, mark in zip(chart.rows, table_rows(text), strict=True):
            for column, cell in zip(chart.columns, mark, strict=True):
                value = row[column.name]
                assert cell == ("–" if value is None else column.text(value)), column.name
        assert bool(chart.drawing) == bool(chart.marks)
        assert len(gzip.compress(text.encode())) <= MOST_BYTES
        assert " style=" not in text
        assert "<script" not in text

    check_each_on_site(has_the_same_rows, CHARTS)


def test_every_mark_lies_in_its_drawing(player: Player) -> None:
    several_games(player)

    def lie_in_its_drawing(name: str) -> None:
        chart = built(player, name)
        drawing = ElementTree.fromstring(str(chart.drawing))  # noqa: S314 - our own
        for part in drawing.iter():
            for place in ("x", "y", "cx", "cy", "x1", "x2", "y1", "y2"):
                assert 0 <= float(part.get(place, "0").removesuffix("%")) <= 100, ElementTree.tostring(part)
        assert chart.marks
        for mark in chart.marks:
            assert 0 <= mark.x <= 100
            assert 0 <= mark.y <= 100

    check_each_on_site(lie_in_its_drawing, CHARTS)


@pytest.mark.parametrize("name", ["distribution", "wins", "losses"])
def test_bars_are_as_high_as_their_numbers(player: Player, name: str) -> None:
    several_games(player)
    chart = built(player, name)
    drawing = ElementTree.fromstring(str(chart.drawing))  # noqa: S314 - our own
    bars = [
        [float(bar.get(name, "").removesuffix("%")) for name in ("x", "width", "height")]
        for group in drawing.iter("g")
        if group.get("class", "").split() in (["bars"], ["bars", "hatched"])
        for bar in group.iter("rect")
    ]
    most = max(row["games"] for row in chart.rows)
    assert len(bars) == len(chart.marks)
    for (x, width, height), mark, row in zip(bars, chart.marks, chart.rows, strict=True):
        assert x + width / 2 == pytest.approx(mark.x, abs=0.05)
        assert height == pytest.approx(max(bar[2] for bar in bars) * row["games"] / most, abs=0.05)


def test_a_better_time_is_higher(player: Player) -> None:
    save(*(played(player, at(f"2024-0{month}-01"), time_ms=time_ms) for month, time_ms in ((1, 60_000), (2, 50_000))))
    slower, faster = built(player, "progress").marks
    assert (slower.values[1], faster.values[1]) == (60.0, 50.0)
    assert faster.y < slower.y
    slower, faster = built(player, "progress", statistic="bvs").marks
    assert faster.y < slower.y, "of 3BV/s the greater value is the better one"


def test_the_newest_wins_and_the_fastest_one(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wins, "WINS", 3)
    times = (45_000, 60_000, 61_000, 62_000)
    save(*(played(player, at(f"2024-01-0{day}"), time_ms=time_ms) for day, time_ms in enumerate(times, 1)))
    chart = built(player, "time-by-3bv")
    assert [row["time"] for row in chart.rows] == [62.0, 61.0, 60.0, 45.0]
    (best,) = ElementTree.fromstring(str(chart.drawing)).findall("g[@class='dots full']/circle")  # noqa: S314 - our own
    assert float(best.get("cy", "").removesuffix("%")) == pytest.approx(chart.marks[-1].y, abs=0.01)
    assert chart.fact == "Expert: last 3 wins"


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_the_distribution_is_that_of_the_games")
@pytest.mark.parametrize("zone", ["UTC", "Pacific/Kiritimati", "America/New_York", "Asia/Kolkata"])
def test_the_calendar_adds_up_to_all_games(player: Player, client: Client, zone: str) -> None:
    save(*random_games(player, 150))
    shown = sum(
        row["games"]
        for year in (2021, 2022, 2023, 2024, 2025)
        for row in asked(player, "calendar", f"?zone={zone}&year={year}").rows
    )
    assert shown == 150
    for name in ("hours", "wins"):
        rows = asked(player, name, f"?zone={zone}").rows
        assert sum(row["games"] for row in rows) == 150
        assert sum(row["won"] for row in rows) == Replay.objects.filter(win=True).count()
        assert sum(row["undated"] for row in rows) == Replay.objects.filter(played_at=None).count()
    lost = Replay.objects.filter(result=Replay.Result.LOST).count()
    assert sum(row["games"] for row in asked(player, "losses").rows) == lost


def test_days_are_those_of_the_zone(player: Player, client: Client) -> None:
    """New Zealand's Line Islands are 14 hours ahead; in New York the clocks change on 10 March 2024 at 7:00 UTC."""
    moments = ["2024-03-10 04:59", "2024-03-10 05:00", "2024-03-10 06:59", "2024-03-10 07:00", "2024-03-11 03:59"]
    save(*(played(player, at(moment)) for moment in moments))

    def days(zone: str) -> dict[str, int]:
        rows = asked(player, "calendar", f"?zone={zone}&year=2024").rows
        return {row["day"]: row["games"] for row in rows}

    assert days("UTC") == {"2024-03-10": 4, "2024-03-11": 1}
    assert days("America/New_York") == {"2024-03-09": 1, "2024-03-10": 4}
    assert days("Pacific/Kiritimati") == {"2024-03-10": 4, "2024-03-11": 1}
    hours = asked(player, "hours", "?zone=America/New_York").rows
    assert {(row["weekday"], row["hour"]): row["games"] for row in hours} == {
        (6, 23): 1, (7, 0): 1, (7, 1): 1, (7, 3): 1, (7, 23): 1,
    }  # fmt: skip
    late = asked(player, "hours", "?zone=Pacific/Kiritimati").rows
    assert {(row["weekday"], row["hour"]) for row in late} == {(7, 18), (7, 19), (7, 20), (7, 21), (1, 17)}


def test_a_game_without_a_date_counts_on_its_upload_and_is_hatched(player: Player) -> None:
    save(played(player, at("2024-05-01 10:00"), played_at=None, uploaded_at=at("2024-05-07 10:00")))
    chart = built(player, "calendar")
    assert [(row["day"], row["undated"]) for row in chart.rows] == [("2024-05-07", 1)]
    assert "url(#hatch)" in chart.drawing
    assert "1 game " in " ".join(chart.notes)


def test_a_date_after_the_upload_is_not_believed(player: Player) -> None:
    save(played(player, at("2099-05-01 10:00"), uploaded_at=at("2024-05-07 10:00")))
    assert [row["day"] for row in built(player, "calendar").rows] == ["2024-05-07"]


def test_months_without_games_stand_empty(player: Player) -> None:
    save(played(player, at("2023-01-10")), played(player, at("2024-01-10")))
    chart = built(player, "wins")
    assert [row["period"] for row in chart.rows] == ["2023-01", "2024-01"]
    first, last = (mark.x for mark in chart.marks)
    width = (last - first) / 12
    assert width == pytest.approx((RIGHT - LEFT) / 13), "thirteen months, eleven of them without a bar"


def test_a_long_span_is_shown_by_year(player: Player) -> None:
    save(played(player, at("2004-01-10")), played(player, at("2004-12-10")), played(player, at("2024-01-10")))
    assert [(row["period"], row["games"]) for row in built(player, "wins").rows] == [("2004", 2), ("2024", 1)]


def test_speed_times_efficiency_is_bvs(player: Player) -> None:
    save(*random_games(player, 60))
    for replay in Replay.objects.filter(ranked=True):
        assert replay.statistic("bvs") == pytest.approx((replay.statistic("cls") or 0) * (replay.statistic("ioe") or 0))


def test_speed_shows_the_newest_wins_and_the_best_of_all(player: Player, client: Client) -> None:
    """The best one is older than they are; a game without an efficiency has no place."""
    save(
        played(player, at("2024-01-01"), time_ms=20_000, bv=120), played(player, at("2024-01-02"), values={"ioe": None})
    )
    save(*(played(player, at("2024-02-01"), time_ms=60_000 + number, bv=120) for number in range(wins.WINS)))
    first = Replay.objects.order_by("pk")[0]
    assert [row["replay"] for row in built(player, "speed").rows[-1:]] == [first.pk]
    assert len(built(player, "speed").rows) == wins.WINS + 1
    assert str(built(player, "speed").drawing).count("<circle") == wins.WINS + 1
    for name in ("pair", "best-per-3bv"):
        assert client.get(f"/players/{player.pk}/charts/{name}/").status_code == 404


def test_the_distribution_is_that_of_the_games(player: Player, client: Client) -> None:
    save(*(played(player, at("2024-05-01"), time_ms=time_ms) for time_ms in (40_000, 40_999, 41_000, 45_500)))
    rows = asked(player, "distribution").rows
    assert [(row["from_second"], row["to_second"], row["games"]) for row in rows] == [
        (40, 41, 2),
        (41, 42, 1),
        (45, 46, 1),
    ]
    assert "Median: 40.999 s." in card(client, player, "distribution")


@pytest.mark.parametrize(("clock", "line"), [("zero", "sub-45: &lt;44 s"), ("one", "sub-45")])
def test_sub_n_names_its_limit_on_a_clock_from_0_alone(player: Player, client: Client, clock: str, line: str) -> None:
    save(*(played(player, at("2024-05-01"), time_ms=time_ms) for time_ms in (41_250, 44_000, 48_000)))
    client.cookies[CLOCK_COOKIE] = clock
    assert f">{line}</text>" in card(client, player, "distribution")
    tile = Document(client.get(player.get_absolute_url()).content.decode()).text
    assert "sub-42" in tile
    assert "0.26 s" in tile
    assert ("sub-42 (under 41 s)" in tile) == (clock == "zero")


def test_progress_tells_rank_and_record_of_the_site(player: Player) -> None:
    other = Player.objects.create(name="Other")
    save(played(other, at("2024-01-01"), time_ms=50_000))
    save(played(player, at("2024-02-01"), time_ms=60_000))
    save(played(player, at("2024-03-01"), time_ms=45_000))
    rows = built(player, "progress").rows
    assert [(row["value"], row["rank"], row["site_record"]) for row in rows] == [(60.0, 2, 50.0), (45.0, 1, 45.0)]


def test_a_best_ahead_of_the_record_is_explained(player: Player) -> None:
    """Both follow the dates of the games, but a provisional game is a best at once and no record yet."""
    save(played(player, at("2024-01-01"), time_ms=50_000))
    before = built(player, "progress")
    save(played(player, at("2024-02-01"), time_ms=40_000, judgement=Replay.Judgement.PROVISIONAL))
    clear_caches()
    found = built(player, "progress")
    assert [(row["value"], row["site_record"]) for row in found.rows] == [(50.0, 50.0), (40.0, 50.0)]
    assert len(set(found.notes) - set(before.notes)) == 1
    keys, texts = zip(before.legend[1], found.legend[1], strict=True)
    assert keys == ("site-record", "site-record")
    assert texts[0] != texts[1], "the notes are folded away"


@pytest.mark.long(beside="tests/players/profile/charts/test_rows.py::test_games_that_are_not_the_players_do_not_count")
def test_statements_do_not_grow_with_the_games(player: Player, client: Client) -> None:
    save(*random_games(player, 40, seed=2))

    def statements(name: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            card(client, player, name)
        return len(queries)

    few = {name: statements(name) for name in CHARTS}
    assert {name: count for name, count in few.items() if count > 10} == {}
    save(*random_games(player, 120, seed=3))
    assert {name: statements(name) for name in CHARTS} == few


def test_a_card_comes_from_the_cache_until_the_games_change(player: Player, client: Client) -> None:
    save(played(player, at("2024-05-01")))
    address = f"/players/{player.pk}/charts/wins/"
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    assert len(queries) == 3, "the player, and the numbers that change with their games"
    save(played(player, at("2024-05-02")))
    assert "2 of 2 games" in client.get(address).content.decode()
    Replay.objects.order_by("-pk")[:1].get().delete()
    assert "1 of 1 games" in client.get(address).content.decode()


def test_games_that_are_not_the_players_do_not_count(player: Player) -> None:
    save(played(player, at("2024-05-01")), played(player, at("2024-05-02"), ownership="waiting", ranked=False))
    assert player_games.totals_of(player.pk).games == 1
    assert len(built(player, "calendar").rows) == 1


def test_luck_of_a_former_definition_is_not_mixed_with_that_of_today(player: Player) -> None:
    for day, accuracy, version in (("01", 10.0, LUCK_VERSION - 1), ("02", 90.0, LUCK_VERSION)):
        values = {"pluck": 1.0, "needless_guesses": 2, "accuracy": accuracy}
        save(played(player, at(f"2024-05-{day}"), values=values, luck_version=version))
    (row,) = built(player, "accuracy").rows
    assert row == {"period": "2024-05", "games": 1, "accuracy": 90.0}
    Replay.objects.update(luck_version=LUCK_VERSION - 1)
    clear_caches()
    assert built(player, "accuracy").rows == []


def test_years_of_luck_weigh_their_months_by_games(player: Player) -> None:
    """Twenty years are shown by year: of 2004 one month has one game, the other two."""
    months = [("2004-01-10", 40.0), ("2004-12-10", 100.0), ("2004-12-11", 100.0), ("2024-01-10", 90.0)]
    save(
        *(
            played(player, at(day), values={"pluck": 1.0, "needless_guesses": 0, "accuracy": accuracy})
            for day, accuracy in months
        )
    )
    rows = built(player, "accuracy").rows
    assert [(row["period"], row["games"], row["accuracy"]) for row in rows] == [("2004", 3, 80.0), ("2024", 1, 90.0)]


def test_the_line_of_accuracy_ends_at_a_month_without_games(player: Player) -> None:
    days = ["2024-01-10", "2024-02-10", "2024-05-10", "2024-06-10"]
    save(*(played(player, at(day), values={"pluck": 1.0, "needless_guesses": 0, "accuracy": 90.0}) for day in days))
    drawing = str(built(player, "accuracy").drawing)
    lines = re.findall(r'<g class="line">(.*?)</g>', drawing)
    assert [line.count("<line") for line in lines] == [1, 1], "two lines of two months each, nothing across the gap"


def test_bad_parameters(player: Player, client: Client) -> None:
    def is_refused(query: str, status: int) -> None:
        assert client.get(f"/players/{player.pk}/charts/progress/{query}").status_code == status

    cases = [
        ("?zone=Mars/Base", 400),
        ("?zone=../../etc/passwd", 400),
        ("?year=0", 400),
        ("?level=custom", 400),
        ("?statistic=nope", 400),
        ("?level=beginner-9x9&statistic=stnb", 400),
        ("?year=2024", 200),  # this chart does not take it
    ]
    check_each_on_site(is_refused, cases)


def test_unknown_charts_and_players_are_404(player: Player, client: Client) -> None:
    for path in (f"/players/{player.pk}/charts/nope/", f"/players/{player.pk + 1}/charts/wins/"):
        assert client.get(path).status_code == 404


def test_the_zone_of_the_account_is_the_default(owner_client: Client, owner: Any, player: Player) -> None:
    owner.time_zone = "Asia/Tokyo"
    owner.save()
    save(played(player, at("2024-05-01 20:00")))
    assert 'data-zone="Asia/Tokyo"' in card(owner_client, player, "calendar")
    assert "2024-05-02" in card(owner_client, player, "calendar")
    assert ZoneInfo("Asia/Tokyo").key in card(owner_client, player, "hours")


def test_levels_of_a_chart_are_apart(player: Player, client: Client) -> None:
    save(
        played(player, at("2024-05-01"), Level.EXPERT), played(player, at("2024-05-01"), Level.BEGINNER, time_ms=5_000)
    )
    assert asked(player, "distribution").rows == asked(player, "distribution", "?level=expert").rows, "the hardest one"
    rows = asked(player, "distribution", "?level=beginner").rows
    assert [row["from_second"] for row in rows] == [5]
