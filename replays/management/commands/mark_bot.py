from __future__ import annotations

from django.core.management.base import BaseCommand, CommandError, CommandParser

from players.db.text import storable_name
from players.models import Identity
from replays.trust.judging.bots import player_mark_bot


class Command(BaseCommand):
    help = (
        "Mark the player of a name in replays as a bot: a badge tells so, nobody can claim the name, and the games"
        " leave the boards (or stay there: --on-boards).  --person takes all of it back."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="a name exactly as in replays")
        parser.add_argument("--on-boards", action="store_true", help="its games count on boards as anybody's do")
        parser.add_argument("--person", action="store_true", help="it is no bot")
        parser.add_argument("--reason", default="", help="a sentence for the log, which the player's account reads")

    def handle(self, *, name: str, on_boards: bool, person: bool, reason: str, **_others: object) -> None:
        identity = Identity.objects.select_related("player").filter(name=storable_name(name)).first()
        if identity is None:
            raise CommandError(f"No replay carries the name {name!r}.")
        player = player_mark_bot(identity.player, is_bot=not person, on_boards=person or on_boards, reason=reason)
        kind = "a person" if person else "a bot"
        boards = "on the boards" if player.on_boards else "left out of the boards"
        self.stdout.write(f"{player.shown_name} (player {player.pk}) is {kind}, {boards}.")
