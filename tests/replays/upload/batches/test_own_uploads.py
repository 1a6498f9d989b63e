"""The list of one's uploads, and deleting from it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import PersonalBest, Player, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import Replay
from replays.trust.judging.services import replay_judge
from replays.upload.batches.services import MOST_DELETED
from replays.upload.processing.deletion import replay_delete
from tests.caches import clear_caches
from tests.factories import rank_replays, stored_replay
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db
PAGE = "/account/uploads/"
API = "/api/v1/me/uploads/"


def listed(client: Client, state: str = "") -> list[int]:
    """The numbers of the list, which page and API agree about."""
    query = {"state": state} if state else {}
    found = [row["id"] for row in client.get(API, query).json()["rows"]]
    page = Document(client.get(PAGE, query).content.decode())
    assert [int(box["value"]) for box in page.all("input") if box.get("name") == "replay"] == found
    return found


def delete(client: Client, *ids: int, confirmed: bool = True, **more: str) -> Any:
    return client.post(f"{PAGE}delete/", {"replay": ids, **({"confirmed": "yes"} if confirmed else {}), **more})


def test_states(owner: User, owner_client: Client, other_client: Client, staff: User, ingest: Ingest) -> None:
    done, judged = (ingest(game_file(seed), uploader=owner) for seed in (1, 2))
    replay_judge(judged, "suspicious", "Looked at.", staff)
    rejected = ingest(b"nothing", uploader=owner)
    linked = ingest(game_file(1) + b"\n", uploader=owner)
    waiting = stored_replay(None, uploader=owner, status=Replay.Status.QUEUED)
    everything = [waiting.pk, linked.pk, rejected.pk, judged.pk, done.pk]
    assert listed(owner_client) == everything
    found = {state: listed(owner_client, state) for state in ("waiting", "done", "judged", "rejected")}
    assert found == {
        "waiting": [waiting.pk],
        "done": [linked.pk, judged.pk, done.pk],
        "judged": [linked.pk, judged.pk],
        "rejected": [rejected.pk],
    }
    rows = {row["id"]: row for row in owner_client.get(API).json()["rows"]}
    assert [rows[pk]["state"] for pk in everything] == ["waiting", "judged", "rejected", "judged", "done"]
    assert rows[rejected.pk]["message"]
    assert listed(other_client) == []


def test_paging_and_statements(owner: User, owner_client: Client) -> None:
    def statements() -> int:
        clear_caches()
        with CaptureQueriesContext(connection) as queries:
            assert owner_client.get(PAGE).status_code == 200
        return len(queries)

    stored_replay(owner.player, uploader=owner)
    few = statements()
    rows = [stored_replay(owner.player, uploader=owner) for _ in range(60)]
    assert statements() == few
    first = owner_client.get(API).json()
    second = owner_client.get(API, {"cursor": first["next_cursor"]}).json()
    assert len(first["rows"]) == 50
    assert first["rows"][0]["id"] == rows[-1].pk
    assert len(second["rows"]) == 11
    assert second["next_cursor"] is None


def test_deleting_asks_first(owner: User, owner_client: Client) -> None:
    first, second = (stored_replay(owner.player, uploader=owner) for _ in range(2))
    asked = Document(delete(owner_client, first.pk, second.pk, confirmed=False).content.decode())
    assert "2 replays?" in asked.text
    assert Replay.objects.count() == 2
    assert delete(owner_client, first.pk).status_code == 302
    assert list(Replay.objects.values_list("pk", flat=True)) == [second.pk]


def test_only_ones_own_and_what_may_be_deleted(
    owner: User, owner_client: Client, other_player: User, staff: User, ingest: Ingest
) -> None:
    own, frozen = (ingest(game_file(seed), uploader=owner) for seed in (1, 2))
    replay_judge(frozen, "frozen", "Edited.", staff)
    foreign = ingest(game_file(3), uploader=other_player)
    nobodys = ingest(game_file(4))
    ids = [own.pk, frozen.pk, foreign.pk, nobodys.pk, 10**9]
    asked = Document(delete(owner_client, *ids, confirmed=False).content.decode())
    assert "Delete 1 replay?" in asked.text
    assert "1 replay will be kept" in asked.text
    assert f"#{foreign.pk}" not in asked.text  # not even that it exists
    answer = owner_client.post(f"{API}delete/", {"replays": ids}, content_type="application/json")
    assert answer.json() == {"deleted": 1}
    assert set(Replay.objects.values_list("pk", flat=True)) == {frozen.pk, foreign.pk, nobodys.pk}


def test_games_leave_the_boards(owner: User, owner_client: Client) -> None:
    rows = [stored_replay(owner.player, uploader=owner, time_ms=50_000 + number) for number in range(3)]
    rank_replays(rows)
    assert PersonalBest.objects.get(statistic="time", style="all").replay == rows[0]
    delete(owner_client, rows[0].pk, rows[1].pk)
    assert PersonalBest.objects.get(statistic="time", style="all").replay == rows[2]


def test_all_of_a_list(owner: User, owner_client: Client, other_player: User, ingest: Ingest) -> None:
    done = ingest(game_file(), uploader=owner)
    rejected = [ingest(f"nothing {number}".encode(), uploader=owner) for number in range(3)]
    foreign = ingest(b"nothing of theirs", uploader=other_player)
    asked = Document(delete(owner_client, confirmed=False, choice="state", state="rejected").content.decode())
    ids = [int(box["value"]) for box in asked.all("input") if box.get("name") == "replay"]
    assert sorted(ids) == [row.pk for row in rejected]
    answer = delete(owner_client, *ids, state="rejected")
    assert answer.headers["Location"] == f"{PAGE}?state=rejected"
    assert set(Replay.objects.values_list("pk", flat=True)) == {done.pk, foreign.pk}
    assert delete(owner_client, confirmed=False, choice="state", state="nothing").status_code == 404


@pytest.mark.parametrize("text", ["x", "-1", "1.5", "9" * 30])
def test_numbers_that_are_none(owner_client: Client, text: str) -> None:
    assert owner_client.post(f"{PAGE}delete/", {"replay": [text], "confirmed": "yes"}).status_code == 404
    answer = owner_client.post(f"{API}delete/", {"replays": [text]}, content_type="application/json")
    assert answer.status_code == 400


def test_limits_of_a_request(owner: User, owner_client: Client) -> None:
    many = list(range(1, MOST_DELETED + 2))
    assert delete(owner_client, *many).status_code == 400
    assert delete(owner_client, *many, confirmed=False).status_code == 400
    answer = owner_client.post(f"{API}delete/", {"replays": many}, content_type="application/json")
    assert answer.status_code == 400
    assert delete(owner_client).status_code == 302  # nothing was chosen


def test_a_token_that_may_upload_may_not_delete(owner: User, client: Client) -> None:
    replay = stored_replay(owner.player, uploader=owner)
    _token, key = token_create(owner, "script", [Scope.READ, Scope.UPLOAD])
    headers = {"Authorization": f"Bearer {key}"}
    body = {"replays": [replay.pk]}
    answer = client.post(f"{API}delete/", body, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "scope_missing")
    assert client.get(API, headers=headers).json()["rows"][0]["id"] == replay.pk
    _token, key = token_create(owner, "script", [Scope.DELETE])
    headers = {"Authorization": f"Bearer {key}"}
    answer = client.post(f"{API}delete/", body, content_type="application/json", headers=headers)
    assert answer.json() == {"deleted": 1}
    assert not Replay.objects.exists()


def test_an_account_is_needed(client: Client, owner: User) -> None:
    replay = stored_replay(Player.objects.get(user=owner), uploader=owner)
    assert client.get(PAGE).status_code == 302
    assert delete(client, replay.pk).status_code == 302
    assert client.get(API).status_code == 401
    assert Replay.objects.exists()


def test_what_staff_decide_meanwhile_stays(
    owner: User, owner_client: Client, staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two hundred deletions take seconds; a member of staff freezes the last one while the first is deleted."""
    first, last = (stored_replay(None, uploader=owner) for _ in range(2))

    def delete(replay: Replay, by: User) -> bool:
        replay_judge(last, "frozen", "This is not your game.", staff)
        return replay_delete(replay, by)

    monkeypatch.setattr("replays.upload.batches.services.replay_delete", delete)
    response = owner_client.post(
        "/api/v1/me/uploads/delete/", {"replays": [first.pk, last.pk]}, content_type="application/json"
    )
    assert response.json() == {"deleted": 1}
    assert list(Replay.objects.all()) == [last]
