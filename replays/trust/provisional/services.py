from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.leaderboards.services import add_games, remove_games
from players.models import User
from players.web.rate_limits import RateLimit
from replays.models import Objection, PlayTrace, Replay
from replays.models.ranked_games import game_of

_BATCH: Final = 100
#: Objections of one account.
OBJECTION_LIMIT: Final = RateLimit("objections", "20/day")
_WRITTEN: Final = ("judgement", "judgement_code", "judgement_params", "provisional_until")


def finalise_due() -> int:
    """Make the provisional games final whose time has passed without an objection; returns how many."""
    count = 0
    while ids := list(_due().order_by("provisional_until").values_list("pk", flat=True)[:_BATCH]):
        count += _finalise(ids)
    return count


def _due() -> QuerySet[Replay]:
    # The clock of the database: a process whose clock is ahead makes nothing final.
    return Replay.objects.filter(provisional_until__lte=Now())


@retry_on_conflict
def _finalise(ids: Sequence[int]) -> int:
    with transaction.atomic():
        rows = list(_due().select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
        before = [game_of(row) for row in rows if row.ranked]
        for row in rows:
            row.judgement, row.judgement_code = Replay.Judgement.ACCEPTED, ""
            row.judgement_params, row.provisional_until = {}, None
        Replay.objects.bulk_update(rows, _WRITTEN)
        # Removed and added again, so that the record history gets them now.
        remove_games(before)
        add_games([game_of(row) for row in rows if row.ranked])
    return len(rows)


class ObjectionRefused(ValidationError):
    """The game cannot be objected to, whatever the text; ``code`` says why.

    ``retry_seconds``: when to try again, if that helps.
    """

    retry_seconds: int | None = None


def objection_create(replay: Replay, user: User, text: str) -> Objection:
    """Object to a ranked game: staff decide.  A provisional game stays provisional until then.

    Raises :class:`ObjectionRefused`, or ``ValidationError`` on a text that is empty or too long.
    """
    words = storable_text(text, len(text))
    if not words:
        raise ValidationError(_("Tell us what's wrong with the game."), code="empty_text")
    if len(words) > Objection.MAX_CHARS:
        raise ValidationError(
            _("At most %(limit)s characters; you wrote %(count)s."),
            code="text_too_long",
            params={"limit": Objection.MAX_CHARS, "count": len(words)},
        )
    _check_objection(replay, user)
    if not OBJECTION_LIMIT.count(str(user.pk)):
        refused = ObjectionRefused(
            _("You've made a lot of objections today. Try again tomorrow."), code="too_many_objections"
        )
        refused.retry_seconds = math.ceil(OBJECTION_LIMIT.wait_seconds(str(user.pk)))
        raise refused
    return _object(replay, user, words)


@retry_on_conflict
def _object(replay: Replay, user: User, words: str) -> Objection:
    with transaction.atomic():
        row = (
            Replay.objects.select_for_update(no_key=True)
            .only("ranked", "corpse", "uploader", "judgement")
            .get(pk=replay.pk)
        )
        _check_objection(row, user)
        Replay.objects.filter(pk=row.pk).update(provisional_until=None)
        clicks = PlayTrace.objects.filter(replay=row.pk).values_list("clicks", flat=True).first()
        return Objection.objects.create(replay=row, clicks=clicks, user=user, text=words, created_at=timezone.now())


def objections_follow(plays: Collection[bytes]) -> None:
    """Give open objections whose file is gone to the first file of the play that is here again; ``plays``: by clicks."""
    for one in Objection.objects.filter(clicks__in=plays, closed_at=None, replay=None) if plays else ():
        files = Replay.objects.filter(trace__clicks=one.clicks, status=Replay.Status.DONE)
        row = files.exclude(objections__user=one.user_id).order_by("pk").first()
        if row is not None:
            Objection.objects.filter(pk=one.pk).update(replay=row)
            Replay.objects.filter(pk=row.pk).update(provisional_until=None)


def _check_objection(replay: Replay, user: User) -> None:
    if replay.uploader_id == user.pk:
        raise ObjectionRefused(_("This is your own upload; you can delete it."), code="own_upload")
    if not (replay.ranked or replay.corpse or replay.judgement == Replay.Judgement.DISPUTED):
        raise ObjectionRefused(_("This game isn't on any leaderboard."), code="not_ranked")
    if replay.objections.filter(user=user).exists():
        raise ObjectionRefused(_("You've already objected to this game."), code="objected_already")
