"""The registry: formulas, edges, identities and order."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis import statistics
from analysis.recording import Level
from analysis.sources import LIBRARY, ORIGINATORS, OWN, PAGE, SOURCES
from analysis.statistics import (
    ANALYSED,
    BASE,
    BY_NAME,
    CLASSIC_LEVELS,
    DERIVED,
    LEVEL_CODES,
    LUCK,
    ON_REQUEST,
    RANKED,
    SORTABLE,
    STATISTICS,
    STNB2023_K,
    STNB_K,
    STORED,
    Better,
    DataClass,
    Statistic,
    StatKind,
    derive,
    of_random_zini,
    plain,
    ranked_on,
)
from tests.effort import examples

Values = Mapping[str, float | None]

#: The names of the definition page, one by one, so that none is lost or renamed unnoticed.
NAMES = [
    "bv",
    "op",
    "isl",
    "cell0",
    "cell1",
    "cell2",
    "cell3",
    "cell4",
    "cell5",
    "cell6",
    "cell7",
    "cell8",
    "gzini",
    "hzini",
    "gzini_ref",
    "hzini_ref",
    "rzini",
    "time_ms",
    "time",
    "path",
    "lcl",
    "rcl",
    "dcl",
    "cl",
    "lce",
    "rce",
    "dce",
    "ce",
    "rce_strict",
    "ce_strict",
    "flags",
    "bvdone",
    "opdone",
    "isdone",
    "bvs",
    "rqp",
    "qg",
    "ios",
    "rv",
    "ces",
    "cls",
    "corr",
    "thrp",
    "ioe",
    "cpo",
    "coo",
    "mov",
    "iome",
    "sao",
    "gzinis",
    "hzinis",
    "rzinis",
    "gznt",
    "hznt",
    "rznt",
    "gzne",
    "hzne",
    "rzne",
    "completion",
    "estime",
    "stnb",
    "stnb2023",
    "luck",
    "pluck",
    "guesses",
    "needless_guesses",
    "accuracy",
    "needless_risk",
    "pace",
    "worst_risk",
    "no_guess",
    "difficulty",
]

HIGH = [
    "bvs",
    "ios",
    "ces",
    "cls",
    "corr",
    "thrp",
    "ioe",
    "sao",
    "gzinis",
    "hzinis",
    "gznt",
    "hznt",
    "gzne",
    "hzne",
    "completion",
    "stnb",
    "stnb2023",
    "luck",
    "accuracy",
    "pace",
]
LOW = [
    "time",
    "path",
    "rqp",
    "qg",
    "rv",
    "cpo",
    "coo",
    "estime",
    "pluck",
    "guesses",
    "needless_guesses",
    "needless_risk",
    "worst_risk",
]

CLASSIC_CODES = {LEVEL_CODES[level] for level in CLASSIC_LEVELS}
LEVELS_BY_CODE = {code: level for level, code in LEVEL_CODES.items()}

#: When a derived value is not defined, written from the definition page: by name, given all values and inputs.
UNDEFINED: dict[str, Callable[[Values], bool]] = {
    "time": lambda v: False,
    "cl": lambda v: False,
    "ce": lambda v: False,
    "ce_strict": lambda v: False,
    "completion": lambda v: v["bv"] == 0,
    "estime": lambda v: v["completion"] in (None, 0),
    "bvs": lambda v: v["time"] == 0,
    "rqp": lambda v: v["bvs"] in (None, 0),
    "qg": lambda v: v["bvdone"] == 0,
    "ios": lambda v: v["bvdone"] == 0 or v["time_ms"] <= 1000,  # type: ignore[operator]
    "rv": lambda v: v["rqp"] is None,
    # A quotient by qg: a game of no time has qg 0 and no rating.
    "stnb": lambda v: v["level"] not in CLASSIC_CODES or v["qg"] in (None, 0) or v["completion"] is None,
    "stnb2023": lambda v: v["level"] not in CLASSIC_CODES or v["qg"] in (None, 0) or v["completion"] is None,
    "cls": lambda v: v["time"] == 0,
    "ces": lambda v: v["time"] == 0,
    "corr": lambda v: v["cl"] == 0,
    "thrp": lambda v: v["ce"] == 0,
    "ioe": lambda v: v["cl"] == 0,
    "cpo": lambda v: v["op"] == 0 or v["win"] == 0,
    "coo": lambda v: v["op"] == 0 or v["win"] == 0,
    "mov": lambda v: v["time"] == 0,
    "iome": lambda v: v["path"] == 0,
    "sao": lambda v: v["mov"] is None or v["ces"] is None,
    "gzinis": lambda v: v["time"] == 0 or v["win"] == 0,
    "hzinis": lambda v: v["time"] == 0 or v["win"] == 0,
    "gznt": lambda v: v["ce"] == 0 or v["win"] == 0,
    "hznt": lambda v: v["ce"] == 0 or v["win"] == 0,
    "gzne": lambda v: v["cl"] == 0 or v["win"] == 0,
    "hzne": lambda v: v["cl"] == 0 or v["win"] == 0,
}

COUNTS = tuple(row.name for row in BASE if row.integer)


def inputs(**chosen: float) -> dict[str, float]:
    """A plain won Expert game, with some numbers replaced."""
    usual: dict[str, float] = dict.fromkeys((row.name for row in BASE), 10.0)
    usual |= {
        "time_ms": 40_000,
        "path": 8_000.5,
        "bv": 150,
        "bvdone": 150,
        "op": 11,
        "lce": 130,
        "lcl": 140,
        "gzini": 96,
    }
    usual |= {"win": 1, "level": LEVEL_CODES[Level.EXPERT]}
    return usual | chosen


def derived(base: Mapping[str, float]) -> dict[str, float | None]:
    """All values of one game by the registry, undefined ones as ``None``."""
    found = derive({name: np.array([value], np.float64) for name, value in base.items()})
    return dict(base) | {name: None if np.isnan(value[0]) else float(value[0]) for name, value in found.items()}


def by_text(row: Statistic, values: Values) -> float:
    """The published formula of ``row``, evaluated as it stands."""
    constants = {"stnb": STNB_K, "stnb2023": STNB2023_K}.get(row.name, {})
    names: dict[str, object] = dict(values) | {"log": math.log, "sqrt": math.sqrt}
    names["K"] = constants.get(LEVELS_BY_CODE[int(values["level"] or 0)])
    return float(eval(row.formula, {"__builtins__": {}}, names))  # noqa: S307 - the registry's own text


@cache
def edge_cases() -> tuple[dict[str, float | None], ...]:
    """All values of games at the ends of the definitions."""
    return tuple(derived(base) for base in [*_edges(), inputs(), inputs(bv=0)])


def _edges() -> Iterator[dict[str, float]]:
    """Every combination of the numbers at which a definition ends."""
    edges = product((0, 1, 999, 1000, 1001, 40_000), (0, 1, 150), (0, 11), (0.0, 0.5), (0, 1), LEVELS_BY_CODE, (0, 5))
    for time_ms, bvdone, op, path, win, level, clicks in edges:
        zero_or_more = dict.fromkeys(("lcl", "rcl", "dcl", "lce", "rce", "dce"), float(clicks))
        yield inputs(time_ms=time_ms, bvdone=bvdone, op=op, path=path, win=win, level=level, **zero_or_more)


@pytest.mark.parametrize("row", DERIVED, ids=lambda row: row.name)
def test_formula_text_and_undefined_rule_equal_the_computation(row: Statistic) -> None:
    seen = {True: 0, False: 0}
    for values in edge_cases():
        undefined = UNDEFINED[row.name](values)
        seen[undefined] += 1
        if undefined:
            assert values[row.name] is None, values
        else:
            assert values[row.name] == pytest.approx(by_text(row, values), rel=1e-12), values
    assert seen[False] > 0
    assert bool(row.undefined) == (seen[True] > 0)  # the page names a case exactly when there is one


def test_every_derived_row_has_its_rule_here() -> None:
    assert set(UNDEFINED) == {row.name for row in DERIVED}


# --- identities on random games


PATHS = st.just(0.0) | st.floats(16 / 255, 1e6)  # one step of one pixel in the largest cells, or none


@st.composite
def random_games(draw: st.DrawFn) -> dict[str, float]:
    games = {name: float(draw(st.integers(0, 500))) for name in COUNTS}
    games |= {"time_ms": float(draw(st.integers(0, 1_000_000))), "path": draw(PATHS)}
    games |= {"win": float(draw(st.integers(0, 1))), "level": float(draw(st.sampled_from(sorted(LEVELS_BY_CODE))))}
    return games


def assert_equal_where_defined(left: float | None, right: Callable[[], float]) -> None:
    if left is not None:
        assert left == pytest.approx(right(), rel=1e-9, abs=1e-9)


@settings(max_examples=examples(300))
@given(random_games())
def test_identities(base: dict[str, float]) -> None:
    v = derived(base)

    def of(name: str) -> float:
        value = v[name]
        assert value is not None, name
        return value

    assert v["cl"] == of("lcl") + of("rcl") + of("dcl")
    assert v["ce"] == of("lce") + of("rce") + of("dce")
    assert v["ce_strict"] == of("lce") + of("rce_strict") + of("dce")
    if of("time") > 0 and of("cl") > 0 and of("ce") > 0:
        assert_equal_where_defined(v["corr"], lambda: of("ces") / of("cls"))
        assert_equal_where_defined(v["thrp"], lambda: of("bvs") / of("ces"))
        assert_equal_where_defined(v["ioe"], lambda: of("bvs") / of("cls"))
        assert_equal_where_defined(v["ioe"], lambda: of("corr") * of("thrp"))
    assert_equal_where_defined(v["coo"], lambda: of("cpo") + 1)
    assert (v["coo"] is None) == (v["cpo"] is None)


@settings(max_examples=examples(100))
@given(st.lists(random_games(), min_size=1, max_size=20))
def test_one_vectorised_pass_equals_one_by_one(games: list[dict[str, float]]) -> None:
    batch = derive({name: np.array([game[name] for game in games]) for name in games[0]})
    for place, game in enumerate(games):
        alone = derive({name: np.float64(value) for name, value in game.items()})  # type: ignore[misc]
        for row in DERIVED:
            one, many = float(alone[row.name]), float(batch[row.name][place])
            assert one == many or (math.isnan(one) and math.isnan(many)), row.name


@settings(max_examples=examples(200))
@given(random_games())
def test_no_value_is_ever_infinite(base: dict[str, float]) -> None:
    assert not any(value is not None and math.isinf(value) for value in derived(base).values())


def test_whole_shapes_go_through() -> None:
    shape = (2, 3)
    found = derive({name: np.full(shape, value) for name, value in inputs().items()})
    assert {values.shape for values in found.values()} == {shape}
    assert derive({name: np.empty(0) for name in inputs()})["bvs"].shape == (0,)


# --- figures worked out by hand


def test_a_won_expert_game_by_hand() -> None:
    values = derived(
        inputs(
            time_ms=20_160,
            bvdone=112,
            bv=112,
            op=8,
            path=3_200,
            lcl=90,
            rcl=30,
            dcl=40,
            lce=85,
            rce=28,
            dce=37,
            gzini=80,
        )
    )
    expected = {
        "time": 20.16, "bvs": 5.5555556, "cl": 160, "ce": 150, "corr": 0.9375, "ioe": 0.7, "thrp": 0.7466667,
        "cpo": 4.75, "coo": 5.75, "mov": 9.9206349, "iome": 0.56, "rqp": 3.8088, "rv": 19.0225511, "gzne": 0.5,
        "gznt": 0.5333333, "completion": 1.0, "estime": 20.16,
    }  # fmt: skip
    for name, value in expected.items():
        assert values[name] == pytest.approx(value, rel=1e-7), name
    assert values["ios"] == pytest.approx(math.log(112) / math.log(20.16))
    assert values["stnb"] == pytest.approx(435.001 * 112 / 20.16**1.7)
    assert values["stnb2023"] == pytest.approx(435 * 112 / 20.16**1.7)


def test_a_lost_game_rates_what_was_solved() -> None:
    values = derived(inputs(time_ms=20_000, bv=150, bvdone=75, win=0))
    assert (values["completion"], values["estime"], values["bvs"]) == (0.5, 40.0, 3.75)
    assert values["stnb"] == pytest.approx(math.sqrt(0.5) * 435.001 * 75 / 20**1.7)


# --- the rows themselves


def test_the_names_are_those_of_the_definition_page() -> None:
    assert sorted(BY_NAME) == sorted(NAMES)
    assert len(STATISTICS) == len(NAMES)


@pytest.mark.parametrize("row", STATISTICS, ids=lambda row: row.name)
def test_rows(row: Statistic) -> None:
    assert BY_NAME[row.name] is row
    assert row.name.isidentifier()
    assert row.label
    assert row.doc.endswith(".")
    assert row.group in statistics.GROUPS
    assert row.levels
    assert row.decimals >= 0
    assert (row.kind is StatKind.DERIVED) == bool(row.formula)
    known = set(BY_NAME) | {"win", "level"}
    assert known.issuperset(row.needs)
    assert row in STORED or not row.stored
    assert not row.ranked or (row.stored and row.better is not Better.NONE)


def test_needs_are_the_names_of_formula_and_condition() -> None:
    assert BY_NAME["cpo"].needs == ("win", "ce", "bvdone", "op")
    assert BY_NAME["stnb"].needs == ("level", "completion", "qg")
    assert BY_NAME["ios"].needs == ("bvdone", "time")
    assert BY_NAME["bv"].needs == ()


def test_directions() -> None:
    assert {row.name for row in STATISTICS if row.better is Better.HIGH} == set(HIGH)
    assert {row.name for row in STATISTICS if row.better is Better.LOW} == set(LOW)


def test_rank_keys_put_the_better_value_first() -> None:
    for row in RANKED:
        better, worse = (2.0, 1.0) if row.better is Better.HIGH else (1.0, 2.0)
        assert row.rank_key(better) < row.rank_key(worse)


def test_boards_on_offer() -> None:
    assert ranked_on(Level.CUSTOM) == ()
    assert BY_NAME["stnb"] in ranked_on(Level.EXPERT)
    assert BY_NAME["stnb"] not in ranked_on(Level.BEGINNER_9X9)
    assert BY_NAME["time"] in ranked_on(Level.BEGINNER_9X9)
    assert not {"mov", "iome", "completion", "estime", "cl", "flags"} & {row.name for row in ranked_on(Level.EXPERT)}


def test_the_board_of_luck_is_led_by_who_needed_least() -> None:
    row = BY_NAME["pluck"]
    assert row.ranked
    assert row.rank_key(0.0) < row.rank_key(3.0)
    assert [other.name for other in LUCK if other.ranked] == ["pluck"]


def test_what_the_analysis_makes_and_what_comes_later_are_all_that_is_stored() -> None:
    assert sorted(row.name for row in STORED) == sorted(row.name for row in (*ANALYSED, *LUCK))
    assert {row.kind for row in ANALYSED} == {StatKind.BASE, StatKind.DERIVED}
    assert not {name for row in DERIVED for name in row.needs} & {row.name for row in LUCK}


def test_every_number_names_its_source() -> None:
    """Assert the exceptions by name: the rest of ``NAMES`` is the list of the data page."""
    others = {row.name: row.source for row in STATISTICS if row.source is not PAGE}
    assert others == {
        **dict.fromkeys(("rce_strict", "ce_strict", "stnb2023", "luck", "pluck"), LIBRARY),
        **dict.fromkeys(("gzini_ref", "hzini_ref"), ORIGINATORS),
        **dict.fromkeys(("time_ms", *(row.name for row in LUCK if row.name not in ("luck", "pluck"))), OWN),
    }
    assert {row.source for row in STATISTICS} == set(SOURCES)


def test_classes_are_those_of_the_data_page() -> None:
    basic = {row.name for row in STATISTICS if row.data_class is DataClass.BASIC}
    assert {"time", "cl", "ce", "bv", "isl", "gzini", "path", "flags", "bvdone"} <= basic
    assert not {"bvs", "completion", "estime", "stnb", "mov", "gznt", "rznt", "coo"} & basic
    assert {row.data_class for row in LUCK} == {DataClass.LUCK}


def test_style_is_sorted_by_but_not_ranked() -> None:
    for name in ("mov", "iome"):
        assert (BY_NAME[name].better, BY_NAME[name].ranked, BY_NAME[name].sortable) == (Better.NONE, False, True)
    assert set(RANKED) < set(SORTABLE) <= set(STORED)


def test_rates_of_random_zini() -> None:
    game = {"win": 1.0, "time": 40.0, "ce": 100.0, "cl": 120.0}
    assert of_random_zini(90, game) == {"rzini": 90, "rzinis": 2.25, "rznt": 0.9, "rzne": 0.75}
    undefined = {"rzini": 90, "rzinis": None, "rznt": None, "rzne": None}
    assert of_random_zini(90, game | {"win": 0.0}) == undefined
    assert of_random_zini(90, {"win": 1.0, "time": 0.0, "ce": None, "cl": 0.0}) == undefined
    assert {row.name for row in ON_REQUEST} == undefined.keys()


def test_plain_values() -> None:
    assert plain(BY_NAME["bvs"], math.nan) is None
    assert plain(BY_NAME["cl"], math.nan) is None
    assert plain(BY_NAME["bvs"], 2.0) == 2.0
    whole = plain(BY_NAME["cl"], 7.0)
    assert (whole, type(whole)) == (7, int)


def test_a_row_without_its_needs_is_refused() -> None:
    with pytest.raises(ValueError, match=r"unmet needs.*rv"):
        statistics.in_order_of_need([BY_NAME["rv"]], frozenset())
    ordered = statistics.in_order_of_need(list(reversed(DERIVED)), frozenset(inputs()))
    names = [row.name for row in ordered]
    assert sorted(names) == sorted(row.name for row in DERIVED)
    assert names.index("bvs") < names.index("rqp") < names.index("rv")
