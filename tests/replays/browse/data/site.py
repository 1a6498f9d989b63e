"""A random site with all that may be in a dump, and much that may not, and what a dump of it says."""

from __future__ import annotations

import gzip
import json
import random
import sqlite3
from pathlib import Path
from typing import Any

from django.test import Client
from django.utils import timezone

from players.accounts.claims.merging import player_merge
from players.accounts.claims.services import claim_ask_staff, claim_make
from players.models import Identity, Player, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import Appeal, Comment, Like, Replay
from replays.play.models import LiveGame, Room
from replays.upload.processing.services import analyse_replays
from tests.factories import (
    random_ranked_replay,
    rank_replays,
    receive_one,
    replay_report,
    stored_corpse,
    stored_replay,
)
from tests.replays.games import game_file

Rows = dict[str, list[dict[str, Any]]]

#: Words that stand in columns which the API does not serve to guests.
PRIVATE = (
    "private-username", "private-mail", "private-token", "private-appeal", "private-report", "private-claim",
    "private-comment", "private-room", "private-rejected", "private-queued", "private-settings", "private-guest",
)  # fmt: skip


def fill(seed: int, staff: User) -> User:
    """Make the site, and return the account of which nobody may learn."""
    source = random.Random(seed)
    user = User.objects.create_user(
        "private-username", "private-mail@example.org", "x", viewer_settings={"note": "private-settings"}
    )
    names = ["Ada", "雷", "hidden\u202eeman", "<b>bold</b>", "a\u2028b", "Zoë", "'; DROP TABLE x; --", "Owned"]
    players = [Player.objects.create(name=name, country=source.choice(["", "PL", "CN"])) for name in names]
    for player in players:
        Identity.objects.create(name=player.name, player=player, first_player=player)
    Player.objects.filter(pk=players[-1].pk).update(user=user)
    Identity.objects.filter(player=players[-1]).update(state="claimed", claimant=user, claimed_at=timezone.now())
    merged = Player.objects.create(name="Merged")
    Identity.objects.create(name="Merged", player=merged, first_player=merged)
    player_merge(merged, players[0], staff, "the same person")

    ranked = [random_ranked_replay(source, source.choice(players)) for _ in range(40)]
    for replay in ranked:
        replay.uploader = user
        replay.save()
        rank_replays([replay])
    stored_corpse(players[1], uploader=user)
    _doubted(source, players, user, staff)
    _not_done(user)
    _opinions(ranked, user)
    token_create(user, "private-token", [Scope.READ])
    claim_ask_staff(claim_make(user, "Zoë"), "private-claim")
    Room.objects.create(name="private-room", owner=user)
    now = timezone.now()
    LiveGame.objects.create(
        guest="private-guest", level="beginner", rules="xp", rows=8, columns=8, mines=10, commit="0" * 64,
        secret=bytes(32), nonce=bytes(16), created_at=now, cell_px=16,
    )  # fmt: skip
    return user


def _doubted(source: random.Random, players: list[Player], user: User, staff: User) -> None:
    for ownership in Replay.Ownership.values:
        stored_replay(source.choice(players), ownership=ownership, ranked=False, uploader=user)
    for judgement in Replay.Judgement.values:
        stored_replay(
            source.choice(players), judgement=judgement, ranked=False, judgement_code="staff", judged_by=staff,
            judgement_reason=f"seen: {judgement}", judged_at=timezone.now(), findings=[{"code": "bv_differs", "params": {"claimed": 2, "actual": 3}}],
        )  # fmt: skip
    stored_replay(None, identifier="", original_name="../../etc/passwd")


def _not_done(user: User) -> None:
    for status in (Replay.Status.QUEUED, Replay.Status.RUNNING):
        stored_replay(None, status=status, original_name="private-queued", uploader=user)
    stored_replay(
        None,
        status=Replay.Status.REJECTED,
        original_name="private-rejected",
        reject_code="unknown_format",
        uploader=user,
    )


def _opinions(ranked: list[Replay], user: User) -> None:
    now = timezone.now()
    Like.objects.create(replay=ranked[0], user=user, created_at=now)
    for hidden_at in (None, now):
        Comment.objects.create(replay=ranked[0], user=user, text="private-comment", created_at=now, hidden_at=hidden_at)
    Appeal.objects.create(replay=ranked[1], user=user, text="private-appeal", created_at=now)
    replay_report(ranked[2], User.objects.create_user("private-username-2"), "private-report")


def upload(user: User, *numbers: int) -> list[Replay]:
    """Games with files."""
    receipts = [
        receive_one(game_file(number), name="../../x.rawvf", uploader=user, enqueue=False) for number in numbers
    ]
    ids = [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]
    analyse_replays(ids)
    return list(Replay.objects.filter(pk__in=ids).order_by("pk"))


def rows_of(dump: Path) -> Rows:
    """All rows of a dump by kind, as its NDJSON has them."""
    found = {}
    for path in dump.glob("*.ndjson.gz"):
        with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
            found[path.name.partition(".")[0]] = [json.loads(line) for line in lines]
    return found


def tables_of(dump: Path, folder: Path) -> sqlite3.Connection:
    """The SQLite file of a dump, unpacked into ``folder``."""
    path = folder / "unpacked.sqlite3"
    path.write_bytes(gzip.decompress((dump / "sweepbook.sqlite3.gz").read_bytes()))
    return sqlite3.connect(path)


def bytes_of(dump: Path) -> bytes:
    """Every byte of a dump, unpacked."""
    return b"".join(
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in dump.iterdir()
    )


def walk(client: Client, address: str) -> list[dict[str, Any]]:
    """All rows of a list of the API; its address has a parameter."""
    rows: list[dict[str, Any]] = []
    cursor = ""
    while True:
        page = client.get(f"/api/v1/{address}{cursor and f'&cursor={cursor}'}").json()
        rows += page["rows"]
        if not (cursor := page["next_cursor"] or ""):
            return rows
