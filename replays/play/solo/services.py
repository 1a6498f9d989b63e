"""Writing single games: the rows of running ones, what becomes of decided ones, and of those of guests."""

from __future__ import annotations

import logging
import uuid
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from analysis.analyse import game_hash
from analysis.board import board_facts
from analysis.formats import rawvf
from analysis.game import play
from analysis.recording import Recording
from players.db.retry import retry_on_conflict
from players.models import User
from players.people.services import player_of_user
from replays import file_store
from replays.intake.receipts import Outcome
from replays.intake.services import Trust, receive_many
from replays.models import AccountDeletion
from replays.play.models import LiveGame, LiveGameLog
from replays.play.models.games import RUNNING, WANTS_REPLAY
from replays.play.sockets.visitors import Visitor

logger = logging.getLogger(__name__)

#: A game whose process does not write any more is given up after so long.
LOST_AFTER: Final = timedelta(seconds=90)
#: A decided game without a replay is taken up by the sweep after so long.
_REPLAY_LATE: Final = timedelta(seconds=10)
MOST_A_SWEEP: Final = 200
_HERE: Final = Trust(played_here=True, dates=True, names=True)
#: Columns that do not change between the first write of a game and its end.
_FIXED: Final = (
    "id",
    "user_id",
    "guest",
    "level",
    "rows",
    "columns",
    "mines",
    "rules",
    "commit",
    "secret",
    "created_at",
)
_CHANGING: Final = tuple(
    field.attname for field in LiveGame._meta.concrete_fields if field.attname not in (*_FIXED, "replay_id")
)


@dataclass(frozen=True, slots=True)
class LogPart:
    """Events of a running game that are not in its log yet."""

    game_id: uuid.UUID
    first_event: int
    last_seq: int
    events: bytes


# --- while games are played -------------------------------------------------------------------------------------------


@retry_on_conflict
def games_write(
    holder: str, new: Sequence[LiveGame], held: Collection[uuid.UUID], parts: Iterable[LogPart]
) -> set[uuid.UUID]:
    """Store what happened in the last second, in one transaction; returns those of ``held`` that are not ours any more.

    ``new``: games whose first cell was opened.  ``held``: games that are stored already.  Another process may have taken
    a game over, and only its holder writes it.
    """
    with transaction.atomic():
        ours = set(
            LiveGame.objects.select_for_update(no_key=True)
            .filter(pk__in=held, holder=holder)
            .values_list("pk", flat=True)
        )
        if ours:
            LiveGame.objects.filter(pk__in=ours).update(seen_at=timezone.now())
        LiveGame.objects.bulk_create(new, ignore_conflicts=True)
        ours.update(row.pk for row in new)
        LiveGameLog.objects.bulk_create(
            [
                LiveGameLog(
                    game_id=part.game_id, first_event=part.first_event, last_seq=part.last_seq, events=part.events
                )
                for part in parts
                if part.game_id in ours
            ],
            # A part that was stored although the answer of the database was lost comes again, with later events behind it.
            update_conflicts=True,
            unique_fields=["game", "first_event"],
            update_fields=["last_seq", "events"],
        )
    return set(held) - ours


@retry_on_conflict
def game_take_over(game_id: uuid.UUID, visitor: Visitor, holder: str) -> LiveGame | None:
    """Make this process the holder of a running game of ``visitor``; None if there is none that could go on."""
    own = Q(user=visitor.user_id) if visitor.user_id is not None else Q(user=None, guest=visitor.guest)
    with transaction.atomic():
        row = LiveGame.objects.select_for_update(no_key=True).filter(RUNNING, own, pk=game_id).first()
        if row is None or row.seen_at < timezone.now() - LOST_AFTER:
            return None
        row.holder, row.seen_at, row.reason = holder, timezone.now(), row.reason or "taken_over"
        row.save(update_fields=["holder", "seen_at", "reason"])
        return row


@retry_on_conflict
def game_end(row: LiveGame, holder: str, recording: Recording | None) -> bool:
    """Store the last state of a game; False if another process has it.

    ``recording``: of a decided game, there until its replay is stored.
    """
    if recording is not None:
        data = rawvf.write(recording)
        row.recording, row.file_sha256 = zlib.compress(data), file_store.sha256_of(data)
        row.game_hash = game_hash(recording, play(recording, board_facts(recording.board)))
    with transaction.atomic():
        # Whether it is stored only the database knows: the answer to the first write may have been lost.
        values = {name: getattr(row, name) for name in _CHANGING}
        if LiveGame.objects.filter(RUNNING, pk=row.pk, holder=holder).update(**values):
            LiveGameLog.objects.filter(game=row).delete()
            return True
        if LiveGame.objects.filter(pk=row.pk).exists():
            return False
        row.save(force_insert=True)
    return True


# --- what becomes of them ---------------------------------------------------------------------------------------------


def replay_store(row: LiveGame) -> int | None:
    """Hand a decided game of an account in, in the ordinary way of uploads; the number of its replay.

    None if the site has no room for it now: the sweep tries again, or if the account was deleted meanwhile.  May be
    repeated at any point: the file is the same.
    """
    user = row.user
    if user is None or row.recording is None:
        return None
    if AccountDeletion.objects.filter(user=user).exists():
        row.delete()  # its owner deleted the account while the game was played
        return None
    player_of_user(user)
    data = zlib.decompress(bytes(row.recording))
    (receipt,) = receive_many([(f"sweepbook-{row.pk}.rawvf", data)], uploader=user, trust=_HERE)
    if receipt.outcome is Outcome.REFUSED or receipt.replay_id is None:
        logger.error("The live game %s cannot be stored: %s", row.pk, receipt.message)
        return None
    LiveGame.objects.filter(pk=row.pk).update(replay=receipt.replay_id, recording=None)
    return receipt.replay_id


def store_missing() -> int:
    """Hand in the decided games that have no replay although they ended some time ago; returns how many."""
    late = timezone.now() - _REPLAY_LATE
    rows = LiveGame.objects.filter(WANTS_REPLAY, ended_at__lt=late).select_related("user").order_by("ended_at")
    return sum(replay_store(row) is not None for row in rows[:MOST_A_SWEEP])


def give_up_lost() -> int:
    """End the games whose process has died and that nobody took over; returns how many."""
    with transaction.atomic():
        rows = LiveGame.objects.select_for_update(skip_locked=True, no_key=True).filter(
            RUNNING, seen_at__lt=timezone.now() - LOST_AFTER
        )
        ids = list(rows.order_by("seen_at").values_list("pk", flat=True)[:MOST_A_SWEEP])
        LiveGame.objects.filter(pk__in=ids).update(
            state=LiveGame.State.ABANDONED, reason="disconnected", ended_at=timezone.now(), holder=""
        )
        LiveGameLog.objects.filter(game__in=ids).delete()
    return len(ids)


def delete_unkept() -> int:
    """Delete games that were given up, and games of guests, some days after them; returns how many."""
    oldest = timezone.now() - timedelta(days=settings.UNKEPT_GAMES_DAYS)
    unkept = Q(state=LiveGame.State.ABANDONED) | Q(state=LiveGame.State.OVER, user=None)
    rows = LiveGame.objects.filter(unkept, replay__isnull=True, created_at__lt=oldest)
    deleted = 0
    while ids := list(rows.values_list("pk", flat=True)[:MOST_A_SWEEP]):
        LiveGame.objects.filter(pk__in=ids).delete()
        deleted += len(ids)
    return deleted


@retry_on_conflict
def guest_games_take(user: User, guest: str) -> int:
    """Give the games that ``guest`` has ended to the account ``user``; returns how many.

    They become replays of the account's player and never rank: nobody knows who sat at that browser, and the visitor
    can read so before each game.  The sweep hands them in.
    """
    if not guest:
        return 0
    rows = LiveGame.objects.filter(user=None, guest=guest, state__in=LiveGame.ENDED)
    return rows.update(user=user, guest="")
