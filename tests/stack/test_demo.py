"""The demo games: uploaded once, and only to a site without other accounts."""

from __future__ import annotations

import json
import stat

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client

from analysis.bots import DEMO_PROFILES
from config.site import demo
from players.models import PersonalBest, Player, User
from replays.models import Replay
from tests.worker import Worker

GAMES = 60


@pytest.mark.long(beside="tests/stack/test_demo.py::test_a_site_of_people_gets_none")
@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_an_empty_site_gets_its_games_once(worker: Worker) -> None:
    worker.start()
    assert demo.demo_is_wanted()
    call_command("make_demo", games=GAMES)
    assert Replay.objects.filter(status=Replay.Status.DONE).count() == GAMES
    assert not Replay.objects.filter(reject_code__gt="").exists()
    bots = Player.objects.filter(is_bot=True)
    assert set(bots.values_list("name", flat=True)) == {profile.name for profile in DEMO_PROFILES}
    assert bots.count() >= 10
    assert PersonalBest.objects.filter(player__in=bots).exists()

    login = settings.DATA_DIR / demo.DEMO_LOGIN_FILE
    assert stat.S_IMODE(login.stat().st_mode) == 0o600
    name, password = json.loads(login.read_text())
    assert Client().login(username=name, password=password)

    call_command("make_demo", games=GAMES)
    assert Replay.objects.count() == GAMES
    assert Player.objects.count() == len(DEMO_PROFILES)
    assert Client().login(username=name, password=password)


def test_a_site_of_people_gets_none(owner: User) -> None:
    assert not demo.demo_is_wanted()
    with pytest.raises(CommandError, match="other accounts"):
        call_command("make_demo")
    assert not Replay.objects.exists()
    assert not User.objects.filter(username=demo.DEMO_USER).exists()
