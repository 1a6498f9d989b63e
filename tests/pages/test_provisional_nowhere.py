"""A provisional game has its place on the boards, and is advertised nowhere."""

from __future__ import annotations

import re

import pytest
from django.test import Client, RequestFactory

from analysis.recording import Level
from players.models import Player
from replays.models import Replay
from replays.watch.pictures.tags import share_of_replay
from tests.factories import rank_replays, stored_replay

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot() -> Replay:
    """The first place of Beginner, over that of a person."""
    person = stored_replay(Player.objects.create(name="Person"), Level.BEGINNER, time_ms=9_000)
    bot = stored_replay(
        Player.objects.create(name="Quickbot"), Level.BEGINNER, time_ms=283,
        judgement=Replay.Judgement.PROVISIONAL, judgement_code="world_class",
        judgement_params={"statistic": "time", "value": 0.283, "bound": 1.0},
    )  # fmt: skip
    rank_replays([person, bot])
    return bot


def previews(page: str) -> str:
    return " ".join(re.findall(r'<meta (?:property|name)="(?:og|twitter|description)[^>]*>', page))


def test_the_home_page_shows_final_games_alone(bot: Replay, anonymous: Client) -> None:
    """Before: “Your turn: Quickbot cleared this board in 0.283 s”."""
    page = anonymous.get("/").content.decode()
    assert "Person" in page
    assert "Quickbot" not in page


@pytest.mark.parametrize("path", ["/leaderboards/beginner/time/", "/leaderboards/", "/players/{player}/"])
def test_no_preview_tells_its_numbers(bot: Replay, anonymous: Client, path: str) -> None:
    answer = anonymous.get(path.format(player=bot.player_id, pk=bot.pk))
    assert answer.status_code == 200
    told = previews(answer.content.decode())
    assert "0.28" not in told
    assert f"replays/{bot.pk}/card.png" not in told


def test_a_link_to_the_replay_tells_that_it_is_provisional(bot: Replay) -> None:
    share = share_of_replay(RequestFactory().get("/"), bot)
    assert (share.title, share.description, share.picture) == ("Beginner · Quickbot", "provisional", None)


@pytest.mark.parametrize("picture", ["card.png", "frame.png", "clip.gif"])
def test_it_has_no_picture_before_it_is_final(bot: Replay, anonymous: Client, picture: str) -> None:
    assert anonymous.get(f"/replays/{bot.pk}/{picture}").status_code == 404
