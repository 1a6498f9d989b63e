"""The registry of statistics: every number of a replay, one row each.

Table columns, serializer fields, sort and filter names, the boards on offer, the public page ``/statistics`` and the
test parameters all come from :data:`STATISTICS`.  To add a statistic, add a row (and a migration, and a golden value).

``compute`` works on float64 arrays of any shape, one element a replay, NaN = not defined; so a million stored replays
are derived in one pass (:func:`derive`).  Outside this module an undefined value is ``None``; there are no sentinels.

Sources: the community's data page unless a row names another of ``analysis.sources``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias, TypedDict

import numpy as np
from numpy.typing import NDArray

from analysis.recording import Level
from analysis.sources import LIBRARY, N_, ORIGINATORS, OWN, PAGE, Source

Floats: TypeAlias = NDArray[np.float64]
Compute: TypeAlias = Callable[..., Floats]

#: Version of the definitions below and of every kernel behind them.  Each stored replay remembers the version that
#: made its numbers; raise it whenever any number may change.  The workers of a site analyse the files of older rows again.
VERSION = 4
#: Version of the LUCK numbers and of everything behind them (``analysis.luck``, the probabilities, the deduction).  They
#: are made by a pass of their own, so it stands apart; the workers measure rows of an older one again.  An index of the
#: table of replays names it: raising it takes a migration.
LUCK_VERSION = 3

RANKED_LEVELS: tuple[Level, ...] = (Level.BEGINNER, Level.BEGINNER_9X9, Level.INTERMEDIATE, Level.EXPERT)
CLASSIC_LEVELS: tuple[Level, ...] = (Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT)
ALL_LEVELS: tuple[Level, ...] = tuple(Level)
LEVEL_CODES: dict[Level, int] = {level: code for code, level in enumerate(Level)}

STNB_K: dict[Level, float] = {Level.BEGINNER: 47.299, Level.INTERMEDIATE: 153.73, Level.EXPERT: 435.001}
STNB2023_K: dict[Level, float] = {Level.BEGINNER: 36.0, Level.INTERMEDIATE: 162.0, Level.EXPERT: 435.0}


class StatKind(StrEnum):
    """BASE needs the replay file, DERIVED only other statistics; LUCK needs the file and a second, later pass over it."""

    BASE = "base"
    DERIVED = "derived"
    LUCK = "luck"


class DataClass(StrEnum):
    """Class on the data page: BASIC numbers are counted in one game, DERIVED ones computed from these; LUCK is ours."""

    BASIC = "basic"
    DERIVED = "derived"
    LUCK = "luck"


#: The time in seconds and the sums of clicks are computed here, but people count them.
_COUNTED = frozenset({"time", "cl", "ce", "ce_strict"})


class Better(StrEnum):
    """Direction that a player wants."""

    LOW = "low"
    HIGH = "high"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Statistic:
    """One number of a replay.

    ``needs``: names of the inputs of ``compute``, in its argument order: other statistics, or ``win`` (0 or 1) and
    ``level`` (a code of :data:`LEVEL_CODES`).  ``formula`` is Python with those names (``K`` stands for the level's
    constant), shown to people and evaluated by a test.  ``undefined`` says when the value is ``None``; ``defined`` is a
    condition in the same language (``analysis.formulas``), for what the formula alone does not tell: a division by 0 or an
    input without a value leaves no value anyway.
    ``decimals``: digits shown, rounded half up; lists show more where they need them to tell values apart.  ``stored``: has a table column; else computed on request.
    ``ranked``: offered as a leaderboard of won games.  ``sortable``: lists of replays can be sorted by it, as by every
    ranked one; it has an index.
    ``name`` is that of the column and of the code.  ``public`` is the one that users and programs read and write in every
    place, the data page's; ``aliases``: other names of the data page for it.
    """

    name: str
    label: str
    group: str
    unit: str
    kind: StatKind
    better: Better
    levels: tuple[Level, ...]
    formula: str
    needs: tuple[str, ...]
    compute: Compute | None
    doc: str
    undefined: str = ""
    defined: str = ""
    source: Source = PAGE
    integer: bool = False
    decimals: int = 3
    stored: bool = True
    ranked: bool = False
    sortable: bool = False
    public: str = ""
    aliases: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "public", self.public or self.name)
        object.__setattr__(self, "sortable", self.sortable or self.ranked)

    @property
    def data_class(self) -> DataClass:
        if self.kind is StatKind.LUCK:
            return DataClass.LUCK
        return DataClass.BASIC if self.kind is StatKind.BASE or self.name in _COUNTED else DataClass.DERIVED

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that addresses, filters and searches understand, the public one first."""
        return (self.public, *self.aliases)

    @property
    def shown_unit(self) -> str:
        """The unit beside a value; "" where the label says it, as in 3BV/s."""
        return "" if self.label.endswith("/s") else self.unit

    @property
    def described(self) -> str:
        """The label with the unit."""
        return f"{self.label} ({self.shown_unit})" if self.shown_unit else self.label

    def rank_key(self, value: float) -> float:
        """``value`` signed so that smaller is better; one index then serves both directions."""
        return -value if self.better is Better.HIGH else value


# --- computations: float64 arrays in, float64 arrays out, NaN where not defined ---------------------------------------


def _divide(numerator: Floats, denominator: Floats) -> Floats:
    """``numerator / denominator``; NaN where the denominator is 0 or either is NaN."""
    safe = np.where(denominator == 0, np.nan, denominator)
    return np.asarray(numerator / safe)


def _where(condition: NDArray[np.bool_], value: Floats) -> Floats:
    return np.where(condition, value, np.nan)


def _won_ratio(win: Floats, numerator: Floats, denominator: Floats) -> Floats:
    return _where(win == 1, _divide(numerator, denominator))


def _rqp(time: Floats, bvs: Floats) -> Floats:
    return _divide(time + 1, bvs)


def _qg(time: Floats, bvdone: Floats) -> Floats:
    return _divide(time**1.7, bvdone)


def _ios(bvdone: Floats, time: Floats) -> Floats:
    defined = (time > 1) & (bvdone > 0)
    numerator = np.log(np.where(defined, bvdone, 1.0))
    return _where(defined, _divide(numerator, np.log(np.where(defined, time, np.e))))


def _rv(rqp: Floats) -> Floats:
    return np.sqrt(100 * rqp + 0.25) - 0.5


def _cpo(win: Floats, ce: Floats, bvdone: Floats, op: Floats) -> Floats:
    return _won_ratio(win, ce - bvdone, op)


def _cells_over(path: Floats, time: Floats) -> Floats:
    return _divide(path / 16, time)


def _iome(bvdone: Floats, path: Floats) -> Floats:
    return _divide(bvdone, path / 16)


def _level_table(constants: Mapping[Level, float]) -> Floats:
    return np.array([constants.get(level, np.nan) for level in LEVEL_CODES])


def _stnb_with(constants: Mapping[Level, float]) -> Compute:
    table = _level_table(constants)

    def compute(level: Floats, completion: Floats, qg: Floats) -> Floats:
        k = table[np.asarray(level, dtype=np.intp)]
        return _divide(np.sqrt(completion) * k, qg)

    return compute


def _sum3(a: Floats, b: Floats, c: Floats) -> Floats:
    return a + b + c


# --- row makers -------------------------------------------------------------------------------------------------------


def _count(
    name: str, label: str, group: str, doc: str, unit: str = "", *, sortable: bool = False, public: str = "",
    aliases: tuple[str, ...] = (), source: Source = PAGE,
) -> Statistic:  # fmt: skip
    """A whole number that comes from replaying the file."""
    return Statistic(
        name=name, label=label, group=group, unit=unit, kind=StatKind.BASE, better=Better.NONE, levels=ALL_LEVELS,
        formula="", needs=(), compute=None, doc=doc, integer=True, decimals=0, sortable=sortable,
        public=public, aliases=aliases, source=source,
    )  # fmt: skip


def _derived(
    name: str,
    label: str,
    group: str,
    better: Better,
    formula: str,
    needs: tuple[str, ...],
    compute: Compute,
    undefined: str,
    doc: str,
    *,
    unit: str = "",
    levels: tuple[Level, ...] = ALL_LEVELS,
    defined: str = "",
    source: Source = PAGE,
    ranked: bool | None = None,
    stored: bool = True,
    sortable: bool = False,
    public: str = "",
    aliases: tuple[str, ...] = (),
) -> Statistic:
    return Statistic(
        name=name, label=label, group=group, unit=unit, kind=StatKind.DERIVED, better=better, levels=levels,
        formula=formula, needs=needs, compute=compute, doc=doc, undefined=undefined,
        defined=defined, source=source, public=public, aliases=aliases,
        ranked=better is not Better.NONE if ranked is None else ranked, stored=stored, sortable=sortable,
    )  # fmt: skip


BOARD = N_("Board")
PLAY = N_("Play")
CLICKS = N_("Clicks")
SPEED = N_("Speed")
EFFICIENCY = N_("Efficiency")
MOVEMENT = N_("Movement")
ZINI = N_("ZiNi")
PROGRESS = N_("Progress")
CHANCE = N_("Luck")
GROUPS: tuple[str, ...] = (PLAY, SPEED, EFFICIENCY, CLICKS, MOVEMENT, PROGRESS, CHANCE, ZINI, BOARD)

_LOST = N_("lost game")
_T0 = N_("the time is 0")
_CE0 = N_("the game has no effective clicks")
_CL0 = N_("the game has no clicks")

# Label and doc of cell0 … cell8, written out so that each stands in the translation catalogue.
_CELL_TEXTS = (
    (N_("Cells showing 0"), N_("Safe cells with no mines around them.")),
    (N_("Cells showing 1"), N_("Safe cells with exactly 1 mine around them.")),
    (N_("Cells showing 2"), N_("Safe cells with exactly 2 mines around them.")),
    (N_("Cells showing 3"), N_("Safe cells with exactly 3 mines around them.")),
    (N_("Cells showing 4"), N_("Safe cells with exactly 4 mines around them.")),
    (N_("Cells showing 5"), N_("Safe cells with exactly 5 mines around them.")),
    (N_("Cells showing 6"), N_("Safe cells with exactly 6 mines around them.")),
    (N_("Cells showing 7"), N_("Safe cells with exactly 7 mines around them.")),
    (N_("Cells showing 8"), N_("Safe cells with exactly 8 mines around them.")),
)

_BOARD_ROWS: tuple[Statistic, ...] = (
    _count("bv", N_("3BV"), BOARD, N_("Bechtel’s Board Benchmark Value, the fewest left clicks that solve the "
                                      "board: openings plus safe cells that are neither zero nor next to a zero."), sortable=True),
    _count("op", N_("Openings"), BOARD, N_("Groups of zeros that touch at a side or corner."), sortable=True),
    _count("isl", N_("Islands"), BOARD, N_("Groups of safe cells, joined by sides and corners, that are neither "
                                           "part of an opening nor next to one."),
           public="is"),
    *(
        _count(f"cell{number}", label, BOARD, doc)
        for number, (label, doc) in enumerate(_CELL_TEXTS)
    ),
    _count("gzini", N_("Greedy ZiNi"), ZINI, N_("Clicks in the greedy solution with flags. Ties go to the topmost row, "
                                                "then to the leftmost cell."), N_("clicks"),
           public="zini", aliases=("gzini",), sortable=True),
    _count("hzini", N_("Human ZiNi"), ZINI, N_("Greedy ZiNi after all openings have been clicked. Ties go to the "
                                               "topmost row, then to the leftmost cell."), N_("clicks")),
    _count("gzini_ref", N_("Greedy ZiNi (column order)"), ZINI, N_("Greedy ZiNi, scanning the board in the same order "
                                                                   "as its authors' code: leftmost column first, "
                                                                   "then topmost cell."), N_("clicks"), source=ORIGINATORS),
    _count("hzini_ref", N_("Human ZiNi (column order)"), ZINI, N_("Human ZiNi as computed by its authors' code: "
                                                                  "openings first, then chords on open cells only; "
                                                                  "when no chord helps, one 3BV is clicked."), N_("clicks"), source=ORIGINATORS),
    Statistic(
        name="rzini", label=N_("Random ZiNi"), group=ZINI, unit=N_("clicks"), kind=StatKind.BASE, better=Better.NONE,
        levels=ALL_LEVELS, formula="", needs=(), compute=None, integer=True, decimals=0, stored=False,
        doc=N_("Greedy ZiNi with ties broken at random, seeded by the board, until 100 runs in a row find no "
               "lower count. Computed on request."),
    ),
)  # fmt: skip

_PLAY_ROWS: tuple[Statistic, ...] = (
    _count("time_ms", N_("Time in milliseconds"), PLAY, N_("Time from the first click to the button release that ended "
                                                           "the game, in whole milliseconds."), "ms", source=OWN),
    Statistic(
        name="time", label=N_("Time"), group=PLAY, unit="s", kind=StatKind.DERIVED, better=Better.LOW, levels=ALL_LEVELS,
        formula="time_ms / 1000", needs=("time_ms",), compute=lambda time_ms: time_ms / 1000, ranked=True,
        doc=N_("Duration of the game in seconds, counted from 0."),
    ),
    Statistic(
        name="path", label=N_("Path"), group=MOVEMENT, unit="px", kind=StatKind.BASE, better=Better.LOW,
        levels=ALL_LEVELS, formula="", needs=(), compute=None, decimals=1, ranked=True,
        doc=N_("Euclidean distance the cursor travelled during the game, in pixels at 16 pixels per cell; points "
               "outside the board are skipped."),
    ),
    _count("lcl", N_("Left clicks"), CLICKS, N_("Completed left clicks, including ones released outside the board.")),
    _count("rcl", N_("Right clicks"), CLICKS, N_("Right clicks that place or remove a flag, or are made without "
                                                 "another button held down.")),
    _count("dcl", N_("Chords"), CLICKS, N_("Chord attempts: both buttons together, Shift + left click, or the middle "
                                                  "button.")),
    _count("lce", N_("Effective left clicks"), CLICKS, N_("Left clicks that open at least one cell, even if it's a "
                                                          "mine.")),
    _count("rce", N_("Effective right clicks"), CLICKS, N_("Right clicks that place or remove a flag.")),
    _count("dce", N_("Effective chords"), CLICKS, N_("Chords that open at least one cell, even if it's a mine.")),
    _count("rce_strict", N_("Effective right clicks (strict)"), CLICKS, N_("Only the first flag on each actual mine "
                                                                           "counts."), source=LIBRARY),
    _count("flags", N_("Flags"), CLICKS, N_("Flags on the board at the end.")),
    _count("bvdone", N_("3BV solved"), PROGRESS, N_("How much of the 3BV was solved: 1 for each opening with every zero open, and 1 for each open safe cell that is neither a zero nor next to one.")),
    _count("opdone", N_("Openings solved"), PROGRESS, N_("Openings with every zero open.")),
    _count("isdone", N_("Islands solved"), PROGRESS, N_("Islands with every cell open.")),
)  # fmt: skip


def _sum_row(
    name: str, label: str, parts: tuple[str, str, str], doc: str, source: Source = PAGE, *, sortable: bool = True
) -> Statistic:
    return Statistic(
        name=name, label=label, group=CLICKS, unit="", kind=StatKind.DERIVED, better=Better.NONE, levels=ALL_LEVELS,
        formula=" + ".join(parts), needs=parts, compute=_sum3, doc=doc, integer=True, decimals=0, sortable=sortable, source=source,
    )  # fmt: skip


class _OfZini(TypedDict):
    better: Better
    defined: str
    stored: bool
    public: str
    aliases: tuple[str, ...]


def _of_zini(prefix: str, plain_name: str) -> _OfZini:
    """Return what all rates share.  On the data page the plain name is that of greedy ZiNi; random ZiNi is not stored."""
    named, is_greedy, is_stored = prefix + plain_name, prefix == "g", prefix != "r"
    return {
        "better": Better.HIGH if is_stored else Better.NONE, "defined": "win == 1", "stored": is_stored,
        "public": plain_name if is_greedy else named, "aliases": (named,) if is_greedy else (),
    }  # fmt: skip


_DERIVED_ROWS: tuple[Statistic, ...] = (
    _sum_row("cl", N_("Clicks"), ("lcl", "rcl", "dcl"), N_("All clicks: left, right and chord.")),
    _sum_row("ce", N_("Effective clicks"), ("lce", "rce", "dce"), N_("All clicks that changed the board.")),
    _sum_row("ce_strict", N_("Effective clicks (strict)"), ("lce", "rce_strict", "dce"), N_("Effective clicks, "
                                                                                            "counting only the first "
                                                                                            "flag on each actual "
                                                                                            "mine."), LIBRARY, sortable=False),
    _derived("completion", N_("Completion"), PROGRESS, Better.HIGH, "bvdone / bv", ("bvdone", "bv"), _divide, N_("the 3BV is 0"),
             N_("The share of the 3BV solved: how far a corpse (a lost game) got. It is 1 in every won game, so "
                "it has no leaderboard."), ranked=False),
    _derived("estime", N_("Estimated time"), PROGRESS, Better.LOW, "time / completion", ("time", "completion"), _divide, N_("the completion is 0"),
             N_("The time a corpse (a lost game) would have taken for the whole board at the same pace. In a won "
                "game it equals the time, so only lost games have a leaderboard for it."), unit="s", ranked=False),
    _derived("bvs", N_("3BV/s"), SPEED, Better.HIGH, "bvdone / time", ("bvdone", "time"), _divide, _T0,
             N_("3BV solved per second."), unit="1/s"),
    _derived("rqp", "RQP", SPEED, Better.LOW, "(time + 1) / bvs", ("time", "bvs"), _rqp, N_("3BV/s is zero or undefined"),
             N_("Rapport qualité-prix (value for money): time and speed in one number.")),
    _derived("qg", "QG", SPEED, Better.LOW, "time ** 1.7 / bvdone", ("time", "bvdone"), _qg, N_("none of the 3BV was solved"),
             N_("Quality Grade: the time to the power of 1.7, divided by the 3BV solved.")),
    _derived("ios", "IOS", SPEED, Better.HIGH, "log(bvdone) / log(time)", ("bvdone", "time"), _ios, N_("the time is at most 1 s, or none of the 3BV was solved"),
             N_("Index of speed, a measure of speed based on 3BV and time."), defined="time > 1 and bvdone > 0"),
    _derived("rv", "RV", SPEED, Better.LOW, "sqrt(100 * rqp + 0.25) - 0.5", ("rqp",), _rv, N_("RQP undefined"),
             N_("Rirun Value: the time at which a board with a 3BV of 100 would give the same RQP.")),
    _derived("stnb", "STNB", SPEED, Better.HIGH, "sqrt(completion) * K / qg", ("level", "completion", "qg"), _stnb_with(STNB_K), N_("a level other than Beginner, Intermediate or Expert, or QG is undefined"),
             N_("A rating that also covers lost games (“corpses”); the name comes from the Chinese 尸体牛逼. It also makes won games on different levels comparable. K = 47.299, 153.73, 435.001 for Beginner, Intermediate, Expert."), levels=CLASSIC_LEVELS),
    _derived("stnb2023", "STNB (2023)", SPEED, Better.HIGH, "sqrt(completion) * K / qg", ("level", "completion", "qg"), _stnb_with(STNB2023_K), N_("a level other than Beginner, Intermediate or Expert, or QG is undefined"),
             N_("STNB with the constants other sites have used since 13 September 2023: K = 36, 162, 435."), levels=CLASSIC_LEVELS, source=LIBRARY),
    _derived("cls", N_("Clicks/s"), CLICKS, Better.HIGH, "cl / time", ("cl", "time"), _divide, _T0, N_("Clicks per second."), unit="1/s"),
    _derived("ces", N_("Effective clicks/s"), CLICKS, Better.HIGH, "ce / time", ("ce", "time"), _divide, _T0, N_("Effective clicks per second."), unit="1/s"),
    _derived("corr", N_("Correctness"), EFFICIENCY, Better.HIGH, "ce / cl", ("ce", "cl"), _divide, _CL0, N_("The share of clicks that changed the board. Not to be "
                                                                                                            "confused with accuracy, which is about risk.")),
    _derived("thrp", N_("Throughput"), EFFICIENCY, Better.HIGH, "bvdone / ce", ("bvdone", "ce"), _divide, _CE0, N_("3BV solved per effective click.")),
    _derived("ioe", N_("IOE"), EFFICIENCY, Better.HIGH, "bvdone / cl", ("bvdone", "cl"), _divide, _CL0, N_("Index of efficiency: 3BV solved per click.")),
    _derived("cpo", N_("CE wasted per opening"), EFFICIENCY, Better.LOW, "(ce - bvdone) / op", ("win", "ce", "bvdone", "op"), _cpo, N_("the board has no openings, or the game was lost"),
             N_("Average CE wasted per opening: effective clicks (CE) beyond the 3BV, divided by the number of "
                "openings."), defined="win == 1"),
    _derived("coo", N_("CE cost per opening"), EFFICIENCY, Better.LOW, "cpo + 1", ("cpo",), lambda cpo: cpo + 1, N_("the board has no openings, or the game was lost"),
             N_("Average cost of an opening in effective clicks (CE): the CE wasted per opening plus the click "
                "that opens it.")),
    _derived("mov", N_("Movement"), MOVEMENT, Better.NONE, "path / 16 / time", ("path", "time"), _cells_over, _T0, N_("Cells the cursor travels per second. This shows style, not skill: some good players move a lot, others very little. So it has no leaderboard, but you can sort lists by it in either direction."),
             unit=N_("cells/s"), sortable=True),
    _derived("iome", "IOME", MOVEMENT, Better.NONE, "bvdone / (path / 16)", ("bvdone", "path"), _iome, N_("the path is 0"),
             N_("Index of movement efficiency: 3BV solved per cell travelled. This shows style, not skill: some good "
                "players move a lot, others very little. So it has no leaderboard, but you can sort lists by it in "
                "either direction."), sortable=True),
    _derived("sao", N_("SAO"), MOVEMENT, Better.HIGH, "mov * ces", ("mov", "ces"), lambda mov, ces: mov * ces, N_("movement or effective clicks/s is undefined"),
             N_("Movement multiplied by effective clicks per second; from the Chinese 风骚度.")),
    *(
        row
        for prefix, speed in (("g", N_("Greedy ZiNi/s")), ("h", N_("Human ZiNi/s")), ("r", N_("Random ZiNi/s")))
        for row in (
            _derived(f"{prefix}zinis", speed, ZINI, formula=f"{prefix}zini / time", needs=("win", f"{prefix}zini", "time"), compute=_won_ratio, undefined=N_("the time is 0 or the game was lost"),
                     doc=N_("ZiNi clicks per second."), unit="1/s", **_of_zini(prefix, "zinis")),
            _derived(f"{prefix}znt", f"{prefix.upper()}ZNT", ZINI, formula=f"{prefix}zini / ce", needs=("win", f"{prefix}zini", "ce"), compute=_won_ratio, undefined=N_("the game has no effective clicks or was lost"),
                     doc=N_("ZiNi throughput: ZiNi per effective click."), **_of_zini(prefix, "znt")),
            _derived(f"{prefix}zne", f"{prefix.upper()}ZNE", ZINI, formula=f"{prefix}zini / cl", needs=("win", f"{prefix}zini", "cl"), compute=_won_ratio, undefined=N_("the game has no clicks or was lost"),
                     doc=N_("ZiNi efficiency: ZiNi per click."), **_of_zini(prefix, "zne")),
        )
    ),
)  # fmt: skip


def _luck_row(
    name: str, label: str, better: Better, doc: str, undefined: str, *, integer: bool = True, decimals: int = 0, ranked: bool = False,
    source: Source = OWN, group: str = CHANCE,
) -> Statistic:  # fmt: skip
    """A number of ``analysis.luck``."""
    return Statistic(
        name=name, label=label, group=group, unit="", kind=StatKind.LUCK, better=better, levels=ALL_LEVELS, formula="",
        needs=(), compute=None, doc=doc, undefined=undefined, integer=integer, decimals=decimals, ranked=ranked,
        source=source,
    )  # fmt: skip


_LATER = N_("not calculated yet, or the game is too complex to calculate")
_LATER_OR_HIT = N_("not calculated yet, the game is too complex to calculate, or the first click hit a mine")

# Of won games the one that needed the *least* luck is the best.  The other way round a board would be led by whoever
# guesses most: every needless guess that comes off raises pluck.
_LUCK_ROWS: tuple[Statistic, ...] = (
    _luck_row("luck", N_("Chance of survival"), Better.HIGH, N_("The chance of surviving every click that opened cells, leaving out a click that hit a mine. We multiply each click's chance of being safe, judging by what the player could see; the first click counts as safe."), _LATER,
              integer=False, decimals=6, source=LIBRARY),
    _luck_row("pluck", N_("Luck needed"), Better.LOW, N_("−log10 of the chance of survival: 0 if nothing was left to "
                                                         "chance, 1 for a one-in-ten chance, 2 for one in a hundred. "
                                                         "A lower value means the win needed less luck."), _LATER,
              integer=False, decimals=3, ranked=True, source=LIBRARY),
    _luck_row("guesses", N_("Guesses"), Better.LOW, N_("Clicks that opened a cell that could have been a mine, not "
                                                       "counting the first click."), _LATER),
    _luck_row("needless_guesses", N_("Needless guesses"), Better.LOW, N_("Guesses made when another cell was provably "
                                                                         "safe."), _LATER),
    _luck_row("accuracy", N_("Accuracy"), Better.HIGH, N_("Of the clicks that opened cells, the percentage that took no avoidable risk: no guess while another cell was provably safe, and no click more than two percentage points riskier than the safest cell. Accuracy only looks one click ahead, so guessing on purpose for speed lowers it."), _LATER, integer=False, decimals=1),
    _luck_row("needless_risk", N_("Needless risk"), Better.LOW, N_("How much riskier the clicks were than the safest ones, in coin flips: the sum of log2((1 − lowest risk) / (1 − risk)) over the opening clicks after the first. A needless 50/50 guess adds 1."),
              N_("not calculated yet, the game is too complex to calculate, or the player opened a definite mine"), integer=False, decimals=2),
    _luck_row("pace", N_("Pace"), Better.HIGH, N_("The share of the time that wasn't lost in slow stretches: gaps between opening clicks that last more than a second and more than four times the median gap."), N_("not calculated yet, the game is too complex to calculate, or the time is 0"), integer=False, decimals=3, group=SPEED),
    _luck_row("worst_risk", N_("Highest risk"), Better.LOW, N_("The highest risk of hitting a mine in any single click."), _LATER, integer=False, decimals=4),
    _luck_row("no_guess", N_("Solvable without guessing"), Better.NONE, N_("1 if the board can be solved by logic "
                                                                           "alone after the first click, 0 if it "
                                                                           "takes a guess."), _LATER_OR_HIT),
    _luck_row("difficulty", N_("Difficulty"), Better.NONE, N_("The hardest rule needed after the first click: 0 = none, 1 = one number, MD(1), 2 = two numbers, MD(2), 3 = three numbers, NMD(3), 4 = case analysis, 5 = the total mine count, 6 = a guess."), _LATER_OR_HIT),
)  # fmt: skip

STATISTICS: tuple[Statistic, ...] = (*_PLAY_ROWS, *_DERIVED_ROWS, *_LUCK_ROWS, *_BOARD_ROWS)
BY_NAME: dict[str, Statistic] = {row.name: row for row in STATISTICS}
#: By every name that people and programs may write (``Statistic.names``).
BY_ANY_NAME: dict[str, Statistic] = {name: row for row in STATISTICS for name in row.names}
STORED: tuple[Statistic, ...] = tuple(row for row in STATISTICS if row.stored)
RANKED: tuple[Statistic, ...] = tuple(row for row in STATISTICS if row.ranked)
SORTABLE: tuple[Statistic, ...] = tuple(row for row in STATISTICS if row.sortable)
#: Statistics made to compare corpses (lost games): lists of these sort by them.
OF_CORPSES: tuple[Statistic, ...] = (BY_NAME["stnb"], BY_NAME["estime"], BY_NAME["completion"])
#: Sortable statistics that rate a game of one click above all others: lists sorted by them leave out games with little solved.
FROM_COMPLETION: tuple[Statistic, ...] = (BY_NAME["stnb"], BY_NAME["stnb2023"])
#: Computed for one replay on request (:func:`of_random_zini`).
ON_REQUEST: tuple[Statistic, ...] = tuple(row for row in STATISTICS if not row.stored)
BASE: tuple[Statistic, ...] = tuple(row for row in STORED if row.kind is StatKind.BASE)
DERIVED: tuple[Statistic, ...] = tuple(row for row in STORED if row.kind is StatKind.DERIVED)
LUCK: tuple[Statistic, ...] = tuple(row for row in STORED if row.kind is StatKind.LUCK)
#: What the analysis of an upload makes at once; the others come later.
ANALYSED: tuple[Statistic, ...] = tuple(row for row in STORED if row.kind is not StatKind.LUCK)

_INPUTS = frozenset({"win", "level"})


def in_order_of_need(rows: Sequence[Statistic], known: frozenset[str] | None = None) -> tuple[Statistic, ...]:
    """``rows`` such that each stands behind what it needs; raises ``ValueError`` on a missing need or a circle.

    ``known``: what is there from the beginning; None: every BASE statistic, and ``win`` and ``level``.
    """
    if known is None:
        known = frozenset(row.name for row in BASE) | _INPUTS
    waiting, ordered, have = list(rows), [], set(known)
    while waiting:
        ready = [row for row in waiting if have.issuperset(row.needs)]
        if not ready:
            raise ValueError(f"statistics with unmet needs: {[row.name for row in waiting]}")
        ordered.extend(ready)
        have.update(row.name for row in ready)
        waiting = [row for row in waiting if row not in ready]
    return tuple(ordered)


if len(BY_NAME) != len(STATISTICS) or len(BY_ANY_NAME) != sum(len(row.names) for row in STATISTICS):
    raise ValueError("two statistics share a name")
_PLAN = in_order_of_need(DERIVED)


def ranked_on(level: Level) -> tuple[Statistic, ...]:
    """The statistics that have a leaderboard on ``level``."""
    return tuple(row for row in RANKED if level in row.levels and level is not Level.CUSTOM)


def derive(base: Mapping[str, Floats]) -> dict[str, Floats]:
    """All derived statistics of many replays at once.

    Parameters
    ----------
    base : mapping of name to float64 array, all of one shape
        every BASE statistic, ``win`` (0 or 1) and ``level`` (codes of :data:`LEVEL_CODES`).

    Returns
    -------
    dict of name to float64 array of that shape, NaN where not defined.  Infinite results do not occur: every
    division guards its denominator, and inputs are finite.
    """
    values: dict[str, Floats] = dict(base)
    with np.errstate(invalid="ignore", over="ignore"):
        for row in _PLAN:
            assert row.compute is not None  # DERIVED rows have one by construction  # noqa: S101
            values[row.name] = np.asarray(row.compute(*(values[name] for name in row.needs)), dtype=np.float64)
    return {row.name: values[row.name] for row in DERIVED}


def of_random_zini(clicks: int, stored: Mapping[str, float | None]) -> dict[str, float | int | None]:
    """Return every statistic of :data:`ON_REQUEST` for a random ZiNi of ``clicks``.

    ``stored``: ``win`` (0 or 1), ``time``, ``ce`` and ``cl`` of the game.
    """
    values: dict[str, float | None] = {**stored, "rzini": clicks}
    found: dict[str, float | int | None] = {"rzini": clicks}
    for row in ON_REQUEST:
        if row.compute is not None:
            given = (values[name] for name in row.needs)
            inputs = (np.float64(np.nan if value is None else value) for value in given)
            found[row.name] = plain(row, float(row.compute(*inputs)))
    return found


def plain(row: Statistic, value: float) -> float | int | None:
    """``value`` as it is stored: ``None`` for NaN, ``int`` for counts, else ``float``."""
    if math.isnan(value):
        return None
    return round(value) if row.integer else float(value)
