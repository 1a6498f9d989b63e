from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management import BaseCommand, CommandError
from tqdm import tqdm

from analysis import warmup
from config.site import demo
from players.models import User

_LOOK_EVERY_SECONDS = 0.3
_TIMEOUT_SECONDS = 180


class Command(BaseCommand):
    help = "Lets bots play games and uploads them; needs a running worker. Refuses a database with accounts of people."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=demo.DEMO_GAMES, help="how many (default: %(default)s)")

    def handle(self, *args: Any, games: int, **options: Any) -> None:
        try:
            user = demo.demo_account()
        except demo.NotEmptyError as error:
            raise CommandError(f"No demo games were made: {error}.") from error
        demo.make_players()
        if not warmup.is_ready("bots"):
            self.stdout.write("Compiling the bots (once) …")
            self.stdout.flush()
        # Before the kernels that the worker has compiled meanwhile, of which it compiles most anyway.
        warmup.compile_missing(["bots"])
        with tqdm(total=games, desc="playing", unit=" games", leave=False) as bar:
            for number in demo.hand_in(user, games):
                bar.update(number)
        self._wait(user)

    def _wait(self, user: User) -> None:
        """Wait until all games are done or rejected; ``CommandError`` without progress for ``_TIMEOUT_SECONDS``."""
        settled, total = demo.analysed(user)
        with tqdm(total=total, initial=settled, desc="analysing", unit=" games", leave=False) as bar:
            moved_at = time.monotonic()
            while settled < total:
                time.sleep(_LOOK_EVERY_SECONDS)
                before = settled
                settled, total = demo.analysed(user)
                if settled > before:
                    moved_at = time.monotonic()
                    bar.update(settled - before)
                elif time.monotonic() - moved_at > _TIMEOUT_SECONDS:
                    raise CommandError(f"{total - settled} games still wait: is a worker running?")
        self.stdout.write(f"{total} demo games are analysed.")
