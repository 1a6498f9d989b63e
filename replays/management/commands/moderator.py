from __future__ import annotations

from argparse import ArgumentParser

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from players.models import User
from replays.moderation.roles import moderator_set


class Command(BaseCommand):
    help = (
        "Make an account a moderator, or take the role away with --remove. Moderators decide about reports, replays, "
        "comments, names, rooms and bans, and have no part in the admin. They need two-factor authentication."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("username", help="the account")
        parser.add_argument("--remove", action="store_true", help="take the role away")

    def handle(self, *, username: str, remove: bool, **_others: object) -> None:
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"There is no account {username!r}.")
        try:
            changed = moderator_set(user, None, moderator=not remove)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        role = "no moderator" if remove else "a moderator"
        self.stdout.write(f"{username} is {role}{' now' if changed else ' already'}.")
