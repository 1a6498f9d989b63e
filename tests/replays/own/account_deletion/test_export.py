"""The data of an account as a file: everything of it, nothing of others, in pieces."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import User
from replays.models import Replay
from replays.own.account_deletion import export
from replays.own.account_deletion.serializers import ExportSerializer
from replays.watch.comments.services import comment_create, comment_moderate, like_set
from tests.factories import replay_of, stored_replay
from tests.replays.conftest import Ingest
from tests.replays.own.account_deletion.test_deletion import everything_of

pytestmark = pytest.mark.django_db
API = "/api/v1/account/export/"


def exported(client: Client) -> dict[str, Any]:
    answer = client.get(API)
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="sweepbook-')
    found: dict[str, Any] = json.loads(answer.getvalue())
    return found


def test_everything_is_in_it(
    owner: User, other_player: User, staff: User, owner_client: Client, other_client: Client, ingest: Ingest
) -> None:
    everything_of(owner, other_player, staff, ingest)
    data = exported(owner_client)
    assert set(data) == set(ExportSerializer().fields)
    assert [name for name, rows in data.items() if not rows] == []
    assert data["account"]["username"] == "owner"
    assert data["uploads"][0]["file"].endswith("/file")
    assert owner_client.get(data["uploads"][0]["file"]).status_code == 200
    others = exported(other_client)
    assert [row["text"] for row in others["comments"]] == ["Theirs."]
    assert len(others["uploads"]) == 1
    assert others["likes"] == others["tokens"] == others["live_games"] == []
    assert Client().get(API).status_code == 401


def test_comments_and_likes(owner: User, other_player: User, staff: User, owner_client: Client) -> None:
    replay = stored_replay(other_player.player)
    comment = comment_create(replay, owner, "“Well” played\n<b>")
    like_set(replay, owner, liked=True)
    comment_moderate(comment, staff, hidden=True, reason="Rude.")
    data = exported(owner_client)
    (row,), (like,) = data["comments"], data["likes"]
    assert (row["text"], row["hidden_reason"]) == ("“Well” played\n<b>", "Rude.")
    assert row["page"] == like["page"]
    assert row["replay"] == like["replay"] == replay.pk


@pytest.mark.parametrize("size", [1, 2, 5, 500])
def test_pages_of_any_size(owner: User, owner_client: Client, monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    monkeypatch.setattr(export, "_ROWS", size)
    rows = [stored_replay(None, uploader=owner) for _ in range(5)]
    assert [row["replay"] for row in exported(owner_client)["uploads"]] == [row.pk for row in rows]


def test_statements_do_not_grow(owner: User, owner_client: Client) -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            exported(owner_client)
        return len(queries)

    few = statements()
    Replay.objects.bulk_create([replay_of(None, uploader=owner) for _ in range(60)])
    assert statements() == few


def test_it_is_limited(owner_client: Client) -> None:
    assert [owner_client.get(API).status_code for _ in range(11)] == [200] * 10 + [429]
