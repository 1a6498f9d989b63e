from __future__ import annotations

from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.text import storable_text
from players.decision_log import Action, Kind, log_decision
from players.models import User
from players.web.rate_limits import RateLimit
from players.web.staff import own_matter_refusal
from replays.models import Comment, Like, Replay
from replays.trust.reports.services import case_close

#: What one account may write; the second stops those who stay just below the first all day.
COMMENT_LIMITS: Final = (RateLimit("comments", "10/10minute"), RateLimit("comments-a-day", "100/day"))
LIKE_LIMIT: Final = RateLimit("likes", "300/hour")
#: A text of an account is not taken again while it is among so many of its latest: at all if it is so long, and on the
#: same replay whatever it is.
_LATEST: Final = 20
_LONG_CHARS: Final = 40
_MAX_LINES: Final = 40


def comment_create(replay: Replay, user: User, text: str) -> Comment:
    """Return the comment; raise ``ValidationError``, also on a text that cannot be taken."""
    words = cleaned(text)
    _check_new(replay, user, words)
    for limit in COMMENT_LIMITS:
        _count(limit, user, _("You've posted a lot of comments. Try again later."), "too_many_comments")
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # the same text twice at a time is once
        _check_new(replay, user, words)
        return Comment.objects.create(replay=replay, user=user, text=words, created_at=timezone.now())


def _count(limit: RateLimit, user: User, message: str, code: str) -> None:
    if not limit.count(str(user.pk)):
        raise ValidationError(message, code=code)


def _check_new(replay: Replay, user: User, words: str) -> None:
    latest = Comment.objects.filter(user=user).order_by("-id").values_list("text", "replay_id")[:_LATEST]
    if any(old == words and (pk == replay.pk or len(words) >= _LONG_CHARS) for old, pk in latest):
        raise ValidationError(_("You've already posted this comment."), code="written_already")


def cleaned(text: str) -> str:
    """``text`` without control characters, with one empty line at most between others; ``ValidationError`` else."""
    lines: list[str] = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        words = storable_text(line, len(line))
        if words or (lines and lines[-1]):
            lines.append(words)
    words = "\n".join(lines).strip()
    if not words:
        raise ValidationError(_("Write a comment first."), code="empty_text")
    if len(words) > Comment.MAX_CHARS:
        raise ValidationError(
            _("At most %(limit)s characters; you wrote %(count)s."),
            code="text_too_long",
            params={"limit": Comment.MAX_CHARS, "count": len(words)},
        )
    if len(lines) > _MAX_LINES:
        raise ValidationError(_("At most %(limit)s lines."), code="text_too_long", params={"limit": _MAX_LINES})
    return words


def comment_delete(comment: Comment) -> None:
    comment.delete()


@transaction.atomic
def comment_moderate(comment: Comment, by: User, *, hidden: bool, reason: str, rule: str = "") -> Comment:
    """Close its reports.  The author can read the reason.  Raises ``ValidationError`` on a comment of their own."""
    row = (
        Comment.objects.select_for_update(no_key=True, of=("self",)).select_related("replay", "user").get(pk=comment.pk)
    )
    if refusal := own_matter_refusal(by, row.user_id):
        raise ValidationError(refusal)
    before = _state(row)
    row.hidden_at, row.hidden_by, row.hidden_reason = (
        (timezone.now(), by, _reason(reason)) if hidden else (None, None, "")
    )
    row.save(update_fields=["hidden_at", "hidden_by", "hidden_reason"])
    case_close(Kind.COMMENT, row.pk)
    log_decision(
        by, Action.HIDDEN if hidden else Action.SHOWN, Kind.COMMENT, row.pk, about=row.user_id, rule=rule,
        reason=row.hidden_reason or storable_text(reason), before=before, after=_state(row),
    )  # fmt: skip
    return row


def _state(row: Comment) -> str:
    return "shown" if row.hidden_at is None else "hidden"


def like_set(replay: Replay, user: User, *, liked: bool) -> None:
    """Raise ``ValidationError`` after too many changes."""
    _count(LIKE_LIMIT, user, _("You've liked a lot of comments. Try again later."), "too_many_likes")
    if liked:
        Like.objects.bulk_create([Like(replay=replay, user=user, created_at=timezone.now())], ignore_conflicts=True)
    else:
        Like.objects.filter(replay=replay, user=user).delete()


def _reason(text: str) -> str:
    words = storable_text(text)
    if not words:
        raise ValidationError(_("Give a reason."), code="empty_text")
    return words
