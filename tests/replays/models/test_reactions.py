"""Likes and comments in lists: the right numbers on pages and in the API, in no further statement."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import User
from replays.models import Comment, Like, Replay
from replays.watch.comments.services import comment_create, comment_delete, comment_moderate, like_set
from tests.caches import clear_caches
from tests.factories import rank_replays, stored_replay
from tests.pages.html import Document

pytestmark = pytest.mark.django_db


def counts(client: Client, replay: Replay) -> set[tuple[int, int]]:
    """Return the likes and comments that list and detail of the API give for one replay."""
    rows = client.get("/api/v1/replays/", {"level": "expert", "sort": "time"}).json()["rows"]
    newest = client.get("/api/v1/replays/").json()["rows"]
    detail = client.get(f"/api/v1/replays/{replay.pk}/").json()
    found = [next(row for row in listed if row["id"] == replay.pk) for listed in (rows, newest)]
    return {(row["likes"], row["comments"]) for row in (*found, detail)}


def texts(client: Client, address: str) -> str:
    clear_caches()
    return Document(client.get(address).content.decode()).text


def test_every_list_says_the_same(
    owner: User, other_player: User, staff: User, client: Client, owner_client: Client
) -> None:
    replay, plain = (stored_replay(owner.player, uploader=owner) for _ in range(2))
    rank_replays([replay, plain])
    for user in (owner, other_player):
        like_set(replay, user, liked=True)
    comments = [comment_create(replay, other_player, text) for text in ("One.", "Two.", "Three.")]
    assert counts(client, replay) == {(2, 3)}
    assert counts(client, plain) == {(0, 0)}
    (game,) = [row for row in owner_client.get("/api/v1/me/").json()["games"] if row["id"] == replay.pk]
    assert (game["likes"], game["comments"]) == (2, 3)
    for page, visitor in (("/replays/", client), (f"/players/{replay.player_id}/games/", client), ("/", owner_client), ("/news/", client)):  # fmt: skip
        shown = texts(visitor, page)
        assert "2 likes" in shown, page
        assert "3 comments" in shown, page
        assert "0 likes" not in shown
    comment_moderate(comments[0], staff, hidden=True, reason="Rude.")
    comment_delete(comments[1])
    like_set(replay, owner, liked=False)
    assert counts(client, replay) == {(1, 1)}
    comment_moderate(comments[0], staff, hidden=False, reason="")
    assert counts(client, replay) == {(1, 2)}
    other_player.delete()
    assert counts(client, replay) == {(0, 0)}


@pytest.mark.parametrize("address", ["/replays/", "/api/v1/replays/", "/players/{player}/games/", "/news/"])
def test_statements_do_not_grow(owner: User, other_player: User, client: Client, address: str) -> None:
    replays = [stored_replay(owner.player) for _ in range(20)]
    rank_replays(replays)

    def statements() -> int:
        clear_caches()
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address.format(player=owner.player.pk)).status_code == 200
        return len(queries)

    none = statements()
    now = timezone.now()
    for user in (owner, other_player):
        Like.objects.bulk_create(Like(replay=replay, user=user, created_at=now) for replay in replays)
    Comment.objects.bulk_create(Comment(replay=replay, user=owner, text="Seen.", created_at=now) for replay in replays)
    assert statements() == none


@pytest.mark.django_db(transaction=True)
def test_many_like_it_at_the_same_time(client: Client, owner: User) -> None:
    replay = stored_replay(owner.player)
    users = User.objects.bulk_create(User(username=f"fan {number}") for number in range(12))

    def like(user: User) -> None:
        try:
            for liked in (True, False, True):
                like_set(replay, user, liked=liked)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(like, users))
    assert counts(client, replay) == {(12, 0)}
