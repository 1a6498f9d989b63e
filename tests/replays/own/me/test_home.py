"""The start page of an account, and its API."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from analysis.recording import Level
from players.accounts.claims.services import claim_make
from players.models import Identity, Player, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.models import DeletedGame, HomeVisit, Replay
from replays.own.me.services import SAME_VISIT, visit_home
from replays.trust.judging.services import replay_judge
from replays.upload.processing.deletion import replay_delete
from tests.caches import clear_caches
from tests.factories import rank_replays, replay_ref, stored_replay
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db


def page(client: Client) -> Document:
    response = client.get("/")
    assert response.status_code == 200
    return Document(response.content.decode())


def me(client: Client) -> dict[str, Any]:
    response = client.get("/api/v1/me/")
    assert response.status_code == 200
    found: dict[str, Any] = response.json()
    return found


def leave(user: User) -> None:
    """The visit of ``user`` ended long ago."""
    HomeVisit.objects.filter(user=user).update(seen_at=timezone.now() - 2 * SAME_VISIT)


def won(player: Player, seconds: float, level: Level = Level.EXPERT, **columns: Any) -> Replay:
    replay = stored_replay(player, level, time_ms=round(seconds * 1000), **columns)
    rank_replays([replay])
    return replay


def test_guests_and_accounts_without_a_player_see_the_page_of_the_site(client: Client, owner: User) -> None:
    Player.objects.filter(user=owner).update(user=None)
    client.force_login(owner)
    assert owner.username in page(client).text
    assert me(client)["player"] is None
    assert client.get("/").headers["Cache-Control"] == "private"


def test_the_page_of_guests_asks_for_no_account(client: Client) -> None:
    response = client.get("/")
    assert "Cache-Control" not in response.headers
    assert not HomeVisit.objects.exists()


def test_what_moved_since_the_last_visit(owner: User, owner_client: Client) -> None:
    own, rival, victim = owner.player, Player.objects.create(name="Rival"), Player.objects.create(name="Victim")
    for player, seconds in ((own, 50), (rival, 60), (victim, 48)):
        won(player, seconds)
    first = page(owner_client)
    assert "Next time you visit" in first.text
    assert me(owner_client)["since"] is None
    leave(owner)
    won(own, 45)
    won(rival, 40)
    found = page(owner_client)
    assert "You passed Victim" in found.text
    assert "Rival passed you" in found.text
    (place,) = [one for one in me(owner_client)["places"] if (one["level"], one["statistic"]) == ("expert", "time")]
    assert (place["rank"], place["text"]) == (2, "45.00")
    assert [one["name"] for one in place["moved"]["passed"]] == ["Victim"]
    assert [one["name"] for one in place["moved"]["passed_by"]] == ["Rival"]
    assert "You passed Victim" in page(owner_client).text  # still the same visit
    leave(owner)
    for gone in ("You passed", "passed you:"):
        assert gone not in page(owner_client).text


def test_reading_the_api_is_no_visit(owner: User, owner_client: Client) -> None:
    me(owner_client)
    assert not HomeVisit.objects.exists()


def test_a_reload_writes_nothing(owner: User, owner_client: Client) -> None:
    page(owner_client)
    (before,) = HomeVisit.objects.values()
    page(owner_client)
    assert list(HomeVisit.objects.values()) == [before]
    seen_at = timezone.now() - timedelta(minutes=30)
    HomeVisit.objects.update(seen_at=seen_at)
    visit = visit_home(owner)
    assert visit.seen_at > seen_at
    assert visit.since_at is None


def test_last_games_differences_and_the_next_rung(owner: User, owner_client: Client) -> None:
    best, slower = won(owner.player, 39.25), won(owner.player, 41.5)
    lost = stored_replay(owner.player, ranked=False, win=False, result=Replay.Result.LOST, time_ms=5_000)
    found = me(owner_client)
    assert [(one["id"], one["is_best"], one["difference"]) for one in found["games"]] == [
        (lost.pk, False, None), (slower.pk, False, 2.25), (best.pk, True, None),
    ]  # fmt: skip
    assert found["rungs"] == [
        {"level": "expert", "n": 40, "best": 39.25, "missing": 0.26, "replay": replay_ref(best.pk)}
    ]
    text = page(owner_client).text
    assert "+2.25 s" in text
    for shown in ("sub-40", "0.26 s"):
        assert shown in text


def test_the_next_player_on_each_level(owner: User, owner_client: Client) -> None:
    fast, slow = Player.objects.create(name="Fast"), Player.objects.create(name="Slow")
    for player, seconds in ((fast, 40.0), (owner.player, 43.5), (slow, 60)):
        won(player, seconds)
    for player, seconds in ((owner.player, 3.0), (slow, 4.25)):
        won(player, seconds, Level.BEGINNER)
    rivals = {one["level"]: one for one in me(owner_client)["rivals"]}
    expert, beginner = rivals["expert"], rivals["beginner"]
    assert (expert["player"]["name"], expert["rank"], expert["gap"], expert["is_ahead"]) == ("Fast", 1, 3.5, True)
    assert (beginner["player"]["name"], beginner["rank"], beginner["gap"], beginner["is_ahead"]) == (
        "Slow",
        2,
        1.25,
        False,
    )
    assert "intermediate" not in rivals
    text = page(owner_client).text
    assert "3.50 s ahead" in text
    assert "1.25 s behind" in text
    assert "No ranked wins yet." in text


def test_questions(owner: User, owner_client: Client, ingest: Ingest, other_player: User) -> None:
    ingest(game_file(player="Ada"), uploader=owner)
    assert me(owner_client)["questions"] == {"games_waiting": 0, "names": ["Ada"], "claims": []}
    claim = claim_make(owner, "Ada")
    assert me(owner_client)["questions"]["names"] == []  # it is asked already
    assert me(owner_client)["questions"]["claims"] == [{"id": claim.pk, "name": "Ada", "state": "open"}]
    assert claim.code not in owner_client.get("/api/v1/me/").content.decode()
    Identity.objects.create(
        name="owner", player=owner.player, first_player=owner.player, state="claimed", claimant=owner
    )
    ingest(game_file(2, player="owner"), uploader=other_player)
    clear_caches()  # the count is kept for some minutes
    assert me(owner_client)["questions"]["games_waiting"] == 1
    assert re.search(r'<a href="/account/games/">[^<]*\b1 game', owner_client.get("/").content.decode())


def test_notes(owner: User, owner_client: Client, staff: User, ingest: Ingest) -> None:
    deleted, frozen, rejected, own = (
        ingest(data, uploader=owner, name=name)
        for data, name in (
            (game_file(1), "one.rawvf"), (game_file(2), "two.rawvf"), (b"nothing", "three.avf"), (game_file(3), "four.rawvf"),
        )
    )  # fmt: skip
    page(owner_client)
    leave(owner)
    replay_delete(deleted, staff)
    replay_judge(frozen, "frozen", "Copied from elsewhere.", staff)
    replay_delete(own, owner)
    text = page(owner_client).text
    notes = me(owner_client)["notes"]
    assert [(note["kind"], note["replay"], note["name"]) for note in notes] == [
        ("decided", frozen.pk, "two.rawvf"), ("deleted", deleted.pk, "one.rawvf"), ("rejected", rejected.pk, "three.avf"),
    ]  # fmt: skip
    assert [note["is_new"] for note in notes] == [True, True, True]
    for words in ("Copied from elsewhere.", "A moderator deleted this replay.", "isn't a replay in any format"):
        assert words in text
    assert DeletedGame.objects.count() == 1  # what one deletes oneself is no news


def test_notes_are_of_the_account_alone(owner: User, other_client: Client, staff: User, ingest: Ingest) -> None:
    replay_judge(ingest(game_file(), uploader=owner), "suspicious", "Secret words.", staff)
    ingest(b"nothing", uploader=owner)
    replay_delete(ingest(game_file(2), uploader=owner), staff)
    assert me(other_client)["notes"] == []


@pytest.mark.long(beside="tests/replays/own/me/test_home.py::test_notes")
def test_statements_do_not_grow(owner: User, owner_client: Client, staff: User, ingest: Ingest) -> None:
    def statements() -> int:
        leave(owner)
        with CaptureQueriesContext(connection) as queries:
            page(owner_client)
        return len(queries)

    for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT):
        won(owner.player, 50, level, uploader=owner)
    page(owner_client)
    few = statements()
    for number in range(8):
        rival = Player.objects.create(name=f"Rival {number}")
        for level in (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT):
            won(rival, 30 + number, level)
        replay = stored_replay(None, uploader=owner, identifier=f"name {number}")
        replay_judge(replay, "suspicious", "Looked at.", staff)
    assert statements() <= few + 1  # the names of those who passed


def test_a_token_may_read_it_and_nobody_else(owner: User, client: Client) -> None:
    assert client.get("/api/v1/me/").status_code == 401
    _token, key = token_create(owner, "script", [Scope.READ])
    answer = client.get("/api/v1/me/", headers={"Authorization": f"Bearer {key}"})
    assert answer.json()["player"]["name"] == "owner"


def test_many_games_with_one_reason_are_one_note(
    owner: User, owner_client: Client, staff: User, ingest: Ingest
) -> None:
    decided = ingest(game_file(), uploader=owner)
    replay_judge(decided, "frozen", "Copied.", staff)
    for number in range(15):
        ingest(f"nothing {number}".encode(), uploader=owner, name=f"{number}.avf")
        stored_replay(None, uploader=owner, judgement="unverified", judgement_code="open", ranked=False)
    notes = {note["kind"]: note for note in me(owner_client)["notes"]}
    assert len(me(owner_client)["notes"]) == 3
    assert {kind: note["games"] for kind, note in notes.items()} == {"decided": 1, "judged": 15, "rejected": 15}
    assert notes["rejected"]["name"] == "14.avf"  # the newest
    assert "15 games" in page(owner_client).text
