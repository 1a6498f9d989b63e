"""Games of bots for an empty site, uploaded by a demo account."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterator
from itertools import islice

from django.conf import settings
from django.db.models import Count, Q

from analysis.bots import DEMO_PROFILES, demo_games
from analysis.formats import rawvf
from players.accounts.services import create_account
from players.models import Player, User
from players.people.services import players_for_names
from replays.models import Replay
from replays.upload.intake.services import Trust, receive_many

DEMO_LOGIN_FILE = "demo_login.json"
DEMO_USER = "demo"
DEMO_GAMES = 640
_SEED = 20_240_229
_BATCH = 40


class NotEmptyError(Exception):
    """The database has other accounts than the demo account, so no demo games are added."""


def demo_is_wanted() -> bool:
    return not _has_people() and Replay.objects.count() < DEMO_GAMES


def demo_account() -> User:
    """The demo account, created with a random password if it is missing.  Raises :class:`NotEmptyError`."""
    if _has_people():
        raise NotEmptyError("there are other accounts in this database")
    found = User.objects.filter(username=DEMO_USER).first()
    if found is not None:
        return found
    password = secrets.token_urlsafe(9)
    user = create_account(DEMO_USER, password)
    path = settings.DATA_DIR / DEMO_LOGIN_FILE
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        json.dump([DEMO_USER, password], file)
    return user


def make_players() -> None:
    """Create the bots, marked as such, and with ``on_boards`` set, since a demo site has no other players."""
    profiles = {profile.name: profile for profile in DEMO_PROFILES}
    players = players_for_names(profiles)
    for name, player in players.items():
        player.is_bot, player.country = True, profiles[name].country
    Player.objects.bulk_update(players.values(), ["is_bot", "country"])


def hand_in(user: User, games: int) -> Iterator[int]:
    """Play ``games`` games and upload them; yields the number of games after each batch.

    The last date of the games is that of the account, so a second call plays the same games, which are duplicates.
    """
    until = user.date_joined.replace(hour=0, minute=0, second=0, microsecond=0)
    recordings = demo_games(_SEED, games, until=until)
    numbered = enumerate(recordings, start=1)
    while batch := [(f"demo-{number:04}.rawvf", rawvf.write(game)) for number, game in islice(numbered, _BATCH)]:
        receive_many(batch, uploader=user, trust=Trust(played_here=True))
        yield len(batch)


def analysed(user: User) -> tuple[int, int]:
    """Count the games of ``user`` that are done or rejected, and all of them."""
    settled = Q(status__in=[Replay.Status.DONE, Replay.Status.REJECTED])
    counts = Replay.objects.filter(uploader=user).aggregate(settled=Count("pk", filter=settled), all=Count("pk"))
    return counts["settled"], counts["all"]


def _has_people() -> bool:
    return User.objects.exclude(username=DEMO_USER).exists()
