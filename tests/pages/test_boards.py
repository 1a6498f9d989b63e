"""Leaderboard pages."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client

from analysis.recording import Level
from analysis.statistics import BY_NAME
from players.leaderboards.board import board_address
from players.leaderboards.boards import ON_LEVEL, all_boards
from players.models import Player, User
from replays.models import Replay
from tests.factories import EPOCH, stored_replay
from tests.pages.conftest import MakePlayers, board_of, rank
from tests.pages.html import Document


def rows(client: Client, address: str) -> list[str]:
    """The text of each row of the first table's body."""
    source = client.get(address).content.decode()
    body = source[source.index("<tbody>") : source.index("</tbody>")]
    return [Document(row).text for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)]


def test_rows_link_players_and_replays(make_players: MakePlayers, client: Client) -> None:
    first, second = make_players(2)
    page = Document(client.get("/leaderboards/expert/time/").content.decode())
    best = Replay.objects.get(player=first, level=Level.EXPERT)
    assert first.get_absolute_url() in page.links()
    assert best.get_absolute_url() in page.links()
    assert rows(client, "/leaderboards/expert/time/?columns=date") == [
        f"1 {first.name} 40.00 2024-01-01",
        f"2 {second.name} 41.11 2024-01-02",
    ]


def test_ties_share_a_rank(db: None, client: Client) -> None:
    for name, time_ms in (("A", 50_000), ("B", 50_000), ("C", 60_000)):
        rank(stored_replay(Player.objects.create(name=name), time_ms=time_ms))
    assert [row.split()[0] for row in rows(client, "/leaderboards/expert/time/")] == ["1", "1", "3"]


@pytest.mark.parametrize(
    ("statistic", "values", "texts"),
    [
        ("pluck", (0.0, 0.3, 0.5019, 1.2), ["0.000", "0.300", "0.502", "1.200"]),
        ("pluck", (0.5, 0.5004, 0.50041), ["0.50000", "0.50040", "0.50041"]),
        ("bvs", (2.00048, 2.00039, 2.0), ["2.0005", "2.0004", "2.0000"]),
    ],
)
def test_different_ranks_look_different(
    db: None, client: Client, statistic: str, values: tuple[float, ...], texts: list[str]
) -> None:
    for number, value in enumerate(values):
        player = Player.objects.create(name=f"Player{number}")
        rank(stored_replay(player, achieved_at=EPOCH - timedelta(days=number), values={statistic: value}))
    address = f"/leaderboards/expert/{statistic}/"
    assert [row.split()[2] for row in rows(client, address)] == texts
    assert [row["text"] for row in client.get(f"/api/v1{address}").json()["rows"]] == texts
    # The steps of the board's history, newest first, and how much better each was.
    steps = rows(client, f"{address}history/")
    assert len(steps) == len(values)
    assert not any(re.search(r" 0\.0+$", step) for step in steps)


@pytest.mark.long(beside="tests/pages/test_boards.py::test_the_index_has_the_leader_of_every_board")
def test_pages_have_every_row_once(make_players: MakePlayers, client: Client) -> None:
    make_players(60)
    source = client.get("/leaderboards/expert/time/?style=FL").content.decode()
    following = re.search(r'rel="next" href="([^"]+)"', source)
    assert following is not None
    address = "/leaderboards/expert/time/" + following[1].replace("&amp;", "&")
    assert "style=FL" in address
    ranks = [int(row.split()[0]) for row in rows(client, address)]
    assert ranks == list(range(51, 61))
    assert 'rel="prev"' in client.get(address).content.decode()


@pytest.mark.long(beside="tests/pages/test_boards.py::test_own_row_is_not_shown_twice")
def test_own_row_is_always_shown(make_players: MakePlayers, owner: User, owner_client: Client) -> None:
    make_players(55)
    rank(stored_replay(owner.player, time_ms=900_000))
    source = owner_client.get("/leaderboards/expert/time/").content.decode()
    start = source.index('<tbody class="own-place"')
    assert Document(source[start : source.index("</tbody>", start)]).text.startswith("56 owner 900.00")


def test_own_row_is_not_shown_twice(make_players: MakePlayers, owner: User, owner_client: Client) -> None:
    make_players(2)
    rank(stored_replay(owner.player, time_ms=1_000))
    source = owner_client.get("/leaderboards/expert/time/").content.decode()
    assert "own-place" not in source
    assert re.findall('<tr class="(.*own.*)"><td', source) == ["lead own"]


def test_combined_board_shows_its_parts(make_players: MakePlayers, client: Client) -> None:
    (player,) = make_players(1)
    # 10.00 + 30.00 + 40.00; Beginner 9x9 (20.00) is no part of it.
    expected = [f"1 {player.name} 80.00 40.00 30.00 10.00 2024-01-01"]
    assert rows(client, "/leaderboards/combined/time/") == expected


@pytest.mark.parametrize(("time_ms", "counts"), [(38_990, True), (38_999, True), (39_000, False)])
def test_sub_40_is_below_39_seconds(db: None, client: Client, time_ms: int, counts: bool) -> None:
    rank(stored_replay(Player.objects.create(name="Edge"), time_ms=time_ms))
    found = rows(client, "/leaderboards/sub/expert/40/")
    assert ("1 Edge 1" in found[0]) is counts
    page = Document(client.get("/leaderboards/sub/expert/40/").content.decode()).text
    assert "at most 38.99 s" in page
    assert "39.00 s is not sub-40" in page


def test_stepper_leads_to_the_board_of_that_n(db: None, client: Client) -> None:
    response = client.get("/leaderboards/sub/expert/40/?n=45&style=NF")
    assert response.headers["Location"] == "/leaderboards/sub/expert/45/?style=NF"


def test_picker_leads_to_the_board(db: None, client: Client) -> None:
    response = client.get("/leaderboards/?level=expert&statistic=stnb&style=NF")
    assert response.headers["Location"] == "/leaderboards/expert/stnb/?style=NF"
    assert (
        client.get("/leaderboards/?level=combined&statistic=bvs").headers["Location"] == "/leaderboards/combined/bvs/"
    )


def test_styles_are_boards_of_their_own(make_players: MakePlayers, client: Client) -> None:
    make_players(1, style="NF")
    assert len(rows(client, "/leaderboards/expert/time/?style=NF")) == 1
    (row,) = rows(client, "/leaderboards/expert/time/?style=FL")
    assert row, "the page says that nobody is there"
    assert "Player 000" not in row


def test_level_tabs_link_the_same_statistic_and_style(make_players: MakePlayers, client: Client) -> None:
    links = Document(client.get("/leaderboards/expert/stnb/?style=NF").content.decode()).links()
    assert "/leaderboards/intermediate/stnb/?style=NF" in links
    assert "/leaderboards/beginner-9x9/time/?style=NF" in links  # STNB is not defined there


def test_clock_from_one_changes_what_is_shown_and_no_rank(
    make_players: MakePlayers, owner: User, owner_client: Client
) -> None:
    (player,) = make_players(1)
    owner.clock = User.Clock.ONE
    owner.save()
    assert rows(owner_client, "/leaderboards/expert/time/")[0].startswith(f"1 {player.name} 41.00")
    assert rows(owner_client, "/leaderboards/combined/time/")[0].startswith(f"1 {player.name} 83.00 41.00 31.00 11.00")
    assert "at most 39.99 s" in owner_client.get("/leaderboards/sub/expert/40/").content.decode()


def test_times_have_the_decimals_of_their_clock_everywhere(db: None, client: Client) -> None:
    """Three clocks of 10 ms: no page or API response may show a third decimal."""
    player = Player.objects.create(name="Arbiter")
    rank(
        *(
            stored_replay(player, level, time_ms=time_ms, board=board_of(level))
            for level, time_ms in ((Level.BEGINNER, 5_120), (Level.INTERMEDIATE, 20_160), (Level.EXPERT, 38_990))
        )
    )
    board, home, profile, people = (
        Document(client.get(address).content.decode()).text
        for address in ("/leaderboards/combined/time/", "/", player.get_absolute_url(), "/players/")
    )
    for text in (board, profile):
        assert "64.27" in text
        assert "64.270" not in text
    for text in (home, profile, people):
        assert "38.99" in text
        assert "38.990" not in text
    (row,) = client.get("/api/v1/players/").json()["rows"]
    assert {level: best["text"] for level, best in row["times"].items()} == {
        "beginner": "5.12", "intermediate": "20.16", "expert": "38.99",
    }  # fmt: skip
    bests = client.get(f"/api/v1/players/{player.pk}/").json()["bests"]
    assert {best["text"] for best in bests if (best["level"], best["statistic"]) == ("combined", "time")} == {"64.27"}


def test_the_leader_is_the_first_row_and_drawn_as_a_clock(make_players: MakePlayers, client: Client) -> None:
    make_players(3)
    source = client.get("/leaderboards/expert/time/").content.decode()
    leads = re.findall(r'<tr class="lead">.*?</tr>', source)
    assert len(leads) == 1
    assert Document(leads[0]).text.startswith("1 Player 000 40.00")
    assert leads[0].count('class="son"') == 5  # four digits and a point
    others = re.findall(r"<tr><td.*?</tr>", source)
    assert [row.count('<line class="gap"') for row in others] == [1, 1]
    assert 'class="led"' not in client.get("/leaderboards/expert/bvs/").content.decode()


@pytest.mark.long(beside="tests/pages/test_boards.py::test_the_index_has_the_leader_of_every_board")
def test_what_follows_the_first_page_has_no_leader(make_players: MakePlayers, client: Client) -> None:
    last = make_players(52)[-1]
    source = client.get(f"/leaderboards/expert/time/?player={last.pk}").content.decode()
    assert 'class="lead"' not in source
    assert 'class="sought"' in source


def test_the_index_has_the_leader_of_every_board(make_players: MakePlayers, client: Client) -> None:
    first, second = make_players(2)
    source = client.get("/leaderboards/").content.decode()
    page = Document(source)
    body = source[source.index("<tbody>") : source.index("</tbody>")]
    expert = re.search(r'<a [^>]*href="/leaderboards/expert/time/">(.*?)</a>', body, re.DOTALL)
    assert expert is not None
    assert Document(expert[1]).text == f"40.00 {first.name}"
    assert second.name in body  # with more 3BV/s
    for key in all_boards():
        if key.style == "all":
            assert board_address(key.level, key.statistic) in page.links()
    assert "shows-expert" in source
    assert "shows-beginner-9x9" in client.get("/leaderboards/?level=beginner-9x9").content.decode()
    assert "shows-expert" in client.get("/leaderboards/?level=nope").content.decode()


@pytest.mark.parametrize(
    ("address", "clean"),
    [
        ("/leaderboards/expert/time/?period=&country=&min_3bv=", "/leaderboards/expert/time/"),
        ("/leaderboards/expert/time/?period=2024&country=%20", "/leaderboards/expert/time/?period=2024"),
        ("/leaderboards/sub/expert/40/?period=", "/leaderboards/sub/expert/40/"),
        ("/leaderboards/combined/time/?as_of=&best_of=5", "/leaderboards/combined/time/?best_of=5"),
        ("/leaderboards/?style=", "/leaderboards/"),
        ("/records/?level=expert&statistic=", "/records/?level=expert"),
        ("/players/?q=", "/players/"),
    ],
)
def test_addresses_carry_only_what_is_set(db: None, client: Client, address: str, clean: str) -> None:
    """A form without script sends its empty fields too."""
    response = client.get(address)
    assert (response.status_code, response.headers["Location"]) == (302, clean)
    assert client.get(clean).status_code == 200


def test_a_search_while_typing_pushes_the_clean_address(db: None, client: Client) -> None:
    response = client.get("/players/?q=", headers={"HX-Request": "true"})
    assert (response.status_code, response.headers["HX-Push-Url"]) == (200, "/players/")
    assert "HX-Push-Url" not in client.get("/players/?q=a", headers={"HX-Request": "true"}).headers


@pytest.mark.parametrize("statistic", ["iome", "bv", "flags"])
def test_a_statistic_that_is_no_merit_leads_to_its_definition(db: None, client: Client, statistic: str) -> None:
    response = client.get(f"/leaderboards/expert/{statistic}/")
    target = response.headers["Location"]
    assert target == f"/statistics/#{BY_NAME[statistic].public}"
    assert f'id="{target.partition("#")[2]}"' in client.get("/statistics/").content.decode()


def test_every_statistic_of_a_level_is_one_step_away(db: None, client: Client) -> None:
    links = Document(client.get("/leaderboards/expert/sao/").content.decode()).links()
    for row in ON_LEVEL["expert"]:
        assert f"/leaderboards/expert/{row.public}/" in links
    assert {"/leaderboards/corpses/expert/stnb/", "/leaderboards/sub/expert/40/"} <= set(links)
