from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import timedelta
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from players.accounts.claims.services import claim_make
from players.models import Claim, User
from players.web.rate_limits import RateLimit, count_or_refuse
from replays.models import BatchFile, UploadBatch
from replays.trust.judging.permissions import may_delete
from replays.upload.batches.selectors import uploads_of
from replays.upload.processing.deletion import replay_delete

#: Most replays that one request deletes: the boards follow each.
MOST_DELETED: Final = 200
#: Batches that an account starts, and most files that one notes; further files are stored all the same.
BATCH_LIMIT: Final = RateLimit("batches", "50/day")
MOST_FILES: Final = 20_000
#: Most names that one request claims.
MOST_CLAIMS: Final = 20
#: Batches are deleted after so long; replays stay.
LIFETIME: Final = timedelta(days=30)
#: Batches that one run deletes.
_DELETED_AT_ONCE: Final = 500


def uploads_delete(user: User, ids: Collection[int]) -> int:
    """Delete those of these replays that ``user`` sent and may delete; returns how many.

    Others are left alone without a word, so that nobody learns whether they exist.  Raises ``ValidationError`` on too
    many.
    """
    if len(set(ids)) > MOST_DELETED:
        raise ValidationError(_("At most %(limit)s replays at once."), params={"limit": MOST_DELETED})
    # Each in a transaction of its own, as the boards of a player are locked while a game is removed from them.
    rows = [row for row in uploads_of(user).filter(pk__in=set(ids)).order_by("pk") if may_delete(row, user)]
    return sum(replay_delete(row, user) for row in rows)


def batch_start(user: User) -> UploadBatch:
    """Raise ``Refused`` (429) beyond :data:`BATCH_LIMIT`."""
    count_or_refuse(BATCH_LIMIT, str(user.pk), _("Too many uploads today. Try again tomorrow."))
    return UploadBatch.objects.create(user=user, made_at=timezone.now())


def batch_add(batch: UploadBatch, files: Sequence[BatchFile]) -> None:
    """Note received files (without their batch); those beyond :data:`MOST_FILES` are not noted."""
    with transaction.atomic():
        locked = UploadBatch.objects.select_for_update(no_key=True).get(pk=batch.pk)
        noted = files[: max(0, MOST_FILES - locked.files)]
        for file in noted:
            file.batch = locked
        BatchFile.objects.bulk_create(noted)
        locked.files += len(noted)
        locked.save(update_fields=["files"])


def batch_add_known(batch: UploadBatch, count: int) -> None:
    UploadBatch.objects.filter(pk=batch.pk).update(known=F("known") + count)


def names_claim(user: User, names: Sequence[str]) -> tuple[list[Claim], dict[str, str]]:
    """Claim each of ``names``, as on the account page; returns the claims, and by name why others were refused.

    Nothing changes hands by it: a game with the code of a claim, or staff, decide.  Raises ``ValidationError`` on too
    many names.
    """
    if len(names) > MOST_CLAIMS:
        raise ValidationError(_("At most %(limit)s names at once."), params={"limit": MOST_CLAIMS})
    claims, refused = [], {}
    for name in dict.fromkeys(names):
        try:
            claims.append(claim_make(user, name))
        except ValidationError as error:
            refused[name] = " ".join(error.messages)
    return claims, refused


def delete_old_batches() -> int:
    """Delete batches after :data:`LIFETIME`; returns how many."""
    old = UploadBatch.objects.filter(made_at__lt=timezone.now() - LIFETIME).order_by("made_at")
    ids = list(old.values_list("pk", flat=True)[:_DELETED_AT_ONCE])
    UploadBatch.objects.filter(pk__in=ids).delete()
    return len(ids)
