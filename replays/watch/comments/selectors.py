"""Whoever may not see a comment gets the same answer as for none."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from players.db.keyset import Page, page_of
from players.models import User
from players.web.parameters import DEFAULT_PAGE_SIZE
from players.web.users import signed_in_user
from replays.models import Comment, Like, Replay
from replays.models.reactions import SHOWN, likes_count
from replays.trust.judging.permissions import may_judge, replay_or_404, visible_to


@dataclass(frozen=True, slots=True)
class Likes:
    likes: int
    liked: bool


def commented_replay_or_404(request: HttpRequest, pk: int) -> Replay:
    """Raise ``Http404`` unless it is analysed and the visitor may see it; no other has comments."""
    replay = replay_or_404(request, pk)
    if replay.status != Replay.Status.DONE:
        raise Http404(_("This replay doesn't exist."))
    return replay


def comment_or_404(request: HttpRequest, pk: int) -> Comment:
    """Raise ``Http404`` if it does not exist or the visitor may not see it or its replay."""
    found = _seen_by(signed_in_user(request)).filter(pk=pk).first()
    if found is None:
        raise Http404(_("This comment doesn't exist."))
    return found


def comments_page(
    replay: Replay, viewer: User | None, *, cursor: str | None = None, size: int = DEFAULT_PAGE_SIZE
) -> Page[Comment]:
    """Return those that ``viewer`` may see, oldest first.  Raises ``BadCursor``."""
    rows = Comment.objects.filter(_visible(viewer), replay=replay).select_related("user")
    return page_of(rows, ("id",), cursor, size)


def likes_of(replay: Replay, viewer: User | None) -> Likes:
    liked = viewer is not None and Like.objects.filter(replay=replay, user=viewer).exists()
    return Likes(likes_count(replay), liked)


def own_comments_page(user: User, cursor: str | None, size: int = DEFAULT_PAGE_SIZE) -> Page[Comment]:
    """Return the newest first, hidden ones included."""
    return page_of(Comment.objects.filter(user=user).select_related("user"), ("-id",), cursor, size)


def may_delete_comment(comment: Comment, viewer: User | None) -> bool:
    """Return whether ``viewer`` wrote it; staff do not delete comments but hide them, with a reason."""
    return viewer is not None and comment.user_id == viewer.pk


def _visible(viewer: User | None) -> Q:
    """Match those not hidden and their own; all for staff."""
    if may_judge(viewer):
        return Q()
    return SHOWN if viewer is None else SHOWN | Q(user=viewer.pk)


def _seen_by(viewer: User | None) -> QuerySet[Comment]:
    replays = Replay.objects.filter(visible_to(viewer))
    return Comment.objects.filter(_visible(viewer), replay__in=replays).select_related("user", "replay")
