"""The judgement queue of staff, the judgement on the page of a replay, and permissions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from players.models import PersonalBest, Player, User
from replays.models import Appeal, Replay
from replays.trust.judging.appeals import appeal_create
from replays.trust.judging.selectors import judgement_page
from replays.trust.judging.services import replay_judge
from tests.conftest import PASSWORD, with_second_factor
from tests.factories import stored_replay
from tests.pages.conftest import board_of
from tests.pages.html import Document
from tests.pages.test_every_page import assert_is_a_page_of_the_site
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("tables_swept")

Ingest = Callable[..., Replay]
QUEUE = "/staff/judgements/"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)>{{ 7|add:7 }}"


def document(client: Client, address: str) -> Document:
    response = client.get(address)
    assert response.status_code == 200, response.status_code
    return Document(response.content.decode())


@pytest.fixture
def mine(game: Replay, owner: User) -> Replay:
    """A game that the owner uploaded."""
    game.uploader = owner
    game.save(update_fields=["uploader"])
    return game


@pytest.fixture
def frozen(mine: Replay, staff: User) -> Replay:
    return replay_judge(mine, "frozen", "Looks edited.", staff)


def doubtful(count: int, **columns: Any) -> list[Replay]:
    player = Player.objects.create(name="Eve")
    state = {"judgement": "suspicious", "judgement_code": "time_differs", "ranked": False,
             "judgement_params": {"claimed_ms": 59_000, "actual_ms": 60_000}}  # fmt: skip
    return [stored_replay(player, board=board_of("expert"), **(state | columns)) for _ in range(count)]  # type: ignore[arg-type]


# --- the queue ---


def test_the_queue_is_for_staff_alone(anonymous: Client, other_client: Client, staff_client: Client) -> None:
    assert anonymous.get(QUEUE).headers["Location"].startswith("/sign-in/")
    assert other_client.get(QUEUE).status_code == 403
    assert_is_a_page_of_the_site(document(staff_client, QUEUE))
    assert staff_client.post(QUEUE).status_code == 405


def test_staff_without_the_permission_judge_nothing(frozen: Replay) -> None:
    helper = with_second_factor(User.objects.create_user("helper", "h@example.org", PASSWORD, is_staff=True))
    client = Client()
    client.force_login(helper)
    judge = f"/replays/{frozen.pk}/judge/"
    assert client.get(QUEUE).status_code == 403
    assert client.post(judge, {"judgement": "accepted"}).status_code == 403
    assert 'name="judgement"' not in client.get(frozen.get_absolute_url()).content.decode()
    helper.user_permissions.add(Permission.objects.get(codename="change_replay"))
    assert client.get(QUEUE).status_code == 200
    assert client.post(judge, {"judgement": "accepted"}).status_code == 302
    frozen.refresh_from_db()
    assert (frozen.judgement, frozen.judged_by) == ("accepted", helper)


def test_the_queue_shows_replay_player_reason_and_appeal(frozen: Replay, owner: User, staff_client: Client) -> None:
    appeal_create(frozen, owner, "It was me.")
    page = document(staff_client, QUEUE)
    for words in (f"#{frozen.pk}", "Ada Bot", "Looks edited.", "It was me.", "owner", "frozen"):
        assert words in page.text
    assert frozen.get_absolute_url() in page.links()


def test_filters(frozen: Replay, owner: User, staff_client: Client) -> None:
    appeal_create(frozen, owner, "It was me.")
    odd = doubtful(1)[0]
    shown = {
        "": {frozen.pk, odd.pk}, "?state=frozen": {frozen.pk}, "?state=suspicious": {odd.pk}, "?code=staff": {frozen.pk},
        "?code=time_differs": {odd.pk}, "?code=limit": set(), "?appeal=open": {frozen.pk},
        "?state=suspicious&appeal=open": set(),
    }  # fmt: skip
    for query, expected in shown.items():
        links = document(staff_client, QUEUE + query).links()
        assert {row.pk for row in (frozen, odd) if row.get_absolute_url() in links} == expected, query
    for bad in ("?state=accepted", "?code=nonsense", "?appeal=1", "?cursor=x"):
        assert staff_client.get(QUEUE + bad).status_code == 400


def test_the_queue_pages_by_keyset_newest_first(staff: User) -> None:
    ids = [row.pk for row in doubtful(65)]
    seen: list[int] = []
    cursor: str | None = None
    while True:
        page = judgement_page(cursor=cursor)
        seen += [row.pk for row in page.rows]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert seen == ids[::-1]


def test_the_queue_takes_as_many_queries_for_one_as_for_many(staff_client: Client) -> None:
    doubtful(1)
    staff_client.get(QUEUE)  # fills the cache of the games that wait for the visitor
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as queries:
            staff_client.get(QUEUE)
        counts.append(len(queries))
        doubtful(20)
    # session, account, their player, its second factor, replays, open appeals, new versions
    assert counts == [7, 7]


@pytest.mark.long(beside="tests/pages/test_judgements.py::test_the_queue_takes_as_many_queries_for_one_as_for_many")
@pytest.mark.parametrize("query", [{}, {"state": "frozen"}, {"code": "limit"}])
def test_the_queue_is_read_from_its_partial_indexes(db: None, query: dict[str, Any]) -> None:
    player = Player.objects.create(name="Eve")
    Replay.objects.bulk_create([_plain(player, number) for number in range(3_000)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE replays_replay")
    with CaptureQueriesContext(connection) as queries:
        judgement_page(**query)
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + queries[0]["sql"])
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "replay_judged" in plan
    assert "Seq Scan on replays_replay" not in plan


def _plain(player: Player, number: int) -> Replay:
    from tests.factories import replay_of

    state = [("accepted", ""), ("suspicious", "limit"), ("frozen", "staff")][0 if number % 30 else number // 30 % 2 + 1]
    return replay_of(player, judgement=state[0], judgement_code=state[1], ranked=state[0] == "accepted")


# --- decisions ---


def test_staff_decide_from_the_queue_and_come_back(frozen: Replay, owner: User, staff_client: Client) -> None:
    appeal = appeal_create(frozen, owner, "It was me.")
    judge, back = f"/replays/{frozen.pk}/judge/", f"{QUEUE}?state=frozen"
    none = staff_client.post(judge, {"judgement": "frozen", "reason": " ", "next": back}, follow=True)
    assert none.redirect_chain == [(back, 302)]
    assert "Give a reason." in none.content.decode()
    appeal.refresh_from_db()
    assert appeal.state == Appeal.State.OPEN
    done = staff_client.post(judge, {"judgement": "accepted", "reason": "Sorry.", "next": back})
    assert done.headers["Location"] == back
    frozen.refresh_from_db()
    appeal.refresh_from_db()
    assert (frozen.judgement, frozen.ranked, appeal.state, appeal.answer) == ("accepted", True, "granted", "Sorry.")
    assert PersonalBest.objects.filter(replay=frozen).exists()
    for evil in ("https://evil.example/", "//evil.example/", "javascript:alert(1)", ""):
        response = staff_client.post(judge, {"judgement": "accepted", "next": evil})
        assert response.headers["Location"] == frozen.get_absolute_url()


def test_only_staff_decide(frozen: Replay, anonymous: Client, owner_client: Client, other_client: Client) -> None:
    judge = f"/replays/{frozen.pk}/judge/"
    assert anonymous.post(judge, {"judgement": "accepted"}).headers["Location"].startswith("/sign-in/")
    for client in (owner_client, other_client):
        assert client.post(judge, {"judgement": "accepted"}).status_code == 403
    frozen.refresh_from_db()
    assert frozen.judgement == "frozen"


def test_a_decision_needs_a_token_of_the_form(frozen: Replay, staff: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(staff)
    assert client.post(f"/replays/{frozen.pk}/judge/", {"judgement": "accepted"}).status_code == 403
    assert client.get(f"/replays/{frozen.pk}/judge/").status_code == 405
    frozen.refresh_from_db()
    assert frozen.judgement == "frozen"


# --- the page of a replay ---


def test_everybody_reads_why(frozen: Replay, client: Client, other_client: Client) -> None:
    for visitor in (client, other_client):
        text = document(visitor, frozen.get_absolute_url()).text
        assert "Looks edited." in text
        assert "accepted -> frozen" not in text, "the log is for staff"


def test_a_rule_says_what_it_found(ingest: Ingest, settings: Any, client: Client) -> None:
    settings.JUDGE_LIMITS = [("beginner", "time", "<", 1000.0)]
    text = document(client, ingest(game_file()).get_absolute_url()).text
    assert "below the 1000 s we consider possible on this level" in text
    assert "This decision was automatic; a moderator can overrule it." in text
    odd = doubtful(1)[0]
    assert "The file says its time is 59000 ms" in document(client, odd.get_absolute_url()).text


def test_staff_read_the_log(frozen: Replay, staff_client: Client) -> None:
    page = document(staff_client, frozen.get_absolute_url())
    assert "accepted → frozen Looks edited." in page.text
    assert QUEUE in page.links()


def test_the_owner_appeals_and_reads_the_answer(
    frozen: Replay, staff: User, owner_client: Client, other_client: Client, client: Client
) -> None:
    address = f"/replays/{frozen.pk}/appeal/"
    assert address in document(owner_client, frozen.get_absolute_url()).links()
    assert address not in document(other_client, frozen.get_absolute_url()).links()
    assert_is_a_page_of_the_site(document(owner_client, address))
    assert owner_client.post(address, {"text": " "}).status_code == 400
    long = owner_client.post(address, {"text": "x" * 1001})
    assert long.status_code == 400
    assert "x" * 1001 in long.content.decode(), "what was written is not lost"
    assert owner_client.post(address, {"text": "It was me."}).headers["Location"] == frozen.get_absolute_url()
    page = document(owner_client, frozen.get_absolute_url())
    assert "It was me." in page.text
    assert address not in page.links(), "one at a time"
    assert owner_client.get(address).status_code == 302
    replay_judge(frozen, "frozen", "No, it was not.", staff)
    assert "No, it was not." in document(owner_client, frozen.get_absolute_url()).text
    for visitor in (client, other_client):
        assert "It was me." not in document(visitor, frozen.get_absolute_url()).text


def test_only_owners_appeal(
    frozen: Replay, anonymous: Client, other_client: Client, staff_client: Client, other_player: User
) -> None:
    address = f"/replays/{frozen.pk}/appeal/"
    assert anonymous.post(address, {"text": "Let me"}).headers["Location"].startswith("/sign-in/")
    for client in (other_client, staff_client):
        assert client.post(address, {"text": "Let me"}).status_code == 403
    assert not Appeal.objects.exists()
    Replay.objects.filter(pk=frozen.pk).update(player=other_player.player)
    assert other_client.post(address, {"text": "It counts for me"}).status_code == 302
    assert Appeal.objects.get().user == other_player


def test_a_frozen_replay_cannot_be_deleted_by_its_uploader(frozen: Replay, owner_client: Client, staff: User) -> None:
    """If it were deleted and uploaded again, it would be ranked again."""
    address = f"/replays/{frozen.pk}/delete/"
    assert address not in document(owner_client, frozen.get_absolute_url()).links()
    assert owner_client.post(address).status_code == 403
    assert Replay.objects.filter(pk=frozen.pk).exists()
    replay_judge(frozen, "accepted", "", staff)
    assert owner_client.get(address).status_code == 200


def test_reasons_and_appeals_are_shown_as_text(mine: Replay, owner: User, staff: User, staff_client: Client) -> None:
    replay_judge(mine, "frozen", HOSTILE, staff)
    appeal_create(mine, owner, HOSTILE)
    owner_client = Client()
    owner_client.force_login(owner)
    for client, address in (
        (staff_client, QUEUE),
        (staff_client, mine.get_absolute_url()),
        (owner_client, mine.get_absolute_url()),
    ):
        page = document(client, address)
        assert HOSTILE in page.text
        assert not any("alert" in code for code in page.inline_code)
        assert not any("onerror" in attributes for _tag, attributes in page.elements)
    replay_judge(mine, "frozen", HOSTILE, staff)
    form = owner_client.post(f"/replays/{mine.pk}/appeal/", {"text": HOSTILE + "x" * 1000})
    page = Document(form.content.decode())
    assert HOSTILE in page.text
    assert not any("onerror" in attributes for _tag, attributes in page.elements)


def test_queries_of_the_page_of_a_replay(
    frozen: Replay, owner: User, client: Client, staff_client: Client, django_assert_num_queries: Any
) -> None:
    appeal_create(frozen, owner, "It was me.")
    address = frozen.get_absolute_url()
    owner_client = Client()
    owner_client.force_login(owner)
    staff_client.get(address)  # fills the content type cache of the process
    with django_assert_num_queries(4):  # the replay, the player's bests, the games around it, others on its board
        client.get(address)
    owner_client.get("/statistics/")  # fills the cache of the games that wait for the visitor
    with django_assert_num_queries(8):  # and session, account, its player (of the header), its appeals
        owner_client.get(address)
    with django_assert_num_queries(
        10
    ):  # and its player, the second factor, the log, the trace of the play, other files of it
        staff_client.get(address)
