"""Links on other sites: tags with a title, a text and a picture that they can fetch."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Final

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from PIL import Image

from analysis.recording import Level
from players.leaderboards.board import Board
from players.leaderboards.boards import BoardKey
from players.leaderboards.pages.board_share import share_of_board
from players.leaderboards.ranks import page_at
from players.models import Player
from replays.models import Replay
from tests.cases import check_each_on_site
from tests.factories import rank_replays, stored_replay, unrank_replays
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.conftest import ingest as ingest
from tests.replays.conftest import store as store
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db

HOST: Final = "another.example"
SITE: Final = "https://sweepbook.example"
DEFAULT: Final = f"{SITE}/static/app/share.png"
SITE_TEXT: Final = "Replay database and leaderboards for competitive Minesweeper."


@pytest.fixture(autouse=True)
def site(settings: Any) -> None:
    """The site knows its address; requests name another host."""
    settings.ALLOWED_HOSTS = [HOST]
    settings.SITE_URL = SITE


@pytest.fixture
def games(ingest: Ingest) -> dict[str, Replay]:
    """Ranked games of one player, by level."""
    levels = (Level.EXPERT, Level.INTERMEDIATE, Level.BEGINNER)
    return {level.value: ingest(game_file(number, level)) for number, level in enumerate(levels, 1)}


def tags(client: Client, address: str, status: int = 200) -> dict[str, str]:
    response = client.get(address, headers={"host": HOST})
    assert response.status_code == status
    found = Document(response.content.decode()).all("meta")
    return {tag.get("property") or tag.get("name") or "": tag.get("content") or "" for tag in found}


def picture(client: Client, address: str) -> Image.Image:
    """The picture at an absolute address of the site; those of static files are not served in tests."""
    path = address.removeprefix(SITE)
    if path.startswith("/static/"):
        return Image.open(io.BytesIO(Path(str(finders.find(path.removeprefix("/static/")))).read_bytes()))
    response = client.get(path, headers={"host": HOST})
    assert (response.status_code, response["Content-Type"]) == (200, "image/png")
    return Image.open(io.BytesIO(response.content))


#: Address, the address in its tags, whether it shows the card of the Expert game, and what its text has.
PAGES: Final = [
    ("/", "/", True, SITE_TEXT),
    ("/?utm=x", "/", True, SITE_TEXT),
    ("{player}", "{player}", True, "Expert {time} s · Intermediate "),
    ("{player}?style={style}&statistic=bvs", "{player}?style={style}", True, "{style} · Expert {time} s"),
    ("{player}records/", "{player}records/", True, "Expert {time} s · Intermediate "),
    ("{player}charts/", "{player}charts/", False, "3 games, 3 won"),
    ("{player}games/?before=9999999", "{player}games/", False, "3 games, 3 won"),
    ("/leaderboards/", "/leaderboards/", True, SITE_TEXT),
    ("/leaderboards/?level=beginner", "/leaderboards/", True, SITE_TEXT),
    ("/leaderboards/expert/time/", "/leaderboards/expert/time/", True, "#1 {name} {time} s · 1 player"),
    (
        "/leaderboards/expert/time/?style={style}&columns=bv", "/leaderboards/expert/time/?style={style}", True,
        "#1 {name} {time} s · 1 player",
    ),
    ("/leaderboards/expert/time/?min_3bv=2", "/leaderboards/expert/time/?min_3bv=2", True, "#1 {name} {time} s"),
    ("/leaderboards/expert/time/?country=DE", "/leaderboards/expert/time/?country=DE", False, SITE_TEXT),
    ("/leaderboards/combined/time/", "/leaderboards/combined/time/", True, " s · 1 player"),
    ("/leaderboards/sub/expert/400/", "/leaderboards/sub/expert/400/", True, "#1 {name} 1 game · 1 player"),
    ("/leaderboards/corpses/expert/stnb/", "/leaderboards/corpses/expert/stnb/", False, SITE_TEXT),
    ("/players/", "/players/", False, SITE_TEXT),
    ("/replays/", "/replays/", False, SITE_TEXT),
    ("/tools/solver/", "/tools/solver/", False, "Watch a Minesweeper solver play"),
]  # fmt: skip


@pytest.mark.long(beside="tests/pages/test_share.py::test_pages_of_errors_have_no_tags")
def test_tags(client: Client, games: dict[str, Replay]) -> None:
    game = games["expert"]
    player = game.player
    assert player is not None
    words = {
        "player": player.get_absolute_url(), "style": game.style, "name": player.name,
        "time": f"{game.statistic('time'):.3f}",
    }  # fmt: skip

    def has_tags(address: str, own: str, has_card: bool, text: str) -> None:
        found = tags(client, address.format(**words))
        assert found["og:site_name"] == "Sweepbook"
        assert found["og:title"]
        assert found["og:url"] == SITE + own.format(**words)
        assert text.format(**words) in found["og:description"] == found["description"]
        assert found["og:image"] == (f"{SITE}/replays/{game.pk}/card.png" if has_card else DEFAULT)
        assert found["og:image:alt"] == (f"Expert · {player.name}" if has_card else "Sweepbook")
        shown = picture(client, found["og:image"])
        assert (shown.format, shown.size) == ("PNG", (1200, 630))
        assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
        assert found["twitter:card"] == "summary_large_image"

    check_each_on_site(has_tags, PAGES)


def test_titles_are_those_of_the_pages(client: Client, games: dict[str, Replay]) -> None:
    player = games["expert"].player
    assert player is not None
    for address, title in (
        ("/", "Sweepbook · Minesweeper replays and leaderboards"),
        (f"{player.get_absolute_url()}records/", f"{player.name} · Records"),
        ("/leaderboards/expert/time/?style=NF", "Expert time · NF"),
        ("/players/", "Players"),
    ):
        assert tags(client, address)["og:title"] == title


def test_a_page_whose_parameters_may_matter_names_no_address(client: Client) -> None:
    found = tags(client, "/replays/?level=expert")
    assert "og:url" not in found
    assert found["og:image"] == DEFAULT


def test_pages_of_errors_have_no_tags(client: Client) -> None:
    assert "og:image" not in tags(client, "/nothing/", 404)
    assert "og:image" not in tags(client, "/players/99999/", 404)


def test_games_that_do_not_count_are_not_shown(client: Client, games: dict[str, Replay]) -> None:
    player = games["expert"].player
    assert player is not None
    unrank_replays(games.values())
    Replay.objects.update(ranked=False, judgement=Replay.Judgement.SUSPICIOUS)
    for address in ("/", player.get_absolute_url(), "/leaderboards/", "/leaderboards/expert/time/"):
        found = tags(client, address)
        assert found["og:image"] == DEFAULT
        assert player.name not in found["og:description"]


def test_names_are_escaped(client: Client) -> None:
    name = '玩家"><script>'
    player = Player.objects.create(name=name, country="DE")
    rank_replays([stored_replay(player, time_ms=40_000)])
    for address in (player.get_absolute_url(), "/leaderboards/expert/time/"):
        found = tags(client, address)
        assert name in found["og:title"] + found["og:description"]
        assert found["og:image:alt"] == f"Expert · {name}"
        assert "40.00 s" in found["og:description"]


def test_a_page_further_down_does_not_show_its_first_row() -> None:
    for number in range(2):
        player = Player.objects.create(name=f"Player {number}")
        rank_replays([stored_replay(player, time_ms=40_000 + number * 1000)])
    key = BoardKey("expert", "time", "all")
    first = page_at(Board(*key), size=1)
    second = page_at(Board(*key), size=1, cursor=first.next_cursor)
    shown = [share_of_board(page) for page in (first, second)]
    assert [one.description for one in shown] == ["#1 Player 0 40.00 s · 2 players", "2 players"]
    assert [one.picture is None for one in shown] == [False, True]


def test_the_picture_of_the_site_is_small() -> None:
    assert Path(str(finders.find("app/share.png"))).stat().st_size < 30 * 1024
