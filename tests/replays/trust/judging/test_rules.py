"""Rules that make a game suspicious: verdicts, and when they change."""

from __future__ import annotations

import math
import random
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from hypothesis import given
from hypothesis import strategies as st

from analysis.evidence import STRONG
from analysis.recording import Level, Mode
from players.leaderboards.services import rebuild_boards
from players.models import PersonalBest, User
from replays.models import Appeal, Replay
from replays.trust.judging import default_rules
from replays.trust.judging.appeals import appeal_create
from replays.trust.judging.bots import player_mark_bot
from replays.trust.judging.findings import FINDING_CODES
from replays.trust.judging.rules import ACCEPTED, LIMIT, OPEN, Judged, Rules, could_rank, judge_by_rules, judged
from replays.trust.judging.services import DECISIONS, replay_judge
from replays.upload.processing.services import analyse_replays
from tests.effort import seeds
from tests.factories import replay_of, unrank_replays
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

ROOT = Path(django_settings.BASE_DIR)
RULES = Rules(frozenset({"time_differs"}), (("expert", "time", "<", 20.0), ("expert", "bvs", ">", 10.0)))
NO_PATH = {"code": "no_path", "params": {"events_per_3bv": 2.0, "least": 10}}
DIFFERS = {"code": "time_differs", "params": {"claimed_ms": 1, "actual_ms": 2}}
HARMLESS = {"code": "text_not_utf8", "params": {"what": "name"}}


# --- the pure function ---


def game(
    values: dict[str, float | None],
    findings: list[dict[str, Any]] | None = None,
    level: str = "expert",
    evidence: str = "sealed",
    format_: str = "avf",
) -> Judged:
    return Judged(values.get, findings or [], level, evidence, format_)


def verdict(values: dict[str, float | None], findings: list[dict[str, Any]], level: str = "expert") -> tuple[str, str]:
    found = judged(game(values, findings, level), RULES)
    return found.judgement, found.code


@pytest.mark.parametrize(
    ("values", "findings", "level", "expected"),
    [
        ({"time": 20.0, "bvs": 10.0}, [], "expert", ("accepted", "")),
        ({"time": 19.999}, [], "expert", ("suspicious", LIMIT)),
        ({"time": 30.0, "bvs": 10.001}, [], "expert", ("suspicious", LIMIT)),
        ({"time": 19.0}, [], "intermediate", ("accepted", "")),
        ({"time": None, "bvs": None}, [], "expert", ("accepted", "")),
        ({}, [HARMLESS], "expert", ("accepted", "")),
        ({}, [HARMLESS, DIFFERS], "expert", ("suspicious", "time_differs")),
        ({"time": 1.0}, [DIFFERS], "expert", ("suspicious", "time_differs")),
    ],
)
def test_verdicts(
    values: dict[str, float | None], findings: list[dict[str, Any]], level: str, expected: tuple[str, str]
) -> None:
    assert verdict(values, findings, level) == expected


@pytest.mark.parametrize(
    ("evidence", "format_", "findings", "expected"),
    [
        ("here", "rawvf", [], ("accepted", "")),
        ("sealed", "avf", [], ("accepted", "")),
        ("open", "avf", [], ("unverified", OPEN)),
        ("open", "rawvf", [], ("accepted", "")),  # the site ranks this format
        ("open", "rawvf", [DIFFERS], ("suspicious", "time_differs")),
        ("open", "avf", [DIFFERS], ("suspicious", "time_differs")),  # what is wrong with it says more
        ("sealed", "avf", [NO_PATH], ("suspicious", "no_path")),
        ("open", "rawvf", [NO_PATH], ("unverified", "no_path")),  # its recorder may leave the way of the mouse out
    ],
)
def test_files_that_prove_nothing_wait_for_staff(
    evidence: str, format_: str, findings: list[dict[str, Any]], expected: tuple[str, str]
) -> None:
    rules = Rules(RULES.findings | {"no_path"}, RULES.limits, frozenset({"rawvf"}))
    found = judged(game({"time": 60.0}, findings, "expert", evidence, format_), rules)
    assert (found.judgement, found.code) == expected


def test_a_verdict_has_the_rule_that_applied() -> None:
    assert judged(game({"time": 19.5}), RULES).params == {
        "statistic": "time", "sign": "<", "bound": 20.0, "value": 19.5,
    }  # fmt: skip
    assert judged(game({}, [DIFFERS]), RULES).params == DIFFERS["params"]


@given(
    st.floats(allow_nan=False, allow_infinity=False),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from("<>"),
)
def test_exactly_one_side_of_a_bound_is_suspicious(value: float, bound: float, sign: str) -> None:
    found = judged(game({"time": value}), Rules(limits=(("expert", "time", sign, bound),)))
    beyond = value < bound if sign == "<" else bound < value
    assert (found != ACCEPTED) == beyond
    assert math.isfinite(float(str(found.params.get("value", 0.0))))


@pytest.mark.parametrize(
    ("win", "mode", "level"),
    [(False, Mode.STANDARD, Level.EXPERT), (True, Mode.UPK, Level.EXPERT), (True, Mode.STANDARD, Level.CUSTOM)],
)
def test_games_that_cannot_be_ranked_are_not_judged(win: bool, mode: Mode, level: Level) -> None:
    """A game that is lost after a tenth of a second breaks no limit."""
    row = replay_of(None, time_ms=100, win=win, mode=mode.value, findings=[DIFFERS])
    row.level = level.value
    judge_by_rules(row, Rules.of_site())
    assert (row.judgement, row.judgement_code) == ("accepted", "")
    assert not could_rank(win=win, mode=mode, level=level)


def test_every_code_of_a_finding_is_known() -> None:
    """A code that is missing in the list could not be named in JUDGE_FINDINGS."""
    sources = [
        *ROOT.glob("analysis/**/*.py"),
        *ROOT.glob("replays/upload/processing/*.py"),
        *ROOT.glob("replays/play/solo/*.py"),
    ]
    text = "\n".join(path.read_text() for path in sources)
    plain = set(re.findall(r"(?:\bFinding|(?:notes|self)\.add)\(\s*\"(\w+)\"", text))
    whats = set(re.findall(r"check_digits\([^\n]*, \"(\w+)\", notes\)", text))
    names = set(re.findall(r"_differs\(\"(\w+)\"", text)) | {"bv", "bvdone", "lcl", "rcl", "dcl"}
    found = (
        plain
        | {"seal_reused", "same_board", "name_resembles"}
        | {f"checksum_{what}" for what in whats}
        | {f"{name}_differs" for name in names}
    )
    assert found == FINDING_CODES
    assert FINDING_CODES.isdisjoint({LIMIT, Replay.DECIDED})
    assert max(map(len, FINDING_CODES)) <= Replay._meta.get_field("judgement_code").max_length  # type: ignore[operator]


def test_default_limits_are_beyond_the_records_of_people() -> None:
    rules = Rules.of_site()
    for level, seconds, bvs in [("beginner", 0.5, 12.0), ("intermediate", 6.5, 8.0), ("expert", 25.0, 6.0)]:
        assert judged(game({"time": seconds, "bvs": bvs}, [HARMLESS], level), rules) == ACCEPTED
    assert rules.findings < FINDING_CODES
    assert rules.findings.isdisjoint({"text_not_utf8", "date", "stamp_date", "date_in_future", "date_too_early"})


# --- through the services ---

pages = [pytest.mark.django_db]
IMPOSSIBLE = [("beginner", "time", "<", 1000.0)]


class TestAnalysis:
    pytestmark = pages

    def test_an_impossible_game_is_suspicious_and_does_not_rank(self, ingest: Ingest, settings: Any) -> None:
        settings.JUDGE_LIMITS = IMPOSSIBLE
        row = ingest(game_file())
        assert (row.judgement, row.judgement_code, row.ranked, row.win) == ("suspicious", LIMIT, False, True)
        assert row.judgement_params["value"] == row.statistic("time")
        assert not PersonalBest.objects.exists()

    def test_a_contradicted_header_is_suspicious(self, ingest: Ingest, settings: Any) -> None:
        """The time in the header is changed, as in forged results of formats without a checksum."""
        honest, forged = game_file(), game_file(2).replace(b"\nTime: ", b"\nTime: 1", 1)
        assert ingest(honest).judgement == "accepted"
        row = ingest(forged)
        assert (row.judgement, row.judgement_code, row.ranked) == ("suspicious", "time_differs", False)
        settings.JUDGE_FINDINGS = []
        again(row)
        assert (row.judgement, row.ranked) == ("accepted", True)

    def test_an_automatic_judgement_is_renewed(self, ingest: Ingest, owner: User, settings: Any) -> None:
        settings.JUDGE_LIMITS = IMPOSSIBLE
        row = ingest(game_file(), uploader=owner)
        appeal = appeal_create(row, owner, "I am just good.")
        settings.JUDGE_LIMITS = []
        again(row)
        assert (row.judgement, row.judgement_code, row.ranked) == ("accepted", "", True)
        assert PersonalBest.objects.filter(replay=row).exists()
        appeal.refresh_from_db()
        assert appeal.state == Appeal.State.GRANTED
        settings.JUDGE_LIMITS = IMPOSSIBLE
        again(row)
        assert (row.judgement, row.ranked) == ("suspicious", False)
        assert not PersonalBest.objects.exists()

    @pytest.mark.parametrize("decision", ["accepted", "suspicious", "frozen"])
    def test_a_decision_of_staff_is_not_changed_by_an_analysis(
        self, ingest: Ingest, staff: User, settings: Any, decision: str
    ) -> None:
        settings.JUDGE_LIMITS = IMPOSSIBLE if decision == "accepted" else []
        row = ingest(game_file())
        replay_judge(row, decision, "I looked at it.", staff)
        expected = (decision, "I looked at it.", "staff", decision == "accepted")
        for analyse in (partial(again, row), analyse_all_again):
            analyse()
            row.refresh_from_db()
            assert (row.judgement, row.judgement_reason, row.judgement_code, row.ranked) == expected
            assert PersonalBest.objects.exists() == row.ranked
        staff.delete()
        again(row)
        assert (row.judgement, row.judged_by_id) == (decision, None), "a decision outlives who made it"

    def test_a_recompute_judges_by_the_current_rules(self, ingest: Ingest, settings: Any) -> None:
        best, second = sorted((ingest(game_file(seed)) for seed in (1, 2)), key=lambda row: row.statistic("time") or 0)
        limit = (float(best.statistic("time") or 0) + float(second.statistic("time") or 0)) / 2
        settings.JUDGE_LIMITS = [("beginner", "time", "<", limit)]
        analyse_all_again()
        best.refresh_from_db()
        assert (best.judgement, best.ranked) == ("suspicious", False)
        assert set(PersonalBest.objects.values_list("replay", flat=True)) == {second.pk}, "the next best returns"
        settings.JUDGE_LIMITS = []
        analyse_all_again()
        best.refresh_from_db()
        assert (best.judgement, best.judgement_code, best.judgement_params, best.ranked) == ("accepted", "", {}, True)
        assert PersonalBest.objects.get(statistic="time", style="all").replay == best

    @pytest.mark.parametrize("decided", [False, True])
    def test_a_recompute_ranks_by_the_current_minimum(
        self, ingest: Ingest, staff: User, settings: Any, decided: bool
    ) -> None:
        row, program = ingest(game_file()), ingest(game_file(2, player="A program"))
        assert program.player is not None
        player_mark_bot(program.player, is_bot=True, on_boards=False)
        if decided:
            replay_judge(row, "accepted", "I looked at it.", staff)
        bv = int(row.statistic("bv") or 0)
        for least, counts in ((bv + 1, False), (bv, True)):
            settings.MINIMUM_3BV = {"beginner": least}
            analyse_all_again()
            row.refresh_from_db()
            assert (row.judgement, row.ranked) == ("accepted", counts)
            assert set(PersonalBest.objects.values_list("replay", flat=True)) == ({row.pk} if counts else set())
            program.refresh_from_db()
            assert not program.ranked

    def test_numbers_that_a_recompute_corrects_are_judged(self, ingest: Ingest) -> None:
        """A wrong stored 3BV/s made the game suspicious; with the right one it is ranked."""
        best, other = sorted(
            (ingest(game_file(seed)) for seed in (1, 2)), key=lambda row: -float(row.statistic("bvs") or 0)
        )
        unrank_replays([best])
        Replay.objects.filter(pk=best.pk).update(
            bvs=99.0, judgement="suspicious", judgement_code=LIMIT,
            judgement_params={"statistic": "bvs", "sign": ">", "bound": 10.0, "value": 99.0},
        )  # fmt: skip
        Replay.objects.filter(pk=other.pk).update(bvs=98.0)
        rebuild_boards()
        analyse_all_again()
        best.refresh_from_db()
        assert (best.judgement, best.ranked) == ("accepted", True)
        assert PersonalBest.objects.get(statistic="bvs", style="all").replay == best
        assert stored_boards() == expected_boards()

    def test_the_rules_take_no_query(self, ingest: Ingest, settings: Any, django_assert_num_queries: Any) -> None:
        settings.JUDGE_LIMITS = IMPOSSIBLE
        row = ingest(game_file())
        with django_assert_num_queries(0):
            judge_by_rules(row, Rules.of_site())
        assert row.judgement_code == LIMIT


def again(row: Replay) -> None:
    """Analyse ``row`` again, as the sweep does."""
    Replay.objects.filter(pk=row.pk).update(status=Replay.Status.QUEUED, attempts=0)
    analyse_replays([row.pk])
    row.refresh_from_db()


class TestRandomChanges:
    pytestmark = pages

    @pytest.mark.parametrize("seed", seeds(1, 2))
    def test_boards_follow_rules_decisions_and_recomputes(
        self, ingest: Ingest, staff: User, settings: Any, seed: int
    ) -> None:
        """In random order; after each the boards equal those of the naive twin."""
        source = random.Random(seed)
        rows = [ingest(game_file(number)) for number in range(1, 7)]
        times = sorted(float(row.statistic("time") or 0) for row in rows)
        settings.JUDGE_LIMITS = []
        decided: dict[int, str] = {}
        states: set[str] = set()
        for _step in range(25):
            row, change = source.choice(rows), source.choice(["limit", "limit", "judge", "again", "all"])
            if change == "limit":
                settings.JUDGE_LIMITS = [("beginner", "time", "<", source.choice([0.0, *times]))]
            elif change == "judge" and len(decided) < len(rows) // 2:
                decided[row.pk] = source.choice(DECISIONS)
                replay_judge(row, decided[row.pk], "because", staff)
            elif change == "again":
                again(row)
            else:
                analyse_all_again()
                assert {one.pk for one in Replay.objects.filter(judgement="accepted")} == {
                    one.pk for one in rows if is_accepted(one, decided, settings.JUDGE_LIMITS)
                }
            assert stored_boards() == expected_boards()
            assert not Replay.objects.filter(ranked=True).exclude(judgement="accepted").exists()
            states |= set(Replay.objects.values_list("judgement", flat=True))
        assert len(decided) > 0
        assert {"accepted", "suspicious"} <= states
        found = dict(Replay.objects.filter(pk__in=decided).values_list("pk", "judgement"))
        assert found == decided


def is_accepted(row: Replay, decided: dict[int, str], limits: list[tuple[str, str, str, float]]) -> bool:
    """The expected judgement: that of staff, else by the only limit of the test."""
    if row.pk in decided:
        return decided[row.pk] == "accepted"
    time = float(row.statistic("time") or 0)
    return not any(time < bound for _level, _statistic, _sign, bound in limits)


def test_every_strong_finding_withholds_a_rank_by_default() -> None:
    """But for what says that the play was here before: that moves no place (docs/threats.md)."""
    assert set(default_rules.FINDINGS) >= STRONG - {"same_clicks", "similar_clicks"}
