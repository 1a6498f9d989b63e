from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from players.accounts.selectors import has_second_factor
from players.models import ApiToken, Claim, Identity, User
from replays.models import AccountDeletion, Comment, Like, Replay
from replays.play.models import LiveGame

#: Uploads that staff decided not to accept: they stay, since they could come back as new files (``may_delete``).
REFUSED_BY_STAFF: Final = Q(judgement_code=Replay.DECIDED) & ~Q(judgement=Replay.Judgement.ACCEPTED)
#: What was being sent when the account was closed is looked for so long.
SETTLES_AFTER: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Effects:
    """Effects of a deletion.  ``kept``: of ``uploads`` those that stay in any case; ``unread``: that go in any case."""

    uploads: int
    ranked: int
    kept: int
    unread: int
    played: int
    names: list[str]
    claims: int
    comments: int
    likes: int
    tokens: int


def deletion_effects(user: User) -> Effects:
    """Read in ten statements."""
    uploads = Replay.objects.filter(uploader=user)
    names = Identity.objects.filter(claimant=user).order_by("name")
    return Effects(
        uploads=uploads.count(),
        ranked=uploads.filter(ranked=True).count(),
        kept=uploads.filter(REFUSED_BY_STAFF).count(),
        unread=unread_uploads(user).count(),
        played=LiveGame.objects.filter(user=user).count(),
        names=[identity.shown_name for identity in names],
        claims=Claim.objects.filter(user=user, state__in=Claim.WAITING).count(),
        comments=Comment.objects.filter(user=user).count(),
        likes=Like.objects.filter(user=user).count(),
        tokens=ApiToken.objects.filter(user=user).count(),
    )


def unread_uploads(user: User) -> QuerySet[Replay]:
    """Return uploads that only the account and staff see."""
    return Replay.objects.filter(uploader=user, status=Replay.Status.REJECTED).exclude(REFUSED_BY_STAFF)


def deletion_refusal(user: User) -> str:
    """Return "" if the account can be deleted."""
    if user.has_role or user.is_superuser:
        return _(
            "This is a moderator's account, and decisions about other people's games depend on it. Another "
            "moderator has to remove its permissions first; then you can delete it."
        )
    return ""


def can_prove(user: User) -> bool:
    return user.has_usable_password() or has_second_factor(user)


def deletions_left_alone() -> list[int]:
    stale = timezone.now() - timedelta(seconds=settings.STALE_AFTER_SECONDS)
    rows = AccountDeletion.objects.filter(worked_at__lt=stale).order_by("worked_at")
    return list(rows.values_list("user", flat=True))
