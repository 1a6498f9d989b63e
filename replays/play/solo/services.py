from __future__ import annotations

import logging
import uuid
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.contrib import messages
from django.core.cache import cache
from django.db import InterfaceError, OperationalError, transaction
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
from replays.play.models import LiveGame, LiveGameLog
from replays.play.models.games import RUNNING, WANTS_REPLAY
from replays.play.sockets.visitors import Visitor, guest_in
from replays.upload.intake.receipts import Outcome
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.queue import Task, queue

#: Days after which games of guests and games that were given up are deleted.
UNKEPT_GAMES_DAYS: Final = 30
HAND_IN: Final = Task("play.hand_in", "live games")

logger = logging.getLogger(__name__)

#: A game whose process does not write any more is given up after so long.
LOST_AFTER: Final = timedelta(seconds=90)
#: A process that has written a game within this time is alive: it writes once a second.
ALIVE: Final = timedelta(seconds=5)
#: A decided game without a replay is taken up by the sweep after so long.
_REPLAY_LATE: Final = timedelta(seconds=10)
MOST_A_SWEEP: Final = 200
#: How a game counts, by its result.
_ENDS: Final[dict[str, End]] = {"": "left", "lost": "lost", "won": "won"}
#: In the cache: when a sweep first found games late, in seconds since 1970.
_LATE_SINCE: Final = "live-games-late-since"
_DAY_SECONDS: Final = 24 * 3600
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


class HeldElsewhere(Exception):
    """Refusal: a living process holds the game."""


@dataclass(frozen=True, slots=True)
class LogPart:
    game_id: uuid.UUID
    first_event: int
    last_seq: int
    events: bytes


@dataclass(frozen=True, slots=True)
class Written:
    """``lost``: another process has them.  ``refused``: why the database will never take them."""

    lost: set[uuid.UUID]
    refused: dict[uuid.UUID, str] = field(default_factory=dict)


# --- while games are played -------------------------------------------------------------------------------------------


@retry_on_conflict
def games_write(
    holder: str, new: Sequence[LiveGame], held: Collection[uuid.UUID], parts: Iterable[LogPart]
) -> set[uuid.UUID]:
    """Store what happened in the last second, in one transaction; returns the games that are not ours any more.

    ``new``: games whose first cell was opened.  ``held``: games that are stored already.  Another process may have taken
    a game over, and only its holder writes it; also one of ``new``, if the answer to its first write was lost.
    """
    games = {*held, *(row.pk for row in new)}
    with transaction.atomic():
        LiveGame.objects.bulk_create(new, ignore_conflicts=True)
        ours = set(
            LiveGame.objects.select_for_update(no_key=True)
            .filter(pk__in=games, holder=holder)
            .values_list("pk", flat=True)
        )
        if held:
            LiveGame.objects.filter(pk__in=ours.intersection(held)).update(seen_at=timezone.now())
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
    return games - ours


def games_write_singly(
    holder: str, new: Sequence[LiveGame], held: Collection[uuid.UUID], parts: Iterable[LogPart]
) -> Written:
    """Do the same with a transaction for each game, so that one which the database refuses costs no other."""
    written, parts = Written(set()), list(parts)
    for game_id in [*held, *(row.pk for row in new)]:
        own = [row for row in new if row.pk == game_id]
        log = [part for part in parts if part.game_id == game_id]
        try:
            written.lost.update(games_write(holder, own, [] if own else [game_id], log))
        except (OperationalError, InterfaceError):
            raise  # it is the database: all of them come again
        except Exception as error:
            written.refused[game_id] = f"{type(error).__name__}: {error}"
    return written


@retry_on_conflict
def game_take_over(
    game_id: uuid.UUID, visitor: Visitor, holder: str, *, of_dead_alone: bool = False
) -> LiveGame | None:
    """Make this process the holder of a running game of ``visitor``; None if there is none that could go on.

    ``of_dead_alone``: raise :class:`HeldElsewhere` if another process is alive, for with it the game can still rank.
    """
    own = Q(user=visitor.user_id) if visitor.user_id is not None else Q(user=None, guest=visitor.guest)
    with transaction.atomic():
        row = LiveGame.objects.select_for_update(no_key=True).filter(RUNNING, own, pk=game_id).first()
        if row is None or row.seen_at < timezone.now() - LOST_AFTER:
            return None
        if of_dead_alone and row.holder != holder and row.seen_at > timezone.now() - ALIVE:
            raise HeldElsewhere
        row.holder, row.seen_at, row.reason = holder, timezone.now(), row.reason or "taken_over"
        row.save(update_fields=["holder", "seen_at", "reason"])
        return row


@retry_on_conflict
def game_end(row: LiveGame, holder: str, recording: Recording | None) -> bool:
    """Store the last state of a game; False if another process has it.

    ``recording``: of a decided game, there until its replay is stored.  A decided game also stands if the sweep gave it up
    afterwards, while its process could not write; before, its board was not public.
    """
    if recording is not None:
        data = rawvf.write(recording)
        row.recording, row.file_sha256 = zlib.compress(data), file_store.sha256_of(data)
    with transaction.atomic():
        # Whether it is stored only the database knows: the answer to the first write may have been lost.
        values = {name: getattr(row, name) for name in _CHANGING}
        games = LiveGame.objects.filter(pk=row.pk)
        given_up = Q(state=LiveGame.State.ABANDONED, reason="disconnected", ended_at__gt=row.ended_at)
        was_running = games.filter(RUNNING, holder=holder).update(**values)
        was_given_up = not was_running and recording is not None and games.filter(given_up).update(**values)
        if was_running or was_given_up:
            LiveGameLog.objects.filter(game=row).delete()
            _count_ended([row])
            if was_given_up and row.user_id is not None:
                count_boards([EndedBoard(row.user_id, row.level, row.rules, "left")], by=-1)
            return True
        if LiveGame.objects.filter(pk=row.pk).exists():
            return False
        row.save(force_insert=True)
        _count_ended([row])
    return True


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


def give_up_lost() -> int:
    """End the games whose process has died and that nobody took over; returns how many.

    While the database is away no process can write, so a game is given up only if it was late ``LOST_AFTER`` ago already,
    when an earlier sweep looked, and has not been written since.
    """
    now, late_since = timezone.now(), cache.get(_LATE_SINCE)
    if late_since is None:
        if LiveGame.objects.filter(RUNNING, seen_at__lt=now - LOST_AFTER).exists():
            cache.set(_LATE_SINCE, now.timestamp(), _DAY_SECONDS)
        return 0
    first_look = datetime.fromtimestamp(late_since, UTC)
    if now - first_look < LOST_AFTER:
        return 0
    given_up = _give_up(first_look - LOST_AFTER)
    if given_up < MOST_A_SWEEP:
        cache.delete(_LATE_SINCE)
    return given_up


def _give_up(seen_before: datetime) -> int:
    with transaction.atomic():
        rows = LiveGame.objects.select_for_update(skip_locked=True, no_key=True).filter(
            RUNNING, seen_at__lt=seen_before
        )
        lost = list(rows.order_by("seen_at").only("user_id", "level", "rules", "result", "reason")[:MOST_A_SWEEP])
        ids = [row.pk for row in lost]
        LiveGame.objects.filter(pk__in=ids).update(
            state=LiveGame.State.ABANDONED, reason="disconnected", ended_at=timezone.now(), holder=""
        )
        LiveGameLog.objects.filter(game__in=ids).delete()
        _count_ended(lost)
    return len(ids)


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
