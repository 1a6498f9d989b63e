from __future__ import annotations

import logging
import uuid
import zlib
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any, Final

from django.contrib import messages
from django.db import DatabaseError, IntegrityError, InterfaceError, OperationalError, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import ngettext

from analysis.analyse import game_hash
from analysis.board import board_facts
from analysis.click_machine import play
from analysis.formats import rawvf
from analysis.recording import Recording
from players.db.retry import retry_on_conflict
from players.models import User
from players.people.services import player_of_user
from players.profile.page.board_counts import End, EndedBoard, count_boards
from replays.models import AccountDeletion, file_store
from replays.play.models import LiveGame
from replays.play.models.games import RUNNING, WANTS_REPLAY
from replays.play.sockets.visitors import guest_in
from replays.upload.intake.receipts import Outcome
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.queue import Task, queue

#: Days after which games of guests and games that were given up are deleted.
UNKEPT_GAMES_DAYS: Final = 30
HAND_IN: Final = Task("play.hand_in", "live games")

logger = logging.getLogger(__name__)

#: No socket is open for so long; the game of a machine that never came back is.
_LONGEST_GAME: Final = timedelta(days=1)
#: A decided game without a replay is taken up by the sweep after so long.
_REPLAY_LATE: Final = timedelta(seconds=10)
MOST_A_SWEEP: Final = 200
#: How a game counts, by its result.
_ENDS: Final[dict[str, End]] = {"": "left", "lost": "lost", "won": "won"}
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


def games_begin(rows: Iterable[LiveGame]) -> None:
    """Store games whose first cell was opened, each by itself: one that the database refuses costs no other.

    A row that is there stays: the answer to an earlier try was lost.
    """
    for row in rows:
        try:
            LiveGame.objects.bulk_create([row], ignore_conflicts=True)
        except (OperationalError, InterfaceError):
            raise  # it is the database: all of them come again
        except DatabaseError as error:
            logger.error(
                "The live game %s cannot be stored before its end: %s: %s", row.pk, type(error).__name__, error
            )


@retry_on_conflict
def game_end(row: LiveGame, holder: str, recording: Recording | None) -> bool:
    """Store the last state of a game; False if it has ended already.

    ``recording``: of a decided game, there until its replay is stored.
    """
    if recording is not None:
        data = rawvf.write(recording)
        row.recording, row.file_sha256 = zlib.compress(data), file_store.sha256_of(data)
    with transaction.atomic():
        # Whether it is stored only the database knows: the answer to the first write may have been lost, and that write
        # may come between these two.
        values = {name: getattr(row, name) for name in _CHANGING}
        running = LiveGame.objects.filter(RUNNING, pk=row.pk, holder=holder)
        if not running.update(**values):
            try:
                with transaction.atomic():
                    row.save(force_insert=True)
            except IntegrityError:
                if not running.update(**values):
                    return False
        _count_ended([row])
    return True


@retry_on_conflict
def interrupt_games(which: Q) -> int:
    """End running games whose process has died, neither won nor lost; returns how many."""
    with transaction.atomic():
        games = LiveGame.objects.select_for_update(no_key=True).filter(RUNNING, which).order_by("pk")
        rows = list(games.only("user_id", "level", "rules", "result", "reason"))
        LiveGame.objects.filter(pk__in=[row.pk for row in rows]).update(
            state=LiveGame.State.ABANDONED, reason="interrupted", ended_at=timezone.now(), holder=""
        )
        _count_ended(rows)
    return len(rows)


def interrupt_forgotten() -> int:
    return interrupt_games(Q(created_at__lt=timezone.now() - _LONGEST_GAME))


def _count_ended(rows: Iterable[LiveGame]) -> None:
    """Count games of accounts in the transaction that ends them; one for which no board was found was not begun."""
    count_boards(
        EndedBoard(row.user_id, row.level, row.rules, _ENDS[row.result])
        for row in rows
        if row.user_id is not None and row.reason != "no_board"
    )


# --- what becomes of them ---------------------------------------------------------------------------------------------


def queue_hand_in(games: Sequence[uuid.UUID]) -> None:
    """Ask a worker for :func:`replay_store` of each; if none can be asked now, the sweep does it."""
    queue(HAND_IN, list(map(str, games)))


def replay_store(game_id: uuid.UUID) -> int | None:
    """Hand a decided game in, in the ordinary way of uploads; the number of its replay.

    None for games of guests, if the site has no room for it now (the sweep tries again), or if the account was closed
    meanwhile.  May be repeated at any point: the file is the same.
    """
    row = LiveGame.objects.select_related("user").filter(pk=game_id).first()
    if row is None or row.recording is None:
        return None if row is None else row.replay_id
    user = row.user
    if user is not None and AccountDeletion.objects.filter(user=user).exists():
        row.delete()  # its owner deleted the account while the game was played
        return None
    data = zlib.decompress(bytes(row.recording))
    if not row.game_hash:
        _store_game_hash(row, rawvf.read(data))
    if user is None or not user.is_active or user.is_banned:
        return None  # the sweep hands it in if a guest signs in, or the account is opened again, or its ban ends
    player_of_user(user)
    (receipt,) = receive_many([(f"sweepbook-{row.pk}.rawvf", data)], uploader=user, trust=_HERE)
    if receipt.outcome is Outcome.REFUSED or receipt.replay_id is None:
        logger.error("The live game %s cannot be stored: %s", row.pk, receipt.message)
        return None
    LiveGame.objects.filter(pk=row.pk).update(replay=receipt.replay_id, recording=None)
    return receipt.replay_id


def _store_game_hash(row: LiveGame, recording: Recording) -> None:
    row.game_hash = game_hash(recording, play(recording, board_facts(recording.board)))
    row.save(update_fields=["game_hash"])


def store_missing() -> int:
    """Hand in the decided games that have no replay although they ended some time ago; returns how many."""
    late = timezone.now() - _REPLAY_LATE
    closed_for_good = AccountDeletion.objects.values("user")
    rows = LiveGame.objects.filter(
        WANTS_REPLAY, Q(user__is_active=True) | Q(user__in=closed_for_good), ended_at__lt=late
    ).exclude(user__banned_until__gt=timezone.now())
    rows = rows.order_by("ended_at")
    return sum(replay_store(pk) is not None for pk in rows.values_list("pk", flat=True)[:MOST_A_SWEEP])


def delete_unkept() -> int:
    """Delete games that were given up, and games of guests, some days after them; returns how many.

    What accounts gave up stays counted (``players.profile.page.board_counts``).
    """
    oldest = timezone.now() - timedelta(days=UNKEPT_GAMES_DAYS)
    unkept = Q(state=LiveGame.State.ABANDONED) | Q(state=LiveGame.State.OVER, user=None)
    rows = LiveGame.objects.filter(unkept, replay__isnull=True, created_at__lt=oldest)
    deleted = 0
    while ids := list(rows.values_list("pk", flat=True)[:MOST_A_SWEEP]):
        LiveGame.objects.filter(pk__in=ids).delete()
        deleted += len(ids)
    return deleted


@retry_on_conflict
def guest_games_take(user: User, guest: str) -> int:
    """Give the games that ``guest`` has ended to the account ``user``; returns how many of them become replays.

    They become replays of the account's player and never rank: nobody knows who sat at that browser, and the visitor
    can read so before each game.  The sweep hands them in.
    """
    with transaction.atomic():
        rows = LiveGame.objects.filter(user=None, guest=guest, state__in=LiveGame.ENDED)
        decided = rows.exclude(recording=None).count()
        rows.update(user=user, guest="")
    return decided


def take_games_of_guest(sender: Any, request: HttpRequest | None, user: User, **_more: Any) -> None:
    """Give the games of the browser's signed cookie to the account; the receiver of Django's ``user_logged_in``."""
    if request is None or not (guest := guest_in(request)):
        return
    if count := guest_games_take(user, guest):
        text = ngettext(
            "We added %(count)s guest game to your account. It isn't ranked.",
            "We added %(count)s guest games to your account. They aren't ranked.",
            count,
        )
        messages.info(request, text % {"count": count})
