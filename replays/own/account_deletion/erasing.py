"""Erasing what belongs to a closed account, in short transactions, each of which may be the last before a crash.

Steps do what may be many rows or has rules of its own, a part at a time, and tell how much; a step is called again until
nothing is left.  What was being written while the account was closed (an upload, a live game) is found by a later run:
the account itself goes only some time after it was closed, and the rest goes with it, as its foreign keys say.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Final

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from players.accounts.claims.services import release_name
from players.db.retry import retry_on_conflict
from players.leaderboards.services import lock_players
from players.models import Claim, Identity, Player, User
from players.people.services import set_country
from replays.models import AccountDeletion, Replay
from replays.own.account_deletion.selectors import REFUSED_BY_STAFF, SETTLES_AFTER, unread_uploads
from replays.play.models import LiveGame, Room, RoomBoard, RoomPlayer
from replays.trust.places.services import contests_end
from replays.upload.processing.deletion import replays_delete

#: A run of the task ends after so long and queues itself again, so that uploads are not held up.
RUN_SECONDS: Final = 5.0
#: Replays that one transaction deletes: the boards of their players are locked meanwhile.
_REPLAYS: Final = 100
#: Rows of other tables that one transaction deletes or changes.
_ROWS: Final = 500

_now = time.monotonic
_Step = Callable[[AccountDeletion], int]

logger = logging.getLogger(__name__)


def erase(user_id: int) -> bool:
    """Go on with the deletion of an account for :data:`RUN_SECONDS`; whether anything is left to do now."""
    deletion = AccountDeletion.objects.select_related("user").filter(user=user_id).first()
    if deletion is None:
        return False
    until = _now() + RUN_SECONDS
    for step in _STEPS:
        while step(deletion):
            AccountDeletion.objects.filter(pk=deletion.pk).update(worked_at=timezone.now())
            if _now() > until:
                return True
    _finish(deletion)
    return False


@retry_on_conflict
def _finish(deletion: AccountDeletion) -> None:
    now = timezone.now()
    if now - deletion.asked_at <= SETTLES_AFTER:
        AccountDeletion.objects.filter(pk=deletion.pk).update(worked_at=now)
        return
    with transaction.atomic():
        about = ContentType.objects.get_for_model(User)
        LogEntry.objects.filter(
            content_type=about, object_id=str(deletion.user_id)
        ).delete()  # the admin's, with the name
        contests_end(deletion.user_id)
        deletion.user.delete()
    logger.info("Account %d is deleted.", deletion.user_id)


# --- replays ----------------------------------------------------------------------------------------------------------


def _unread(deletion: AccountDeletion) -> int:
    """Files that were rejected, which nobody else sees; first, so that none takes the place of a game that goes next."""
    return replays_delete(unread_uploads(deletion.user), None, _REPLAYS)


def _uploads(deletion: AccountDeletion) -> int:
    if deletion.uploads != AccountDeletion.Uploads.DELETE:
        return 0
    rows = Replay.objects.filter(uploader=deletion.user).exclude(REFUSED_BY_STAFF)
    return replays_delete(rows, None, _REPLAYS)


# --- live play --------------------------------------------------------------------------------------------------------


def _live_games(deletion: AccountDeletion) -> int:
    """Games without a replay, running ones included: the process that plays one finds that it is not its own any more."""
    ids = LiveGame.objects.filter(user=deletion.user, replay=None).order_by("pk").values("pk")[:_ROWS]
    return LiveGame.objects.filter(pk__in=ids).delete()[0]


def _room_scores(deletion: AccountDeletion) -> int:
    """The name in results of boards, a room at a time."""
    player = RoomPlayer.objects.filter(user=deletion.user).order_by("pk").first()
    if player is None:
        return 0
    with transaction.atomic():
        boards = RoomBoard.objects.select_for_update(no_key=True).filter(room=player.room_id).exclude(end="")
        for board in boards.order_by("pk").iterator(chunk_size=_ROWS):
            if any(row["user"] == deletion.user_id for row in board.scores):
                board.scores = [_without_account(row, deletion.user_id) for row in board.scores]
                board.save(update_fields=["scores"])
        return RoomPlayer.objects.filter(pk=player.pk).update(user=None, name=RoomPlayer.NOBODY)


def _without_account(row: dict[str, Any], user_id: int) -> dict[str, Any]:
    return {**row, "user": None, "name": RoomPlayer.NOBODY} if row["user"] == user_id else row


# --- names ------------------------------------------------------------------------------------------------------------


def _names(deletion: AccountDeletion) -> int:
    """Names become free, one at a time, as if their owner had given them up."""
    identity = Identity.objects.filter(claimant=deletion.user).order_by("pk").first()
    if identity is None:
        return 0
    release_name(identity)
    return 1


def _claims(deletion: AccountDeletion) -> int:
    """Rows of claims stay, since their codes are removed from names in replays; nothing else of them does."""
    rows = Claim.objects.filter(user=deletion.user)
    rows.filter(state__in=Claim.WAITING).update(state=Claim.State.WITHDRAWN)
    return rows.update(user=None, name="", text="", reason="")


@retry_on_conflict
def _player(deletion: AccountDeletion) -> int:
    """The player of the account has none any more, and goes if nothing is left of it."""
    with transaction.atomic():
        player = Player.objects.filter(user=deletion.user).first()
        if player is None:
            return 0
        lock_players([player.pk])
        Player.objects.filter(pk=player.pk).update(user=None)
        if Replay.objects.filter(player=player).exists():
            set_country(player, "")
        elif not (player.identities.exists() or player.merged_players.exists() or hasattr(player, "first_name")):
            player.delete()
        return 1


# --- parts ------------------------------------------------------------------------------------------------------------


def _without_account_in(model: type[Replay | LiveGame | Room], column: str, **texts: str) -> _Step:
    """Let rows stay without the account, since there may be many of them, and without the ``texts`` that it chose."""

    def step(deletion: AccountDeletion) -> int:
        rows: QuerySet[Any] = model._default_manager.filter(**{column: deletion.user})
        return model._default_manager.filter(pk__in=rows.order_by("pk").values("pk")[:_ROWS]).update(
            **{column: None}, **texts
        )

    return step


#: In order.  Games without a replay come twice: when replays are deleted, there may be more.  Those whose replays stay keep
#: what anybody needs to check the board; their account goes before the player, who is found by it.
_STEPS: Final[tuple[_Step, ...]] = (
    _claims,
    _live_games,
    _unread,
    _uploads,
    _without_account_in(Replay, "uploader", original_name=""),
    _live_games,
    _without_account_in(LiveGame, "user"),
    _names,
    _player,
    _without_account_in(Room, "owner", name=RoomPlayer.NOBODY),
    _room_scores,
)
