"""Levels have one order in all lists and the reverse one where a game is begun, and lists of games one way of telling how a game ended."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from analysis.recording import LEVEL_SHAPES, Level
from players.leaderboards.boards import GAME_LEVELS
from players.models import Player
from tests.factories import stored_replay

pytestmark = pytest.mark.django_db

ADDRESSES = (
    "/leaderboards/", "/leaderboards/expert/time/", "/leaderboards/countries/expert/time/", "/records/", "/records/holders/",
    "/replays/", "/players/", "/players/?order=name",
)  # fmt: skip


def levels_of(client: Client, address: str) -> list[str]:
    page = client.get(address).content.decode()
    heads = page.partition("<main")[2].partition("<tbody")[0]
    shown = dict.fromkeys(re.findall(r'class="lv ([\w-]+)"', heads))
    return [level for level in shown if level not in ("combined", Level.CUSTOM)]


def test_lists_have_one_order_of_levels(client: Client) -> None:
    found = {address: levels_of(client, address) for address in ADDRESSES}
    assert {address: levels for address, levels in found.items() if levels != list(GAME_LEVELS)} == {}


def test_play_begins_with_the_easiest(client: Client) -> None:
    for address in ("/play/", "/play/expert/"):
        assert levels_of(client, address) == [level.value for level in LEVEL_SHAPES], address


def test_lists_tag_what_is_not_a_win(client: Client) -> None:
    player = Player.objects.create(name="Ada")
    stored_replay(player, result="won")
    stored_replay(player, result="lost")
    for address in ("/replays/", f"/players/{player.pk}/games/"):
        tags = re.findall(r'class="badge[^"]* (won|lost)"', client.get(address).content.decode())
        assert tags == ["lost"], address
