"""Tests of who passed whom, compared with the boards as they were before and as they are now."""

from __future__ import annotations

import random

import pytest

from analysis.recording import Level
from analysis.statistics import CLASSIC_LEVELS
from players.leaderboards.boards import COMBINED, BoardKey
from players.leaderboards.passing import selectors
from players.leaderboards.passing.selectors import passings
from players.leaderboards.ranks.stored import first_final_rows
from players.leaderboards.sub_n.selectors import Rung, next_rung
from players.models import ALL_STYLES, CombinedBest, PersonalBest, Player, RecordEvent
from tests.effort import amount
from tests.factories import rank_replays, stored_replay

pytestmark = pytest.mark.django_db

EXPERT = BoardKey(Level.EXPERT.value, "time", ALL_STYLES)
SUM = BoardKey(COMBINED, "time", ALL_STYLES)


def play(player: Player, seconds: float, level: Level = Level.EXPERT) -> None:
    rank_replays([stored_replay(player, level, time_ms=round(seconds * 1000))])


def newest_event() -> int:
    return RecordEvent.objects.order_by("-id").values_list("id", flat=True).first() or 0


def standing(key: BoardKey) -> dict[int, float]:
    rows = CombinedBest.objects.filter(statistic=key.statistic) if key == SUM else PersonalBest.objects.filter(
        statistic=key.statistic, level=key.level)  # fmt: skip
    return dict(rows.filter(style=ALL_STYLES).values_list("player_id", "rank_key"))


def people(*names: str) -> list[Player]:
    return [Player.objects.create(name=name) for name in names]


def test_who_passed_me_and_whom_i_passed() -> None:
    me, ahead, behind, idle = people("me", "ahead", "behind", "idle")
    for player, seconds in ((me, 50), (ahead, 48), (behind, 60), (idle, 70)):
        play(player, seconds)
    since = newest_event()
    play(me, 45)
    play(behind, 44)
    play(behind, 43)
    found = passings(me.pk, {EXPERT: 45.0}, since)[EXPERT]
    assert [one.name for one in found.passed] == ["ahead"]
    assert [one.name for one in found.passed_by] == ["behind"]
    assert (found.passed_count, found.passed_by_count, found.is_new, found.complete) == (1, 1, False, True)


def test_who_was_tied_has_passed_me() -> None:
    me, other = people("me", "other")
    play(me, 50)
    play(other, 50)
    since = newest_event()
    play(other, 49)
    assert [one.name for one in passings(me.pk, {EXPERT: 50.0}, since)[EXPERT].passed_by] == ["other"]


def test_the_first_final_row_is_behind_a_provisional_one() -> None:
    first, second = people("first", "second")
    rank_replays([stored_replay(first, Level.EXPERT, time_ms=40_000, judgement="provisional")])
    play(second, 50)
    assert [(row.player.name, row.rank) for row in first_final_rows(EXPERT, 1)] == [("second", 2)]


def test_nothing_is_counted_for_a_player_who_is_new_on_the_board() -> None:
    me, other = people("me", "other")
    play(other, 50)
    since = newest_event()
    play(me, 40)
    found = passings(me.pk, {EXPERT: 40.0}, since)[EXPERT]
    assert (found.is_new, found.passed_count, found.passed_by_count) == (True, 0, 0)


@pytest.mark.long(
    beside="tests/players/leaderboards/passing/test_passings.py::test_statements_do_not_grow_with_the_players"
)
def test_counts_agree_with_the_boards_before_and_now() -> None:
    for seed in range(amount(long=60, usual=5)):
        source = random.Random(seed)
        players = people(*(f"{seed}-{number}" for number in range(6)))
        me = players[0]
        for level in CLASSIC_LEVELS:
            play(me, 200, level)

        def games(count: int, players: list[Player] = players, source: random.Random = source) -> None:
            for _ in range(count):
                play(source.choice(players), source.randint(30, 90), source.choice(CLASSIC_LEVELS))

        games(25)
        before, since = {key: standing(key) for key in (EXPERT, SUM)}, newest_event()
        games(15)
        now = {key: standing(key) for key in (EXPERT, SUM)}
        found = passings(me.pk, {key: now[key][me.pk] for key in now}, since)
        for key in now:
            others = [pk for pk in now[key] if pk != me.pk]
            was_ahead = {pk for pk in others if before[key].get(pk, float("inf")) < before[key][me.pk]}
            is_ahead = {pk for pk in others if now[key][pk] < now[key][me.pk]}
            assert found[key].passed_by_count == len(is_ahead - was_ahead), (seed, key)
            assert found[key].passed_count == len(was_ahead - is_ahead), (seed, key)
            assert {one.pk for one in found[key].passed_by} <= is_ahead - was_ahead
            assert {one.pk for one in found[key].passed} <= was_ahead - is_ahead
        RecordEvent.objects.all().delete()
        PersonalBest.objects.all().delete()


def test_the_events_that_are_read_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(selectors, "MOST_EVENTS", 3)
    me, *others = people("me", "a", "b", "c", "d", "e")
    play(me, 90)
    since = newest_event()
    for number, other in enumerate(others):
        play(other, 60 + number)
    found = passings(me.pk, {EXPERT: 90.0}, since)[EXPERT]
    assert (found.passed_by_count, found.complete) == (3, False)


def test_statements_do_not_grow_with_the_players(django_assert_num_queries: object) -> None:
    me, *others = people("me", *(f"p{number}" for number in range(12)))
    play(me, 90)
    for other in others:
        play(other, 85)
    since = newest_event()
    play(me, 80)
    for other in others[:6]:
        play(other, 70)
    # Events of the board, own events, two ranks, who stands between, the names.
    with django_assert_num_queries(6):  # type: ignore[operator]
        found = passings(me.pk, {EXPERT: 80.0}, since)[EXPERT]
    assert (found.passed_by_count, found.passed_count, len(found.passed_by)) == (0, 6, 0)


@pytest.mark.parametrize(
    ("best", "precision_ms", "expected"),
    [
        (39.25, 10, Rung(40, 260)),  # 38.99 is sub-40
        (39.0, 10, Rung(40, 10)),
        (38.99, 10, Rung(39, 1000)),
        (38.999, 1, Rung(39, 1000)),
        (38.001, None, Rung(39, 2)),
        (1.5, 1, Rung(2, 501)),
        (0.99, 1, None),
    ],
)
def test_next_rung(best: float, precision_ms: int | None, expected: Rung | None) -> None:
    assert next_rung(best, precision_ms) == expected
