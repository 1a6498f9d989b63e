"""A site with demo games, and the addresses of what visitors see first."""

from __future__ import annotations

from itertools import islice

from django.db.models import Count
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page

from analysis.bots import demo_games
from analysis.formats import rawvf
from config.site.demo import make_players
from players.models import Player, User
from replays.models import BatchFile, Replay
from replays.upload.batches.services import batch_add, batch_start
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.services import analyse_replays
from tests.factories import EPOCH
from tests.players.profile.charts.games import random_games, save

_SEED = 7
_BATCH = 40


def demo_pages(user: User, games: int, own_games: int) -> dict[str, str]:
    """Let bots play ``games`` games, which ``user`` uploads in one batch.

    The bot with the most games belongs to the account, and has ``own_games`` more, without files.  Returns the addresses
    of a home page, a board, a player, a replay …
    """
    make_players()
    batch, recordings = batch_start(user), demo_games(_SEED, games, until=EPOCH)
    while files := [(f"{recording.player}.rawvf", rawvf.write(recording)) for recording in islice(recordings, _BATCH)]:
        receipts = receive_many(files, uploader=user, enqueue=False, trust=Trust(played_here=True))
        numbers = [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]
        analyse_replays(numbers)
        stored = BatchFile.Outcome.STORED
        batch_add(batch, [BatchFile(name=name, outcome=stored, replay_id=number) for (name, _), number in zip(files, numbers, strict=True)])  # fmt: skip
    player = Player.objects.annotate(games=Count("replays")).order_by("-games", "pk")[0]
    Player.objects.filter(user=user).update(user=None)
    player.user, player.is_bot = user, False
    player.save(update_fields=["user", "is_bot"])
    save(*random_games(player, own_games))
    replay = Replay.objects.filter(uploader=user, level="expert").order_by("-win", "pk")[0]
    return {
        "home": reverse("home"),
        "board": reverse("board", args=["expert", "time"]),
        "player": player.get_absolute_url(),
        "replay": replay.get_absolute_url(),
        "embedded replay": reverse("replay-embed", args=[replay.pk]),
        "outcome of an upload": batch.get_absolute_url(),
    }


def sign_in_by_cookie(page: Page, user: User, url: str) -> None:
    """Sign in as if by the form: the next page is that of ``user``, in a browser that has nothing cached."""
    client = Client()
    client.force_login(user)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}])
