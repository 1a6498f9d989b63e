"""Rows for tests, without files: consistent random base values, the others derived by the registry."""

from __future__ import annotations

import datetime
import itertools
import random
from collections.abc import Iterable
from typing import Any

import numpy as np
from django.core.files.uploadedfile import UploadedFile

from analysis.recording import LEVEL_SHAPES, Level
from analysis.statistics import BASE, BY_NAME, LEVEL_CODES, RANKED_LEVELS, derive, plain
from players.accounts.claims.services import claim_approve, claim_ask_staff, claim_make
from players.decision_log import Kind, Rule
from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import add_games, remove_games
from players.models import Identity, Player, User
from replays.models import Comment, Replay, Report
from replays.trust.judging.ranking import log_corpses
from replays.trust.reports.services import report_make
from replays.upload.intake.receipts import Receipt
from replays.upload.intake.services import receive_many

EPOCH = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
_numbers = itertools.count(1)


def base_numbers(source: random.Random, *, time_ms: int, bv: int) -> dict[str, float]:
    """Counts of a won game; few distinct values, so that ties are common."""
    lce, rce, dce = bv - source.randint(0, 1), source.randint(0, 3), source.randint(1, 3)
    numbers = dict.fromkeys((row.name for row in BASE), 1.0)
    numbers |= {
        "time_ms": time_ms, "path": float(source.randint(1, 4) * 1000), "bv": bv, "bvdone": bv, "op": source.randint(0, 3),
        "lce": lce, "rce": rce, "dce": dce, "lcl": lce + source.randint(0, 2), "rcl": rce + 1, "dcl": dce,
        "gzini": bv - 1, "hzini": bv, "gzini_ref": bv - 1, "hzini_ref": bv,
    }  # fmt: skip
    return numbers


def replay_of(
    player: Player | None,
    level: Level = Level.EXPERT,
    *,
    time_ms: int = 60_000,
    bv: int = 150,
    style: str = "FL",
    achieved_at: datetime.datetime = EPOCH,
    source: random.Random | None = None,
    values: dict[str, float | None] | None = None,
    bvdone: int | None = None,
    **columns: Any,
) -> Replay:
    """A ranked replay that is not saved; ``values`` replaces statistics, ``columns`` anything else.

    ``bvdone``: of a lost game, which counts on boards of lost games.
    """
    base = base_numbers(source or random.Random(0), time_ms=time_ms, bv=bv)
    if bvdone is not None:
        base["bvdone"] = bvdone
    arrays = {name: np.array([value], dtype=np.float64) for name, value in base.items()}
    arrays |= {"win": np.array([float(bvdone is None)]), "level": np.array([float(LEVEL_CODES[level])])}
    derived = {name: float(found[0]) for name, found in derive(arrays).items()}
    statistics = {name: plain(BY_NAME[name], value) for name, value in {**base, **derived}.items()}
    rows, columns_of_board, mines = LEVEL_SHAPES[level]
    number = next(_numbers)
    defaults = {
        "sha256": f"{number:064x}", "game_hash": f"{number:064x}", "size_bytes": 1000, "original_name": f"{number}.avf",
        "uploaded_at": achieved_at, "analysed_at": achieved_at, "achieved_at": achieved_at, "status": Replay.Status.DONE,
        "format": "avf", "identifier": "" if player is None else player.name, "player": player, "level": level.value,
        "rows": rows, "columns": columns_of_board, "mines": mines, "mode": "standard", "style": style,
        "result": Replay.Result.WON, "win": True, "time_precision_ms": 10, "ranked": player is not None,
        "statistics_version": 1,
    }  # fmt: skip
    if bvdone is not None:
        defaults |= {"result": Replay.Result.LOST, "win": False, "ranked": False, "corpse": player is not None}
    return Replay(**{**defaults, **statistics, **(values or {}), **columns})


def random_ranked_replay(source: random.Random, player: Player) -> Replay:
    """A random one on a random level, not saved; few distinct values, so that ties are common."""
    return replay_of(
        player,
        source.choice(RANKED_LEVELS),
        time_ms=source.randint(3, 8) * 500,
        bv=source.randint(20, 23),
        style=source.choice(["NF", "FL"]),
        achieved_at=EPOCH + datetime.timedelta(days=source.randint(0, 5)),
        source=source,
        values={"path": None} if source.random() < 0.1 else None,
    )


def stored_replay(player: Player | None, level: Level = Level.EXPERT, **options: Any) -> Replay:
    """Make a replay as :func:`replay_of` does and save it; the boards do not know of it yet."""
    replay = replay_of(player, level, **options)
    replay.save()
    return replay


def stored_corpse(player: Player, level: Level = Level.EXPERT, *, bvdone: int = 120, **options: Any) -> Replay:
    """Make a lost game as :func:`replay_of` does, save it, and let boards of lost games read it."""
    replay = stored_replay(player, level, bvdone=bvdone, **options)
    log_corpses([replay])
    return replay


# --- by way of the services -------------------------------------------------------------------------------------------


def rank_replays(replays: Iterable[Replay]) -> None:
    """Let rows that were saved with ``ranked=True`` count on the boards."""
    add_games([game_of(replay) for replay in replays])


def unrank_replays(replays: Iterable[Replay]) -> None:
    """Take rows off the boards."""
    remove_games([game_of(replay) for replay in replays])


def give_name(user: User, name: str) -> Identity:
    """Let ``user`` claim ``name``, and staff approve; raises ``ValidationError``."""
    claim = claim_ask_staff(claim_make(user, name), "It is mine.")
    by = User.objects.filter(username="decides claims").first() or User.objects.create_superuser("decides claims")
    return claim_approve(claim, by, "seen")


def receive_one(data: bytes | UploadedFile[Any], *, name: str, uploader: User | None, enqueue: bool = True) -> Receipt:
    """Receive one file that is no archive."""
    (receipt,) = receive_many([(name, data)], uploader=uploader, enqueue=enqueue)
    return receipt


def replay_ref(pk: int) -> dict[str, object]:
    """Return the object by which the API refers to a replay."""
    return {"id": pk, "url": f"/api/v1/replays/{pk}/", "html_url": f"/replays/{pk}/"}


def replay_report(replay: Replay, user: User, text: str) -> Report:
    return report_make(Kind.REPLAY, replay.pk, replay.uploader_id, user, "203.0.113.7", Rule.OTHER, text)


def comment_report(comment: Comment, user: User, text: str, address: str) -> Report:
    """Report ``comment`` in a sentence."""
    return report_make(Kind.COMMENT, comment.pk, comment.user_id, user, address, Rule.OTHER, text)
