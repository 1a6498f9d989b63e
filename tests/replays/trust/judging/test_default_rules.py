"""The rules of a site that sets none of its own, written out: each of them decides which games rank."""

from __future__ import annotations

import pytest

from config.env import VARIABLES
from players.models import Player
from replays.models import Replay
from replays.trust.judging.rules import ACCEPTED, Judged, Rules, counts_on_boards, judged

SUSPICIOUS = (
    # the header, or the dates, contradict the events
    "time_differs", "bv_differs", "result_differs", "header_times_differ", "header_time_early", "stamp_level",
    "name_differs", "moments_differ", "checksum_board", "checksum_name", "checksum_stamp",
    # no program would have written it
    "start_not_zero", "no_path", "trailing_bytes",
    # its program says so
    "not_fair",
    # nobody laid its mines at random
    "unlikely_board",
    # somebody else's name
    "name_hidden_characters", "name_look_alike",
    # played here, or not
    "live_clock", "live_differs", "live_unknown",
)  # fmt: skip
#: They keep a game off the boards and cast no doubt on its player.
UNVERIFIED = ("live_guest",)
HARMLESS = (
    "unfinished", "mode_unknown", "date", "time_goes_back", "version_unknown", "seal_absent", "retimed_likely", "seal_reused", "same_board", "name_resembles",
    "live_jumps", "live_even_steps", "live_too_quick", "even_clicks", "quick_clicks", "straight_moves",
    # learnt from the files of too few people
    "lattice", "button_jumps", "events_after_end", "point_half_outside", "bvdone_differs", "lcl_differs", "rcl_differs", "dcl_differs",
    "nf_differs",
)  # fmt: skip


def default(name: str) -> object:
    return next(variable.default for variable in VARIABLES if variable.name == name)


def judgement(codes: tuple[str, ...]) -> str:
    findings = [{"code": code, "params": {}} for code in codes]
    return judged(Judged(lambda _name: None, findings, "expert", "sealed", "avf"), Rules.of_site()).judgement


@pytest.mark.parametrize("code", SUSPICIOUS)
def test_findings_that_make_a_game_suspicious(code: str) -> None:
    assert judgement((code,)) == judgement((*HARMLESS, code)) == "suspicious"


@pytest.mark.parametrize("code", UNVERIFIED)
def test_findings_that_only_keep_a_game_off_the_boards(code: str) -> None:
    assert judgement((code,)) == "unverified"


@pytest.mark.parametrize("code", HARMLESS)
def test_findings_that_a_judge_should_know(code: str) -> None:
    assert judgement((code,)) == "accepted"


def test_no_other_finding_withholds_a_rank() -> None:
    assert Rules.of_site().findings == {*SUSPICIOUS, *UNVERIFIED}


@pytest.mark.parametrize(
    ("level", "statistic", "value", "accepted"),
    [
        ("beginner", "time", 0.2, True), ("beginner", "time", 0.199, False),
        ("beginner-9x9", "time", 0.2, True), ("beginner-9x9", "time", 0.199, False),
        ("intermediate", "time", 5.0, True), ("intermediate", "time", 4.999, False),
        ("expert", "time", 20.0, True), ("expert", "time", 19.999, False),
        ("intermediate", "bvs", 12.0, True), ("intermediate", "bvs", 12.001, False),
        ("expert", "bvs", 10.0, True), ("expert", "bvs", 10.001, False),
        ("beginner", "bvs", 99.0, True),
    ],
)  # fmt: skip
def test_values_that_no_player_reaches(level: str, statistic: str, value: float, accepted: bool) -> None:
    game = Judged({statistic: value}.get, [], level, "sealed", "avf")
    assert (judged(game, Rules.of_site()) == ACCEPTED) == accepted


@pytest.mark.parametrize(
    ("level", "least"), [("beginner", 2), ("beginner-9x9", 2), ("intermediate", 30), ("expert", 100)]
)
def test_the_smallest_3bv_of_a_ranked_game(level: str, least: int) -> None:
    def counts(bv: int) -> bool:
        return counts_on_boards(Replay(status="done", player=Player(), win=True, mode="standard", level=level, bv=bv))

    assert (counts(least), counts(least - 1)) == (True, False)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RANK_OPEN_FORMATS", []), ("PROVISIONAL_DAYS", 14), ("RANK_LEFT_CHORDS", False), ("RANK_TOUCH", False),
    ],
)  # fmt: skip
def test_other_defaults(name: str, value: object) -> None:
    assert default(name) == value
