"""The site that traffic meets: a thousand games of bots, an account that uploads, and more games to upload."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from django.core.management import call_command
from django.db import connection

from analysis.bots import demo_games
from analysis.formats import rawvf
from players.models import PersonalBest, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import LUCK_IS_WANTED, Replay
from replays.upload.intake.services import receive_many
from tests.bench.traffic.load import Traffic
from tests.bench.traffic.site import Web
from tests.services import Services, wait_until
from tests.worker import Worker

_GAMES: Final = 600
_MOST_UPLOADS: Final = 100_000


@dataclass
class Prepared:
    """A running site, and what is asked of it."""

    services: Services
    home: Path
    web: Web
    worker: Worker
    token: str
    pages: list[str]
    api: list[str]
    games: Iterator[bytes]

    def traffic(self) -> Traffic:
        return Traffic(self.web.port, self.token, self.pages, self.api, self.games)

    def new_web(self, processes: int) -> Web:
        """A web server of so many processes in place of the one that runs."""
        self.web.stop()
        self.web = Web(self.home / "web.log", os.environ, processes, 0)
        self.web.start()
        return self.web


@contextmanager
def prepare(services: Services, home: Path, port: int) -> Iterator[Prepared]:
    services.start_broker()
    services.start_database(durable=True)
    with connection._nodb_cursor() as cursor:
        cursor.execute("CREATE DATABASE sweepbook")
    call_command("migrate", verbosity=0)
    user = User.objects.create_user("traffic")
    token = token_create(user, "traffic", [Scope.READ, Scope.UPLOAD])[1]
    worker, web = Worker(home / "worker.log"), Web(home / "web.log", os.environ, 2, port)
    worker.start()
    try:
        first = [rawvf.write(game) for game in demo_games(1, _GAMES, until=datetime(2024, 6, 1, tzinfo=UTC))]
        receive_many([(f"{number}.rawvf", data) for number, data in enumerate(first)], uploader=None)
        web.start()
        wait_for_settled(at_rest=True)
        prepared = Prepared(services, home, web, worker, token, *_addresses(), _more_games())
        yield prepared
    finally:
        if "prepared" in locals():
            prepared.web.stop()
        worker.stop()


def _more_games() -> Iterator[bytes]:
    return (rawvf.write(game) for game in demo_games(2, _MOST_UPLOADS, until=datetime(2024, 6, 1, tzinfo=UTC)))


def _addresses() -> tuple[list[str], list[str]]:
    """Pages and API calls that visitors make, some of them of many replays and players."""
    replays = list(Replay.objects.filter(ranked=True).values_list("pk", flat=True)[:30])
    players = list(PersonalBest.objects.values_list("player", flat=True).distinct()[:10])
    lists = ["/", "/replays/", "/records/", "/players/", "/leaderboards/expert/time/", "/leaderboards/beginner/time/"]
    pages = [*lists * 4, *(f"/replays/{one}/" for one in replays), *(f"/players/{one}/" for one in players)]
    api = ["/replays/", "/leaderboards/expert/time/", "/records/", *(f"/replays/{one}/" for one in replays[:5])]
    return pages, [f"/api/v1{one}" for one in api]


def wait_for_settled(*, at_rest: bool = False) -> None:
    """Wait until every upload is ranked or rejected; ``at_rest``: and luck is counted."""
    settled = [Replay.Status.DONE, Replay.Status.REJECTED]
    wait_until(lambda: not Replay.objects.exclude(status__in=settled).exists(), seconds=300, every=0.2, what="uploads")
    if at_rest:
        wait_until(lambda: not Replay.objects.filter(LUCK_IS_WANTED).exists(), seconds=300, every=0.5, what="luck")
