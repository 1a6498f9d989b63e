"""Small drawn parts: avatars, flags, medals, levels, sections of the site."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import get_resolver

from players.people.avatars import avatar_hue, avatar_path, raised_cells
from players.people.countries import country_names
from players.people.flags import drawings
from players.templatetags.marks import avatar, flag, icon, level_mark, listed_flag, medal
from players.web.sections import site_section

WEB = Path(settings.BASE_DIR) / "players" / "static" / "web"


def test_an_avatar_by_hand() -> None:
    """Player 1, worked out from the digest of "sweepbook:1"."""
    rows = ["..#..", "..#..", ".#.#.", "##.##", "#.#.#"]
    assert raised_cells(1) == {(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "#"}
    assert avatar_hue(1) == 6
    assert avatar_path(1).startswith("M2 1v-1h1v1zM2 2v-1h1v1z")


def test_avatars_have_enough_cells_and_are_mirrored() -> None:
    for key in range(500):
        cells = raised_cells(key)
        assert len(cells) >= 8, key
        assert cells == {(4 - x, y) for x, y in cells}, key
    assert {avatar_hue(key) for key in range(8)} == set(range(1, 9))


def test_an_avatar_without_a_player_is_grey_and_safe() -> None:
    drawn = avatar('<b onload="x">', "s")
    assert 'class="av h8 s"' in drawn
    assert "onload" not in drawn


def test_flags_are_drawn_else_pictures_else_letters() -> None:
    assert flag("") == ""
    assert 'class="flag none"' in flag("", box=True)
    poland = '<title>Poland</title><path fill="#fff" d="M0 0h18v6H0z"/>'
    assert flag("PL").startswith(f'<svg class="flag" viewBox="0 0 18 12" role="img">{poland}')
    assert "flags.svg#PL" in listed_flag("PL")
    assert "<title>Poland</title>" in listed_flag("PL")
    assert listed_flag("", box=True) == flag("", box=True)
    assert listed_flag("MX") == flag("MX")
    assert "mx.gif" in flag("MX")
    assert flag("XQ") == '<abbr class="flag" title="XQ">XQ</abbr> '


def test_every_drawn_flag_is_of_a_country() -> None:
    assert drawings().keys() <= country_names().keys()
    assert len(drawings()) > 100


def test_medals() -> None:
    assert medal(3) == '<span class="rk g3">3</span>'
    assert medal(4) == '<span class="rk">4</span>'


@pytest.mark.parametrize("level", ["beginner", "beginner-9x9", "intermediate", "expert", "custom", "nonsense"])
def test_levels_have_their_drawing(level: str) -> None:
    symbol = re.search(r"#([\w-]+)\"", level_mark(level))
    assert symbol
    assert f'<symbol id="{symbol[1]}"' in (WEB / "icons.svg").read_text()


def test_templates_and_scripts_use_icons_that_are_there() -> None:
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', (WEB / "icons.svg").read_text()))
    used = set()
    for path in (Path(settings.BASE_DIR) / "templates").rglob("*.html"):
        text = path.read_text()
        used |= set(re.findall(r'icons\.svg"? %}#([\w-]+)', text)) | set(re.findall(r'{% icon "([\w-]+)"', text))
        used |= set(re.findall(r'{{ ?icon\("([\w-]+)"', text))
    assert len(used) > 10
    assert used <= drawn
    assert "#play" in icon("play")


def test_sections() -> None:
    names = {name for name in get_resolver().reverse_dict if isinstance(name, str)}
    expected = {
        "play": "play", "play-room": "play", "player": "players", "players": "players", "player-chart": "players",
        "leaderboards": "boards", "board-sub": "boards", "improvements": "boards", "records": "boards",
        "replays": "replays", "replay-review": "replays", "tool-solver": "tools", "statistics": "statistics",
        "upload": "upload", "more": "more", "help": "", "account": "",
    }  # fmt: skip
    assert expected.keys() <= names
    assert {name: site_section(name) for name in expected} == expected
