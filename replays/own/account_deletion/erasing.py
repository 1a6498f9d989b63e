"""Erasing what belongs to a closed account, in short transactions, each of which may be the last before a crash.

Every step does a part of its work and tells how much; it is called again until nothing is left.  What was being written
while the account was closed (an upload, a live game) is found by a later run, since a deletion is finished only some time
after it was asked for.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, Final

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.db.models import Model, QuerySet
from django.utils import timezone

from players.accounts.claims.services import release_name
from players.db.retry import retry_on_conflict
from players.leaderboards.services import lock_players
from players.models import BoardCount, Claim, Identity, Player, User
from players.people.services import set_country
from replays.models import (
    AccountDeletion,
    Appeal,
    Ban,
    BatchFile,
    Comment,
    CommentReport,
    Contest,
    DeletedGame,
    HomeVisit,
    Like,
    Objection,
    RecomputeNote,
    Replay,
    Report,
    ReportedThing,
    Sending,
    TrainingCard,
    TrainingDay,
    UploadBatch,
)
from replays.own.account_deletion.selectors import REFUSED_BY_STAFF, SETTLES_AFTER, unread_uploads
from replays.play.models import LiveGame, Room, RoomBoard, RoomPlayer, RoomTotal
from replays.upload.processing.deletion import replays_delete

#: A run of the task ends after so long and queues itself again, so that uploads are not held up.
RUN_SECONDS: Final = 5.0
#: Replays that one transaction deletes: the boards of their players are locked meanwhile.
_REPLAYS: Final = 100
#: Rows of other tables that one transaction deletes or changes.
_ROWS: Final = 500
#: How others see an account that is gone, in rooms.
NOBODY: Final = "deleted account"

_now = time.monotonic
_Step = Callable[[AccountDeletion], int]

logger = logging.getLogger(__name__)


def erase(user_id: int) -> bool:
    """Go on with the deletion of an account for :data:`RUN_SECONDS`; whether anything is left to do now."""
    deletion = AccountDeletion.objects.select_related("user").filter(user=user_id, finished_at=None).first()
    if deletion is None:
        return False
    until = _now() + RUN_SECONDS
    for step in _STEPS.values():
        while step(deletion):
            AccountDeletion.objects.filter(pk=deletion.pk).update(worked_at=timezone.now())
            if _now() > until:
                return True
    _finish(deletion)
    return False


def _finish(deletion: AccountDeletion) -> None:
    now = timezone.now()
    finished = now if now - deletion.asked_at > SETTLES_AFTER else None
    AccountDeletion.objects.filter(pk=deletion.pk).update(worked_at=now, finished_at=finished)
    if finished:
        logger.info("Everything of account %d is deleted.", deletion.user_id)


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
    return _delete(LiveGame.objects.filter(user=deletion.user, replay=None))


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
        return RoomPlayer.objects.filter(pk=player.pk).update(user=None, name=NOBODY)


def _without_account(row: dict[str, Any], user_id: int) -> dict[str, Any]:
    return {**row, "user": None, "name": NOBODY} if row["user"] == user_id else row


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
    return rows.update(user=None, text="", reason="")


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


# --- the audit log ------------------------------------------------------------------------------------------------------


def _audit_log(deletion: AccountDeletion) -> int:
    """The name in what staff did with the account; their other entries, and those of the account, stay as they are.

    The log of decisions names no account that was decided about, and is never changed.
    """
    about = ContentType.objects.get_for_model(User)
    rows = LogEntry.objects.filter(content_type=about, object_id=str(deletion.user_id))
    return rows.exclude(object_repr=NOBODY).update(object_repr=NOBODY)


# --- parts ------------------------------------------------------------------------------------------------------------


def _delete(rows: QuerySet[Any]) -> int:
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[:_ROWS])
    if ids:
        rows.model._default_manager.filter(pk__in=ids).delete()
    return len(ids)


def _change(rows: QuerySet[Any], **values: Model | None) -> int:
    ids = list(rows.order_by("pk").values_list("pk", flat=True)[:_ROWS])
    if ids:
        rows.filter(pk__in=ids).update(**values)
    return len(ids)


def _deleted(model: type[Model], user: str = "user") -> _Step:
    return lambda deletion: _delete(model._default_manager.filter(**{user: deletion.user}))


def _without_user(model: type[Model], user: str = "user") -> _Step:
    return lambda deletion: _change(model._default_manager.filter(**{user: deletion.user}), **{user: None})


#: By what they do away with, in order.  Games without a replay come twice: when replays are deleted, there may be more.
#: Those whose replays stay keep what anybody needs to check the board; their account goes before the player, who is found by
#: it.  What was written to staff about other games stays for them to decide.
_STEPS: Final[dict[str, _Step]] = {
    "comments": _deleted(Comment),
    "reports of comments": _deleted(CommentReport),
    "reports": _deleted(Report),
    "account of what was reported": _without_user(ReportedThing, "about"),
    "bans": _deleted(Ban),
    "moderator of bans": _without_user(Ban, "by"),
    "likes": _deleted(Like),
    "claims": _claims,
    "live games": _live_games,
    "rejected files": _unread,
    "uploads": _uploads,
    "uploader of replays": _without_user(Replay, "uploader"),
    "sendings": _deleted(Sending),
    "account of contests": _without_user(Contest),
    "live games of deleted replays": _live_games,
    "account of live games": _without_user(LiveGame),
    "names": _names,
    "player": _player,
    "counts of boards": _deleted(BoardCount),
    "account of objections": _without_user(Objection),
    "account of appeals": _without_user(Appeal),
    "files of batches": _deleted(BatchFile, "batch__user"),
    "batches": _deleted(UploadBatch),
    "notes of deleted games": _deleted(DeletedGame),
    "notes of recomputes": _deleted(RecomputeNote),
    "cards of training": _deleted(TrainingCard),
    "days of training": _deleted(TrainingDay),
    "totals of rooms": _deleted(RoomTotal),
    "visits": _deleted(HomeVisit),
    "owner of rooms": _without_user(Room, "owner"),
    "scores of rooms": _room_scores,
    "audit log": _audit_log,
}
