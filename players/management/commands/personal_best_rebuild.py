"""Compute every stored board again from the ranked replays."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from players.leaderboards.ranks.checkpoints import count_boards
from players.leaderboards.services import rebuild_boards
from players.models import Player


class Command(BaseCommand):
    help = "Make personal bests, combined bests and sub-N counts again from the ranked replays."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--player", type=int, action="append", metavar="ID", help="only this player; repeatable")

    def handle(self, *, player: list[int] | None, verbosity: int, **_others: object) -> None:
        if player is not None:
            unknown = set(player) - set(Player.objects.filter(id__in=player).values_list("id", flat=True))
            if unknown:
                raise CommandError(f"There is no player {', '.join(map(str, sorted(unknown)))}.")
        count = rebuild_boards(player)
        if player is None:
            count_boards()
        if verbosity:
            self.stdout.write(f"Boards of {count} players made again.")
