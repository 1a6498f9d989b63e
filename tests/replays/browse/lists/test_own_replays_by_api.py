"""PATCH and DELETE of a replay: what its uploader and the owner of the name inside may do, and nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from players.leaderboards.board import Board
from players.leaderboards.boards import board_key
from players.leaderboards.ranks import page_at
from players.models import PersonalBest, Player, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import DeletedGame, Replay
from replays.trust.judging.services import replay_judge
from tests.factories import rank_replays, stored_replay
from tests.replays.conftest import Ingest, ingest, store  # noqa: F401 - fixtures
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db


def address(replay: Replay) -> str:
    return f"/api/v1/replays/{replay.pk}/"


def patch(client: Client, replay: Replay, **changes: Any) -> Any:
    return client.patch(address(replay), changes, content_type="application/json")


def with_token(user: User, *scopes: Scope) -> Client:
    _token, key = token_create(user, "script", scopes)
    return Client(headers={"authorization": f"Bearer {key}"})


# --- delete -----------------------------------------------------------------------------------------------------------


def test_the_uploader_deletes_a_replay_with_its_file_and_place(
    ingest: Ingest, store: Path, owner: User, owner_client: Client  # noqa: F811
) -> None:  # fmt: skip
    replay = ingest(game_file(1), uploader=owner)
    assert PersonalBest.objects.filter(replay=replay).exists()
    assert [path for path in store.rglob("*") if path.is_file()]
    response = owner_client.delete(address(replay))
    assert (response.status_code, response.content) == (204, b"")
    assert not Replay.objects.filter(pk=replay.pk).exists()
    assert not PersonalBest.objects.filter(replay=replay.pk).exists()
    assert owner_client.get(address(replay)).status_code == 410
    assert owner_client.delete(address(replay)).status_code == 410


def test_strangers_delete_nothing(owner: User, other_client: Client, client: Client) -> None:
    """Neither a stranger, nor a guest, nor the player of the game who did not upload it."""
    player = Player.objects.get(user=owner)
    replay = stored_replay(player, uploader=User.objects.create_user("uploader"))
    for visitor, code in ((client, 401), (other_client, 403), (with_token(owner, Scope.DELETE), 403)):
        response = visitor.delete(address(replay))
        assert response.status_code == code, response.content
    assert response.json()["code"] == "not_yours"
    hidden = stored_replay(None, uploader=owner, status=Replay.Status.QUEUED)
    assert other_client.delete(address(hidden)).status_code == 404
    assert Replay.objects.count() == 2


@pytest.mark.parametrize("scopes", [(Scope.READ,), (Scope.UPLOAD,), (Scope.READ, Scope.UPLOAD)])
def test_a_token_needs_the_scope(scopes: tuple[Scope, ...], owner: User) -> None:
    replay = stored_replay(None, uploader=owner)
    response = with_token(owner, *scopes).delete(address(replay))
    assert (response.status_code, response.json()["code"]) == (403, "scope_missing")
    assert Replay.objects.filter(pk=replay.pk).exists()
    assert with_token(owner, Scope.DELETE).delete(address(replay)).status_code == 204


def test_a_session_needs_the_form_token(owner: User) -> None:
    """Another site cannot delete or change a replay with the cookie of its visitor."""
    replay, client = stored_replay(None, uploader=owner), Client(enforce_csrf_checks=True)
    client.force_login(owner)
    for response in (client.delete(address(replay)), patch(client, replay, keep_file=True)):
        assert (response.status_code, response.json()["code"]) == (403, "csrf_failed")
    assert Replay.objects.filter(pk=replay.pk).exists()


def test_what_staff_refused_stays(owner: User, owner_client: Client, staff: User) -> None:
    """Deleted and uploaded again it would rank again."""
    replay = stored_replay(Player.objects.get(user=owner), uploader=owner)
    replay_judge(replay, "frozen", "Looked at.", staff)
    response = owner_client.delete(address(replay))
    assert (response.status_code, response.json()["code"]) == (403, "not_yours")
    client = Client()
    client.force_login(staff)
    assert with_token(staff, Scope.DELETE).delete(address(replay)).status_code == 403  # not for moderating
    assert client.delete(address(replay)).status_code == 204
    assert DeletedGame.objects.get().user == owner  # who is told


def test_the_next_best_takes_the_place(owner: User, owner_client: Client) -> None:
    player = Player.objects.get(user=owner)
    games = [stored_replay(player, time_ms=seconds * 1_000, uploader=owner) for seconds in (50, 60)]
    rank_replays(games)
    assert owner_client.delete(f"{address(games[0])}?x=1").status_code == 400
    assert owner_client.delete(address(games[0])).status_code == 204
    assert [row.replay_id for row in page_at(Board(*board_key("expert", "time"))).rows] == [games[1].pk]


# --- changes ----------------------------------------------------------------------------------------------------------


def test_the_file_of_a_rejected_replay_is_kept(ingest: Ingest, owner: User, owner_client: Client) -> None:  # noqa: F811
    replay = ingest(b"no replay", uploader=owner)
    for client, keep in ((owner_client, True), (with_token(owner, Scope.UPLOAD), False)):
        response = patch(client, replay, keep_file=keep)
        assert response.status_code == 200, response.content
        assert response.json()["keep_file"] is keep
        assert response.json()["status"] == "rejected"
        replay.refresh_from_db()
        assert replay.keep_file is keep
    assert patch(owner_client, replay).status_code == 200  # nothing changes
    assert with_token(owner, Scope.READ, Scope.DELETE).patch(address(replay)).json()["code"] == "scope_missing"


def test_the_owner_of_the_name_says_whose_game_it_is(owner: User, owner_client: Client) -> None:
    replay = stored_replay(Player.objects.get(user=owner), uploader=User.objects.create_user("uploader"))
    rank_replays([replay])
    for answer, ranked in (("disowned", False), ("confirmed", True)):
        response = patch(owner_client, replay, ownership=answer)
        assert response.status_code == 200, response.content
        assert (response.json()["ownership"], response.json()["ranked"]) == (answer, ranked)


def test_an_unknown_field_is_named_and_nothing_changes(ingest: Ingest, owner: User, owner_client: Client) -> None:  # noqa: F811
    replay = ingest(b"no replay", uploader=owner)
    response = patch(owner_client, replay, keep_file=True, visibility="private")
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
    assert set(response.json()["errors"]) == {"visibility"}
    replay.refresh_from_db()
    assert not replay.keep_file


def test_strangers_change_nothing(
    ingest: Ingest, owner: User, other_client: Client, owner_client: Client, client: Client  # noqa: F811
) -> None:  # fmt: skip
    """The uploader does not own the game, nor its owner the file; and both changes are made or none."""
    uploader = User.objects.create_user("uploader")
    replay = stored_replay(Player.objects.get(user=owner), uploader=uploader)
    uploads = with_token(uploader, Scope.UPLOAD)
    for visitor, changes, code in (
        (client, {"ownership": "confirmed"}, 401), (other_client, {"ownership": "disowned"}, 403),
        (uploads, {"ownership": "confirmed"}, 403), (uploads, {"keep_file": True}, 403),
        (owner_client, {"keep_file": True}, 403), (owner_client, {"keep_file": True, "ownership": "disowned"}, 403),
    ):  # fmt: skip
        assert patch(visitor, replay, **changes).status_code == code, changes
    rejected = ingest(b"no replay", uploader=owner)
    assert patch(other_client, rejected, keep_file=True).status_code == 404
    assert patch(owner_client, rejected, keep_file=True, ownership="confirmed").status_code == 403
    for row in (replay, rejected):
        row.refresh_from_db()
        assert (row.keep_file, row.ownership) == (False, "")


@pytest.mark.parametrize(
    "changes",
    [{"keep_file": "perhaps"}, {"keep_file": None}, {"ownership": "vouched"}, {"ownership": ""}, {"ownership": "waiting"}],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_is_refused(owner: User, owner_client: Client, changes: dict[str, Any]) -> None:
    replay = stored_replay(Player.objects.get(user=owner), uploader=owner)
    response = patch(owner_client, replay, **changes)
    assert (response.status_code, response.json()["code"]) == (400, "bad_request")
    assert set(response.json()["errors"]) == set(changes)


def test_no_other_column_is_changed(owner: User, owner_client: Client) -> None:
    replay = stored_replay(Player.objects.get(user=owner), uploader=owner)
    before = Replay.objects.values().get(pk=replay.pk)
    assert (
        patch(owner_client, replay, time=1, ranked=True, judgement="accepted", player=1, uploader=2).status_code == 400
    )
    assert Replay.objects.values().get(pk=replay.pk) == before
