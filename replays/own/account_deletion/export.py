"""The data of an account as a file: one JSON object, made piece by piece while the client reads it.

A new table that belongs to accounts gets a section here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils import timezone

from players.models import ApiToken, BoardCount, Claim, Decision, Identity, User
from players.people.selectors import player_of_account
from players.web.links import address_of, replay_address
from replays.models import (
    Appeal,
    Ban,
    BanAppeal,
    Comment,
    Contest,
    Like,
    Replay,
    Report,
    Sending,
    TrainingCard,
    TrainingDay,
    UploadBatch,
)
from replays.play.models import LiveGame, Room, RoomTotal

#: Rows that are read at once.
_ROWS: Final = 500
_Record = dict[str, Any]
_Section = tuple[str, QuerySet[Any], Callable[[Any], _Record]]


def export_response(user: User) -> StreamingHttpResponse:
    response = StreamingHttpResponse(_parts(user), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="sweepbook-{timezone.now():%Y-%m-%d}.json"'
    response["Cache-Control"] = "private, no-store"
    return response


def _parts(user: User) -> Iterator[str]:
    yield f'{{"account": {_json(_account(user))}'
    for name, rows, record in _sections(user):
        yield f', "{name}": ['
        separator = "\n"
        for page in _pages(rows):
            yield separator + ",\n".join(_json(record(row)) for row in page)
            separator = ",\n"
        yield "]"
    yield "}\n"


def _json(record: _Record) -> str:
    return json.dumps(record, cls=DjangoJSONEncoder, ensure_ascii=False)


def _pages(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """``rows`` in the order of their keys, some at a time, so that neither memory nor a cursor is held."""
    ordered, last = rows.order_by("pk"), None
    while page := list((ordered if last is None else ordered.filter(pk__gt=last))[:_ROWS]):
        yield page
        if len(page) < _ROWS:
            return
        last = page[-1].pk


def _account(user: User) -> _Record:
    player = player_of_account(user)
    return {
        "number": user.pk, "username": user.username, "email": user.email, "joined_at": user.date_joined,
        "last_sign_in_at": user.last_login, "language": user.language, "time_zone": user.time_zone, "clock": user.clock,
        "country": user.country, "board_columns": user.board_columns, "viewer_settings": user.viewer_settings,
        "player": None if player is None else {"number": player.pk, "name": player.name, "country": player.country},
    }  # fmt: skip


def _sections(user: User) -> Iterator[_Section]:
    """Yield what belongs to ``user``, table by table: name, rows, and the function that makes a record of a row."""
    yield "email_addresses", EmailAddress.objects.filter(user=user), _named("email", "verified", "primary")
    yield "tokens", ApiToken.objects.filter(user=user), _named("name", "prefix", "scopes", "created_at", "expires_at", "last_used_at")  # fmt: skip
    yield "names", Identity.objects.filter(claimant=user), _named("name", "state", "proof", "claimed_at")
    yield "claims", Claim.objects.filter(user=user), _named("name", "state", "code", "made_at", "expires_at", "used_at", "text", "decided_at", "reason")  # fmt: skip
    yield "uploads", Replay.objects.filter(uploader=user).defer("board", "findings"), _upload
    yield "sendings", Sending.objects.filter(user=user), _named("replay_id", "sent_at")
    yield "contests", Contest.objects.filter(user=user), _named("game", "state", "made_at")
    yield "batches", UploadBatch.objects.filter(user=user), _named("made_at", "files", "known")
    yield "live_games", LiveGame.objects.filter(user=user).defer("recording"), _named("level", "rules", "state", "result", "created_at", "ended_at", "time_ms", "bv", "replay_id")  # fmt: skip
    yield (
        "boards_played",
        BoardCount.objects.filter(user=user),
        _named("level", "rules", "begun", "left", "lost", "won"),
    )
    yield "rooms", Room.objects.filter(owner=user), _named("slug", "name", "state", "created_at")
    yield "room_totals", RoomTotal.objects.filter(user=user), _named("boards", "score", "blasts")
    yield "training_cards", TrainingCard.objects.filter(user=user), _named("replay_id", "event", "box", "due_on")
    yield "training_days", TrainingDay.objects.filter(user=user), _named("day", "tried", "right")
    yield "comments", Comment.objects.filter(user=user), _comment
    yield "likes", Like.objects.filter(user=user), _like
    yield "reports", Report.objects.filter(user=user).select_related("thing"), _report
    yield "bans", Ban.objects.filter(user=user), _named("rule", "reason", "made_at", "until", "ended_at")
    yield "ban_appeals", BanAppeal.objects.filter(ban__user=user), _named("ban_id", "text", "made_at", "state", "answer", "answered_at")  # fmt: skip
    yield "decisions", Decision.objects.filter(about_number=user.pk), _named("made_at", "action", "kind", "number", "rule", "reason", "before", "after")  # fmt: skip
    yield "appeals", Appeal.objects.filter(user=user), _named("replay_id", "text", "created_at", "state", "answer", "answered_at")  # fmt: skip


def _named(*names: str) -> Callable[[Any], _Record]:
    return lambda row: {name: getattr(row, name) for name in names}


def _upload(row: Replay) -> _Record:
    there = row.file_deleted_at is None
    return {
        "replay": row.pk, "name": row.original_name, "sha256": row.sha256, "bytes": row.size_bytes,
        "uploaded_at": row.uploaded_at, "status": row.status, "reject_code": row.reject_code, "level": row.level,
        "time_ms": row.statistic("time_ms"), "bv": row.statistic("bv"), "result": row.result, "identifier": row.identifier,
        "played_at": row.stated_at, "ranked": row.ranked, "judgement": row.judgement,
        "judgement_reason": row.judgement_reason, "page": f"{settings.SITE_URL}{replay_address(row.pk)}",
        "file": f"{settings.SITE_URL}{address_of('api-replay-file', row.pk)}" if there else None,
    }  # fmt: skip


def _report(row: Report) -> _Record:
    return {
        "kind": row.thing.kind, "number": row.thing.number, "reason": row.rule, "text": row.text, "made_at": row.made_at,
        "closed_at": row.closed_at,
    }  # fmt: skip


def _comment(row: Comment) -> _Record:
    return {
        "replay": row.replay_id, "text": row.text, "created_at": row.created_at, "hidden_at": row.hidden_at,
        "hidden_reason": row.hidden_reason, "page": f"{settings.SITE_URL}{replay_address(row.replay_id)}",
    }  # fmt: skip


def _like(row: Like) -> _Record:
    return {
        "replay": row.replay_id,
        "created_at": row.created_at,
        "page": f"{settings.SITE_URL}{replay_address(row.replay_id)}",
    }
