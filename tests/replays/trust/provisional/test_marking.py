"""Provisional games: what would matter most if it were forged has a place, but no entry in the history."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.utils import timezone

from analysis.evidence import Evidence, EvidenceClass, History
from analysis.recording import Level
from players.decision_log import Decision
from players.leaderboards.board import Board
from players.leaderboards.boards import BoardKey
from players.leaderboards.history.selectors import board_progression
from players.leaderboards.ranks import page_at
from players.models import PersonalBest, Player, RecordEvent, User
from replays.models import Replay, ReportedThing
from replays.moderation.services import Verdict, report_decide
from replays.trust.evidence.traces import store_traces
from replays.trust.judging import rules
from replays.trust.judging.rules import Rules, judge_by_rules
from replays.trust.judging.selectors import judgement_text
from replays.trust.judging.services import replay_judge
from replays.trust.provisional.marking import mark_provisional
from replays.trust.provisional.retimed import _others, mark_retimed
from replays.trust.provisional.services import finalise_due
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.services import analyse_replays
from tests.factories import EPOCH, rank_replays, replay_of, replay_report, stored_replay
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db

BOARD = BoardKey("beginner", "time", "all")
NewGame = Callable[..., Replay]


@pytest.fixture
def crowd(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[Replay]:
    """A board of 12 slow players, on which ten are enough for provisional games."""
    monkeypatch.setattr(rules, "LEAST_PLAYERS", 10)
    monkeypatch.setattr(rules, "TOP_PLACES", 3)
    settings.PROVISIONAL_LIMITS = []  # see test_world_class.py
    players = [Player.objects.create(name=f"player {number}") for number in range(12)]
    rows = [
        stored_replay(player, Level.BEGINNER, time_ms=100_000 + 1_000 * number, bv=20)
        for number, player in enumerate(players)
    ]
    rank_replays(rows)
    return rows


def judged(player: Player, *, time_ms: int, bv: int = 20, **columns: Any) -> Replay:
    row = replay_of(player, Level.BEGINNER, time_ms=time_ms, bv=bv, evidence="sealed", **columns)
    row.save()
    mark_provisional([row])
    return row


@pytest.mark.parametrize(
    ("number", "time_ms", "code"),
    [
        (11, 102_000, "top"),  # as good as the third
        (11, 102_001, ""),  # the fourth
        (11, 110_900, ""),  # a small step far behind
        (11, 120_000, ""),  # no best
        (2, 99_000, "top"),
    ],
)
def test_the_first_places(crowd: list[Replay], number: int, time_ms: int, code: str) -> None:
    player = crowd[number].player
    assert player is not None
    assert judged(player, time_ms=time_ms).judgement_code == code


def test_a_leap(crowd: list[Replay], no_first_places: None) -> None:
    player = crowd[11].player  # their best is 111 s
    assert player is not None
    later = EPOCH + datetime.timedelta(days=1)
    # a fifth of the time is a quarter of the 3BV/s
    assert judged(player, time_ms=88_801, achieved_at=later).judgement_code == ""
    row = judged(player, time_ms=88_799, achieved_at=later)
    assert (row.judgement, row.judgement_code) == ("provisional", "leap")
    assert row.provisional_until is not None
    assert row.provisional_until > timezone.now() + datetime.timedelta(days=13)


@pytest.mark.parametrize(
    ("time_ms", "bv", "code"),
    [
        (75_000, 15, ""), (74_999, 14, "leap"),  # a quarter of 100 s
        (80_000, 25, ""), (79_999, 25, "leap"),  # a quarter of 0.25 3BV/s: 25 in 100 s, now in 80 s
    ],
)  # fmt: skip
def test_a_leap_is_more_than_the_limit(
    crowd: list[Replay], no_first_places: None, time_ms: int, bv: int, code: str
) -> None:
    player = Player.objects.create(name="new")
    rank_replays([stored_replay(player, Level.BEGINNER, time_ms=100_000, bv=25)])
    row = judged(player, time_ms=time_ms, bv=bv, achieved_at=EPOCH + datetime.timedelta(days=1))
    assert row.judgement_code == code


def test_a_board_of_just_enough_players_is_watched(crowd: list[Replay], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "LEAST_PLAYERS", len(crowd))
    assert judged(Player.objects.create(name="new"), time_ms=1_000).judgement_code == "top"


def test_a_first_game_is_no_leap(crowd: list[Replay], no_first_places: None) -> None:
    assert judged(Player.objects.create(name="new"), time_ms=1_000).judgement == "accepted"


@pytest.mark.parametrize(
    ("owner", "name", "value"),
    [(django_settings, "PROVISIONAL_DAYS", 0), (rules, "LEAST_PLAYERS", 13)],
    ids=["off", "small board"],
)
def test_when_no_game_is_provisional(
    crowd: list[Replay], monkeypatch: pytest.MonkeyPatch, owner: object, name: str, value: int
) -> None:
    monkeypatch.setattr(owner, name, value)
    assert judged(Player.objects.create(name="new"), time_ms=1_000).judgement == "accepted"


def test_games_played_here_and_decisions_of_staff_are_final(crowd: list[Replay]) -> None:
    player = Player.objects.create(name="new")
    here = replay_of(player, Level.BEGINNER, time_ms=1_000, evidence="here")
    decided = replay_of(player, Level.BEGINNER, time_ms=1_000, evidence="open", judgement_code="staff")
    for row in (here, decided):
        mark_provisional([row])
        assert row.judgement == "accepted"


@pytest.mark.parametrize(
    "change", [{"level": "custom"}, {"mode": "upk"}, {"win": False, "result": "unfinished"}], ids=str
)
def test_a_game_that_left_the_boards_is_provisional_no_longer(crowd: list[Replay], change: dict[str, Any]) -> None:
    """A file may be read otherwise by a new version; what could be on no board has nothing to wait for."""
    row = judged(Player.objects.create(name="new"), time_ms=1_000)
    assert row.judgement == "provisional"
    for name, value in change.items():
        setattr(row, name, value)
    judge_by_rules(row, Rules.of_site())
    assert (row.judgement, row.judgement_code, row.provisional_until) == ("accepted", "", None)


def test_games_of_one_chunk_are_compared_in_the_order_of_their_dates(
    crowd: list[Replay], no_first_places: None
) -> None:
    """A player's first file is no leap, the second may be one from the first."""
    player = Player.objects.create(name="new")
    day = datetime.timedelta(days=1)
    rows = [
        replay_of(
            player, Level.BEGINNER, time_ms=time_ms, bv=20, evidence="sealed", achieved_at=timezone.now() + n * day
        )
        for n, time_ms in enumerate([100_000, 95_000, 40_000])
    ]
    for row in rows:
        row.save()
    mark_provisional(reversed(rows))
    assert [row.judgement_code for row in rows] == ["", "", "leap"]


# --- through the services ---


@pytest.fixture
def record(ingest: Ingest, crowd: list[Replay], other_player: User) -> Replay:
    """A provisional game: the first of the board."""
    row = ingest(game_file(1), uploader=other_player)
    assert (row.judgement, row.judgement_code, row.ranked) == ("provisional", "top", True)
    return row


def records_of(row: Replay) -> int:
    return RecordEvent.objects.filter(replay=row).count()


def test_a_provisional_game_has_its_place_and_no_history(record: Replay, client: Client) -> None:
    first = page_at(Board(*BOARD)).rows[0]
    assert (first.replay_id, first.rank, first.provisional) == (record.pk, 1, True)
    assert records_of(record) == 0
    assert record.pk not in {step.replay_id for step in board_progression(BOARD)}
    assert 'href="/help/evidence/#provisional"' in client.get("/leaderboards/beginner/time/").content.decode()
    rows = client.get("/api/v1/leaderboards/beginner/time/").json()["rows"]
    assert [row["provisional"] for row in rows[:2]] == [True, False]
    assert stored_boards() == expected_boards()


def test_live_boards_show_the_mark_too(record: Replay, client: Client) -> None:
    rows = client.get("/api/v1/leaderboards/beginner/time/?min_3bv=1").json()["rows"]
    assert {row["replay"]["id"]: row["provisional"] for row in rows}[record.pk]


def test_staff_make_it_final(record: Replay, staff: User) -> None:
    row = replay_judge(record, "accepted", "", staff)
    assert (row.judgement, row.provisional_until, row.ranked) == ("accepted", None, True)
    assert records_of(row) > 0
    assert board_progression(BOARD)[-1].replay_id == row.pk
    assert stored_boards() == expected_boards()


def test_staff_take_it_off(record: Replay, staff: User) -> None:
    row = replay_judge(record, "frozen", "A copy.", staff)
    assert not row.ranked
    assert not PersonalBest.objects.filter(replay=row).exists()
    assert records_of(row) == 0
    assert stored_boards() == expected_boards()


def test_time_makes_it_final(record: Replay) -> None:
    assert finalise_due() == 0
    Replay.objects.filter(pk=record.pk).update(provisional_until=timezone.now())
    assert finalise_due() == 1
    record.refresh_from_db()
    assert (record.judgement, record.judgement_code, record.provisional_until) == ("accepted", "", None)
    assert records_of(record) > 0
    assert stored_boards() == expected_boards()
    assert finalise_due() == 0


def test_a_report_stops_the_clock(record: Replay, staff: User, owner_client: Client) -> None:
    page = owner_client.get(record.get_absolute_url()).content.decode()
    assert f'href="/report/replay/{record.pk}/"' in page
    answer = owner_client.post(f"/report/replay/{record.pk}/", {"rule": "theft", "text": "I saw this game elsewhere."})
    assert answer.status_code == 302
    record.refresh_from_db()
    assert (record.judgement, record.ranked, record.provisional_until) == ("provisional", True, None)
    assert finalise_due() == 0
    replay_judge(record, "accepted", "", staff)
    assert ReportedThing.objects.get().closed_at is not None


def test_a_report_that_led_to_nothing_lets_the_clock_run_on(record: Replay, owner: User, staff: User) -> None:
    report_decide(replay_report(record, owner, "A bot.").thing, staff, Verdict("nothing"))
    assert finalise_due() == 1
    record.refresh_from_db()
    assert (record.judgement, records_of(record) > 0) == ("accepted", True)


def test_the_queue_holds_provisional_games(record: Replay, staff_client: Client, client: Client) -> None:
    assert f"#{record.pk}" in staff_client.get("/staff/judgements/?state=provisional").content.decode()
    assert client.get("/staff/judgements/").status_code in (302, 403)


def test_staff_judge_on_the_page(record: Replay, staff_client: Client, other_client: Client) -> None:
    address = f"/replays/{record.pk}/judge/"
    data = {"judgement": "frozen", "reason": "A copy."}
    assert other_client.post(address, data).status_code == 403
    for refused in ({"judgement": "frozen"}, {"judgement": "provisional", "reason": "x"}):
        staff_client.post(address, refused)
        assert not Decision.objects.exists()
    staff_client.post(address, data)
    record.refresh_from_db()
    assert record.judgement == "frozen"
    assert Decision.objects.count() == 1


def test_a_retimed_record_comes_first_in_the_queue(crowd: list[Replay], staff_client: Client) -> None:
    """Beside twenty games of the same weeks it shows that times were scaled; it decides nothing."""
    player = Player.objects.create(name="new")
    habits = History(line_hz=47.19, line_strength=150.0, equal_steps=0.49, hold_ms=78.0)
    for number in range(20):
        row = stored_replay(player, Level.EXPERT, evidence="sealed", played_at=timezone.now(), time_ms=90_000 + number)
        one = replace(habits, equal_steps=0.49 + 0.001 * (number % 5))
        store_traces([(row, Evidence(EvidenceClass.SEALED, (), None, None, one))])
    row = stored_replay(player, Level.EXPERT, evidence="sealed", played_at=timezone.now(), time_ms=50_000,
                        judgement="provisional", judgement_code="top")  # fmt: skip
    on_another = stored_replay(player, Level.BEGINNER, evidence="sealed", played_at=timezone.now())
    store_traces([(on_another, Evidence(EvidenceClass.SEALED, (), None, None, replace(habits, line_hz=125.0)))])
    assert [one.line_hz for one in _others(row)] == [habits.line_hz] * 20, "each level has habits of its own"
    retimed = replace(habits, line_hz=50.0, equal_steps=0.54)
    for own, code in ((habits, "top"), (retimed, "retimed_likely")):
        mark_retimed([(row, Evidence(EvidenceClass.SEALED, (), None, None, own))])
        assert row.judgement_code == code
    assert row.judgement == "provisional"
    row.save()
    assert f"#{row.pk}" in staff_client.get("/staff/judgements/?code=retimed_likely").content.decode()
    assert "the mouse's polling rate and the share of identical time steps" in judgement_text(row)


def test_games_played_here_need_no_patience(crowd: list[Replay]) -> None:
    (receipt,) = receive_many([("a", game_file(1))], uploader=None, enqueue=False, trust=Trust(played_here=True))
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    assert Replay.objects.get(pk=receipt.replay_id).judgement == "accepted"
