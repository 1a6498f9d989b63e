"""Results that few in the world reach are provisional on every board, and many small steps count as one."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from analysis.formats import rawvf
from analysis.recording import Claims, Level, Recording
from analysis.statistics import BY_NAME, RANKED
from players.leaderboards.board import Board
from players.leaderboards.boards import BoardKey
from players.leaderboards.ranks import page_at
from players.models import Player, RecordEvent, User
from replays.models import Replay
from replays.moderation.services import Verdict, report_decide
from replays.trust.judging import default_rules, rules
from replays.trust.judging.findings import SENTENCES
from replays.trust.judging.selectors import judgement_text
from replays.trust.judging.services import replay_judge
from replays.trust.provisional.marking import KNOWN_LATER, SAME_ORDER, WATCHED, mark_provisional
from replays.trust.provisional.services import finalise_due
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.services import analyse_replays
from tests.clocks import times_from_one
from tests.factories import EPOCH, random_ranked_replay, rank_replays, replay_of, replay_report, stored_replay
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import recording

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def lasting(time_ms: int, level: Level, seed: int = 1) -> Recording:
    """A bot's game whose times are scaled so that it lasts ``time_ms``."""
    game = recording(seed, level)
    events = game.events.copy()
    events["time_ms"] = events["time_ms"].astype("int64") * time_ms // int(events["time_ms"].max())

    return replace(game, events=events, ended_at=None, claims=Claims())


def marked(player: Player, level: Level, evidence: str = "sealed", **options: Any) -> Replay:
    """A game that is added to the boards as a new one is."""
    row = stored_replay(player, level, evidence=evidence, **options)
    mark_provisional([row])
    row.save()
    rank_replays([row])
    return row


# --- a young site -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "time_ms"),
    [(Level.BEGINNER, 700), (Level.INTERMEDIATE, 6_531), (Level.EXPERT, 26_740), (Level.EXPERT, 39_990)],
)
def test_synthetic_games_are_provisional_on_an_empty_site(
    ingest: Ingest, other_player: User, client: Client, level: Level, time_ms: int
) -> None:
    row = ingest(rawvf.write(lasting(time_ms, level)), uploader=other_player)
    assert (row.judgement, row.judgement_code, row.ranked) == ("provisional", "world_class", True)
    first = page_at(Board(*BoardKey(level.value, "time", "all"))).rows[0]
    assert (first.replay_id, first.rank, first.provisional) == (row.pk, 1, True)
    assert not RecordEvent.objects.exists()
    assert judgement_text(row) in Document(client.get(row.get_absolute_url()).content.decode()).text


def test_a_bot_that_plays_here_is_provisional_on_an_empty_site() -> None:
    """45 ms of thinking and straight paths: rank 1 of Intermediate, and no finding."""
    game = rawvf.write(lasting(6_531, Level.INTERMEDIATE))
    (receipt,) = receive_many([("a", game)], uploader=None, enqueue=False, trust=Trust(played_here=True))
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    row = Replay.objects.get(pk=receipt.replay_id)
    player = Player.objects.create(name="bot")
    row.player, row.ranked = player, True
    mark_provisional([row])
    assert (row.evidence, row.judgement, row.judgement_code) == ("here", "provisional", "world_class")


@pytest.mark.parametrize("limit", default_rules.PROVISIONAL_LIMITS, ids=str)
def test_each_limit_holds_from_its_first_better_value_on(limit: default_rules.Limit, settings: Any) -> None:
    """A result at the limit is final; the next better one is not, played here or not."""
    level, statistic, sign, bound = limit
    settings.PROVISIONAL_LIMITS = [limit]
    row, step = BY_NAME[statistic], 1e-6 if sign == ">" else -1e-6
    for value, judgement in ((bound - step, "accepted"), (bound, "accepted"), (bound + step, "provisional")):
        assert (row.rank_key(value) < row.rank_key(bound)) is (judgement == "provisional")
        for evidence in ("here", "sealed"):
            game = replay_of(
                Player.objects.create(name="p"), Level(level), evidence=evidence, values={statistic: value}
            )
            game.save()
            mark_provisional([game])
            assert game.judgement == judgement, (value, evidence)


def test_ordinary_games_are_final_on_an_empty_site() -> None:
    slow = ((Level.BEGINNER, 1_000, 7), (Level.INTERMEDIATE, 12_000, 50), (Level.EXPERT, 40_000, 150))
    for level, time_ms, bv in slow:
        row = marked(Player.objects.create(name="new"), level, time_ms=time_ms, bv=bv)
        assert row.judgement == "accepted", level


def test_who_has_reached_as_much_is_believed_again(staff: User) -> None:
    """A final result vouches for the player; a provisional one does not, so that no second file slips in behind it."""
    player = Player.objects.create(name="new")
    first = marked(player, Level.EXPERT, time_ms=36_000, bv=120)
    second = marked(player, Level.EXPERT, time_ms=37_000, bv=120)
    assert [first.judgement, second.judgement] == ["provisional", "provisional"]
    replay_judge(first, "accepted", "", staff)
    assert marked(player, Level.EXPERT, time_ms=36_500, bv=120).judgement == "accepted"
    assert marked(player, Level.EXPERT, time_ms=35_999, bv=120).judgement_code == "world_class"


def test_the_sentence_is_on_the_clock_of_the_reader() -> None:
    row = marked(Player.objects.create(name="new"), Level.EXPERT, time_ms=36_000, bv=120)
    assert re.findall(r"\d+\.\d+", judgement_text(row)) == ["36.000", "40.000"]
    with times_from_one():
        assert re.findall(r"\d+\.\d+", judgement_text(row)) == ["37.000", "41.000"]


# --- steps ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def grown(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A board of five players, on which five are enough."""
    monkeypatch.setattr(rules, "LEAST_PLAYERS", 5)
    settings.PROVISIONAL_LIMITS = []
    rows = [stored_replay(Player.objects.create(name=f"p{n}"), Level.EXPERT, time_ms=50_000 + n) for n in range(5)]
    rank_replays(rows)


SEVEN_STEPS = (40_300, 37_300, 34_600, 32_000, 29_700, 27_500, 25_400)


def steps_of(times: Collection[int], apart: timedelta) -> list[str]:
    """The judgements of a player's games, one after another, all of boards of one 3BV."""
    player = Player.objects.create(name="climber")
    return [
        marked(player, Level.EXPERT, time_ms=time_ms, bv=100, achieved_at=EPOCH + number * apart).judgement_code
        for number, time_ms in enumerate(times)
    ]


@pytest.mark.parametrize("apart", [timedelta(minutes=1), 4 * DAY], ids=str)
def test_steps_of_a_month_count_as_the_one_that_they_are_together(
    grown: None, no_first_places: None, apart: timedelta
) -> None:
    """A quarter more 3BV/s than with 40.3 s is reached at 32.24 s; no step alone gains a tenth."""
    assert steps_of(SEVEN_STEPS, apart) == ["", "", "", "leap", "leap", "leap", "leap"]


def test_steps_of_many_months_are_progress(grown: None, no_first_places: None) -> None:
    """Each of them is less than a quarter from what was there a month before."""
    assert steps_of(SEVEN_STEPS, 31 * DAY) == [""] * 7


def test_steps_of_one_chunk_are_marked_alike(grown: None, no_first_places: None) -> None:
    player = Player.objects.create(name="climber")
    rows = [
        replay_of(player, Level.EXPERT, time_ms=time_ms, bv=100, evidence="sealed", achieved_at=EPOCH + number * DAY)
        for number, time_ms in enumerate(SEVEN_STEPS)
    ]
    for row in rows:
        row.save()
    mark_provisional(reversed(rows))
    assert [row.judgement_code for row in rows] == ["", "", "", "leap", "leap", "leap", "leap"]


def test_an_archive_is_no_leap(grown: None, no_first_places: None) -> None:
    """The games of a first upload have one date: all of them are what the player could do at first."""
    assert steps_of(SEVEN_STEPS, timedelta(0)) == [""] * 7


def test_a_leap_is_measured_from_the_best_that_is_a_month_old(grown: None, no_first_places: None) -> None:
    player = Player.objects.create(name="climber")

    def code(time_ms: int, at: datetime) -> str:
        return marked(player, Level.EXPERT, time_ms=time_ms, bv=100, achieved_at=at).judgement_code

    assert code(60_000, EPOCH) == ""
    assert code(49_000, EPOCH + 5 * DAY) == ""
    assert code(45_000, EPOCH + 35 * DAY - timedelta(seconds=1)) == "leap"  # from 60 s: 49 s is not a month old
    assert code(45_000, EPOCH + 35 * DAY) == ""  # from 49 s


# --- what is looked at ------------------------------------------------------------------------------------------------


def test_every_ranked_statistic_is_decided_on() -> None:
    decided = [*WATCHED, *SAME_ORDER, *KNOWN_LATER & {row.name for row in RANKED}]
    assert sorted(decided) == sorted(row.name for row in RANKED)


def test_those_that_are_not_watched_order_games_as_a_watched_one_does() -> None:
    source, player = random.Random(0), Player(name="p")
    games = [random_ranked_replay(source, player) for _ in range(300)]
    for other, watched in SAME_ORDER.items():
        assert watched in WATCHED
        for one, two in itertools.pairwise(games):
            values = [[row.statistic(name) for row in (one, two)] for name in (other, watched)]
            if one.level != two.level or any(value is None for pair in values for value in pair):
                continue
            (a, b), (c, d) = ([BY_NAME[name].rank_key(v) for v in pair if v is not None] for name, pair in zip((other, watched), values, strict=True))  # fmt: skip
            assert (a < b - 1e-9) is (c < d - 1e-9), (other, watched, one.level)


@pytest.mark.parametrize("statistic", WATCHED)
def test_the_first_place_of_any_board_is_provisional(
    grown: None, monkeypatch: pytest.MonkeyPatch, statistic: str
) -> None:
    monkeypatch.setattr(rules, "TOP_PLACES", 1)
    best = -1e6 if BY_NAME[statistic].better == "low" else 1e6
    values = dict.fromkeys(WATCHED) | {statistic: best}
    row = marked(Player.objects.create(name="new"), Level.EXPERT, values=values)
    assert (row.judgement_code, row.judgement_params["statistic"]) == ("top", statistic)


def test_a_value_that_everybody_has_is_no_first_place(grown: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever never clicks for nothing has a correctness of 1; so have many."""
    monkeypatch.setattr(rules, "TOP_PLACES", 3)
    none: dict[str, float | None] = dict.fromkeys(WATCHED)
    for number, code in enumerate(("top", "top", "top", "top", "")):
        row = marked(Player.objects.create(name=f"n{number}"), Level.EXPERT, values=none | {"corr": 1.0})
        assert row.judgement_code == code, number


def test_two_statements_whatever_the_number_of_games(django_assert_num_queries: Any) -> None:
    source = random.Random(1)
    players = Player.objects.bulk_create(Player(name=f"p{number}") for number in range(10))
    rank_replays(Replay.objects.bulk_create(random_ranked_replay(source, player) for player in players))
    rows = [random_ranked_replay(source, source.choice(players)) for _ in range(60)]
    for count in (1, 60):
        fresh = [replay_of(row.player, Level(row.level), time_ms=90 + n) for n, row in enumerate(rows[:count])]
        Replay.objects.bulk_create(fresh)
        with django_assert_num_queries(2):
            mark_provisional(fresh)


# --- what silence does not make final ---


def test_no_silence_makes_a_world_class_result_final() -> None:
    """Before: after 14 days it was final by itself."""
    row = marked(Player.objects.create(name="Ann"), Level.EXPERT, time_ms=35_000, bv=120)
    assert (row.judgement, row.judgement_code, row.provisional_until) == ("provisional", "world_class", None)
    assert finalise_due() == 0


def test_a_dismissed_report_is_no_way_around_it(staff: User, other_player: User) -> None:
    row = marked(Player.objects.create(name="Ann"), Level.EXPERT, time_ms=35_000, bv=120)
    report_decide(replay_report(row, other_player, "silly").thing, staff, Verdict("nothing"))
    row.refresh_from_db()
    assert (row.judgement, row.provisional_until, finalise_due()) == ("provisional", None, 0)


def test_a_note_is_no_way_around_it() -> None:
    """A seal that is reused on purpose would cost two weeks of waiting alone."""
    findings = [{"code": "seal_reused", "params": {"replay": 1}}]
    row = marked(Player.objects.create(name="Ann"), Level.EXPERT, time_ms=35_000, bv=120, findings=findings)
    assert (row.judgement_code, row.provisional_until) == ("world_class", None)
    row = marked(Player.objects.create(name="Bob"), Level.EXPERT, time_ms=150_000, bv=150, findings=findings)
    assert row.judgement_code == "seal_reused"
    assert row.provisional_until is not None


@pytest.mark.parametrize("code", sorted(default_rules.QUESTIONS))
def test_a_question_waits_for_a_moderator(code: str) -> None:
    """A game far from the best keeps its place, and is final once staff say so."""
    names = re.findall(r"%\((\w+)\)s", SENTENCES[code][0])
    findings = [{"code": code, "params": dict.fromkeys(names, 7)}]
    row = marked(Player.objects.create(name="Ann"), Level.EXPERT, time_ms=150_000, bv=150, findings=findings)
    assert (row.judgement, row.judgement_code, row.ranked) == ("provisional", code, True)
    assert row.provisional_until is None
    assert "7 " in judgement_text(row)


def test_a_clock_that_is_ahead_makes_nothing_final(monkeypatch: pytest.MonkeyPatch) -> None:
    row = marked(Player.objects.create(name="Ann"), Level.EXPERT, time_ms=35_000, bv=120)
    Replay.objects.filter(pk=row.pk).update(provisional_until=timezone.now() + 14 * DAY)
    real = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: real + 32 * DAY)
    assert finalise_due() == 0
