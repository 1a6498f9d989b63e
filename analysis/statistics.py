"""The registry of statistics: every number of a replay, one row each.

Table columns, serializer fields, sort and filter names, the boards on offer, the public page ``/statistics`` and the
test parameters all come from :data:`STATISTICS`.  To add a statistic, add a row (and a migration, and a golden value).

Formulas are evaluated on float64 arrays of any shape, one element a replay, NaN = not defined; so a million stored
replays are derived in one pass (:func:`derive`).  Outside this module an undefined value is ``None``; there are no sentinels.

Sources: the community's data page unless a row names another of ``analysis.sources``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from functools import cache, partial
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.formulas import names_in, tree, value_of
from analysis.recording import Level
from analysis.sources import LIBRARY, N_, ORIGINATORS, OWN, PAGE, Source

Floats: TypeAlias = NDArray[np.float64]

#: Version of the definitions below and of every kernel behind them.  Each stored replay remembers the version that
#: made its numbers; raise it whenever any number may change.  The workers of a site analyse the files of older rows again.
VERSION = 4
#: Version of the LUCK numbers and of everything behind them (``analysis.luck``, the probabilities, the deduction).  They
#: are made by a pass of their own, so it stands apart; the workers measure rows of an older one again.  An index of the
#: table of replays names it: raising it takes a migration.
LUCK_VERSION = 3

_tree = cache(tree)

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


#: What formulas may use besides statistics.
_INPUTS = frozenset({"win", "level"})
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

    ``formula``: a text of ``analysis.formulas`` with names of other statistics, ``win`` (0 or 1) and ``K``, the level's
    constant.  ``undefined`` tells people when there is no value; ``defined`` is a condition in the same language, for
    what the formula alone does not tell: a division by 0 or an input without a value leaves no value anyway.
    ``needs``: the names that both use; ``level`` (a code of :data:`LEVEL_CODES`) for ``K``.
    ``decimals``: digits shown, rounded half up; lists show more where they need them to tell values apart.
    ``stored``: has a table column; else computed on request.  ``ranked``: offered as a leaderboard of won games, as all
    with a better direction are unless their row says otherwise.  ``sortable``: lists of replays can be sorted by it, as by every
    ranked one; it has an index.
    ``name`` is that of the column and of the code.  ``public`` is the one that users and programs read and write in every
    place, the data page's; ``aliases``: other names of the data page for it.
    """

    name: str
    label: str
    group: str
    doc: str
    unit: str = ""
    _: KW_ONLY
    kind: StatKind = StatKind.DERIVED
    better: Better = Better.NONE
    levels: tuple[Level, ...] = ALL_LEVELS
    formula: str = ""
    constants: Mapping[Level, float] = field(default_factory=dict, compare=False)
    undefined: str = ""
    defined: str = ""
    source: Source = PAGE
    integer: bool = False
    decimals: int = 3
    stored: bool = True
    ranked: bool | None = None
    sortable: bool = False
    public: str = ""
    aliases: tuple[str, ...] = ()
    needs: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        ranked = self.better is not Better.NONE if self.ranked is None else self.ranked
        object.__setattr__(self, "public", self.public or self.name)
        object.__setattr__(self, "ranked", ranked)
        object.__setattr__(self, "sortable", self.sortable or ranked)
        named = [*names_in(self.formula), *names_in(self.defined)]
        needed = dict.fromkeys("level" if name == "K" else name for name in named)
        # Those that are no statistics come first.
        object.__setattr__(self, "needs", tuple(sorted(needed, key=lambda name: name not in _INPUTS)))

    def compute(self, values: Mapping[str, Floats]) -> Floats:
        """Evaluate the formula for many replays at once; NaN where not defined, of which numpy warns.

        ``values``: float64 arrays of any one shape by name, one of each that it ``needs``.
        """
        if self.constants:
            table = np.array([self.constants.get(level, np.nan) for level in LEVEL_CODES])
            values = {**values, "K": table[values["level"].astype(np.intp)]}
        found = value_of(_tree(self.formula), values)
        return np.where(value_of(_tree(self.defined), values) == 1, found, np.nan) if self.defined else found

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
        return f"{self.label} ({self.shown_unit})" if self.shown_unit else self.label

    def rank_key(self, value: float) -> float:
        """``value`` signed so that smaller is better; one index then serves both directions."""
        return -value if self.better is Better.HIGH else value


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

_counted = partial(Statistic, kind=StatKind.BASE, integer=True, decimals=0)
_sum = partial(Statistic, group=CLICKS, integer=True, decimals=0, sortable=True)
_luck = partial(Statistic, group=CHANCE, kind=StatKind.LUCK, integer=True, decimals=0, ranked=False, source=OWN)

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
    _counted("bv", N_("3BV"), BOARD, N_("Bechtel’s Board Benchmark Value, the fewest left clicks that solve the "
                                      "board: openings plus safe cells that are neither zero nor next to a zero."), sortable=True),
    _counted("op", N_("Openings"), BOARD, N_("Groups of zeros that touch at a side or corner."), sortable=True),
    _counted("isl", N_("Islands"), BOARD, N_("Groups of safe cells, joined by sides and corners, that are neither "
                                           "part of an opening nor next to one."),
           public="is"),
    *(
        _counted(f"cell{number}", label, BOARD, doc)
        for number, (label, doc) in enumerate(_CELL_TEXTS)
    ),
    _counted("gzini", N_("Greedy ZiNi"), ZINI, N_("Clicks in the greedy solution with flags. Ties go to the topmost row, "
                                                "then to the leftmost cell."), N_("clicks"),
           public="zini", aliases=("gzini",), sortable=True),
    _counted("hzini", N_("Human ZiNi"), ZINI, N_("Greedy ZiNi after all openings have been clicked. Ties go to the "
                                               "topmost row, then to the leftmost cell."), N_("clicks")),
    _counted("gzini_ref", N_("Greedy ZiNi (column order)"), ZINI, N_("Greedy ZiNi, scanning the board in the same order "
                                                                   "as its authors' code: leftmost column first, "
                                                                   "then topmost cell."), N_("clicks"), source=ORIGINATORS),
    _counted("hzini_ref", N_("Human ZiNi (column order)"), ZINI, N_("Human ZiNi as computed by its authors' code: "
                                                                  "openings first, then chords on open cells only; "
                                                                  "when no chord helps, one 3BV is clicked."), N_("clicks"), source=ORIGINATORS),
    _counted("rzini", N_("Random ZiNi"), ZINI, N_("Greedy ZiNi with ties broken at random, seeded by the board, until 100 "
                                                  "runs in a row find no lower count. Computed on request."), N_("clicks"), stored=False),
)  # fmt: skip

_PLAY_ROWS: tuple[Statistic, ...] = (
    _counted("time_ms", N_("Time in milliseconds"), PLAY, N_("Time from the first click to the button release that ended "
                                                           "the game, in whole milliseconds."), "ms", source=OWN),
    Statistic("time", N_("Time"), PLAY, N_("Duration of the game in seconds, counted from 0."), "s", better=Better.LOW, formula="time_ms / 1000"),
    Statistic("path", N_("Path"), MOVEMENT, N_("Euclidean distance the cursor travelled during the game, in pixels at 16 pixels per cell; points "
                                               "outside the board are skipped."), "px", kind=StatKind.BASE, better=Better.LOW, decimals=1),
    _counted("lcl", N_("Left clicks"), CLICKS, N_("Completed left clicks, including ones released outside the board.")),
    _counted("rcl", N_("Right clicks"), CLICKS, N_("Right clicks that place or remove a flag, or are made without "
                                                 "another button held down.")),
    _counted("dcl", N_("Chords"), CLICKS, N_("Chord attempts: both buttons together, Shift + left click, or the middle "
                                                  "button.")),
    _counted("lce", N_("Effective left clicks"), CLICKS, N_("Left clicks that open at least one cell, even if it's a "
                                                          "mine.")),
    _counted("rce", N_("Effective right clicks"), CLICKS, N_("Right clicks that place or remove a flag.")),
    _counted("dce", N_("Effective chords"), CLICKS, N_("Chords that open at least one cell, even if it's a mine.")),
    _counted("rce_strict", N_("Effective right clicks (strict)"), CLICKS, N_("Only the first flag on each actual mine "
                                                                           "counts."), source=LIBRARY),
    _counted("flags", N_("Flags"), CLICKS, N_("Flags on the board at the end.")),
    _counted("bvdone", N_("3BV solved"), PROGRESS, N_("How much of the 3BV was solved: 1 for each opening with every zero open, and 1 for each open safe cell that is neither a zero nor next to one.")),
    _counted("opdone", N_("Openings solved"), PROGRESS, N_("Openings with every zero open.")),
    _counted("isdone", N_("Islands solved"), PROGRESS, N_("Islands with every cell open.")),
)  # fmt: skip


def _zini_rate(
    prefix: str, plain_name: str, label: str, divisor: str, undefined: str, doc: str, unit: str = ""
) -> Statistic:
    """Return a rate of one ZiNi.  On the data page the plain name is that of greedy ZiNi; random ZiNi is not stored."""
    name, is_greedy, is_stored = prefix + plain_name, prefix == "g", prefix != "r"
    return Statistic(
        name, label, ZINI, doc, unit, better=Better.HIGH if is_stored else Better.NONE, formula=f"{prefix}zini / {divisor}",
        undefined=undefined, defined="win == 1", stored=is_stored, public=plain_name if is_greedy else name,
        aliases=(name,) if is_greedy else (),
    )  # fmt: skip


_DERIVED_ROWS: tuple[Statistic, ...] = (
    _sum("cl", N_("Clicks"), formula="lcl + rcl + dcl", doc=N_("All clicks: left, right and chord.")),
    _sum("ce", N_("Effective clicks"), formula="lce + rce + dce", doc=N_("All clicks that changed the board.")),
    _sum("ce_strict", N_("Effective clicks (strict)"), formula="lce + rce_strict + dce", doc=N_("Effective clicks, "
                                                                                            "counting only the first "
                                                                                            "flag on each actual "
                                                                                            "mine."), source=LIBRARY, sortable=False),
    Statistic("completion", N_("Completion"), PROGRESS, better=Better.HIGH, formula="bvdone / bv", undefined=N_("the 3BV is 0"),
             doc=N_("The share of the 3BV solved: how far a corpse (a lost game) got. It is 1 in every won game, so "
                "it has no leaderboard."), ranked=False),
    Statistic("estime", N_("Estimated time"), PROGRESS, better=Better.LOW, formula="time / completion", undefined=N_("the completion is 0"),
             doc=N_("The time a corpse (a lost game) would have taken for the whole board at the same pace. In a won "
                "game it equals the time, so only lost games have a leaderboard for it."), unit="s", ranked=False),
    Statistic("bvs", N_("3BV/s"), SPEED, better=Better.HIGH, formula="bvdone / time", undefined=_T0,
             doc=N_("3BV solved per second."), unit="1/s"),
    Statistic("rqp", "RQP", SPEED, better=Better.LOW, formula="(time + 1) / bvs", undefined=N_("3BV/s is zero or undefined"),
             doc=N_("Rapport qualité-prix (value for money): time and speed in one number.")),
    Statistic("qg", "QG", SPEED, better=Better.LOW, formula="time ** 1.7 / bvdone", undefined=N_("none of the 3BV was solved"),
             doc=N_("Quality Grade: the time to the power of 1.7, divided by the 3BV solved.")),
    Statistic("ios", "IOS", SPEED, better=Better.HIGH, formula="log(bvdone) / log(time)", undefined=N_("the time is at most 1 s, or none of the 3BV was solved"),
             doc=N_("Index of speed, a measure of speed based on 3BV and time."), defined="time > 1 and bvdone > 0"),
    Statistic("rv", "RV", SPEED, better=Better.LOW, formula="sqrt(100 * rqp + 0.25) - 0.5", undefined=N_("RQP undefined"),
             doc=N_("Rirun Value: the time at which a board with a 3BV of 100 would give the same RQP.")),
    Statistic("stnb", "STNB", SPEED, better=Better.HIGH, formula="sqrt(completion) * K / qg", undefined=N_("a level other than Beginner, Intermediate or Expert, or QG is undefined"),
             doc=N_("A rating that also covers lost games (“corpses”); the name comes from the Chinese 尸体牛逼. It also makes won games on different levels comparable. K = 47.299, 153.73, 435.001 for Beginner, Intermediate, Expert."), levels=CLASSIC_LEVELS, constants=STNB_K),
    Statistic("stnb2023", "STNB (2023)", SPEED, better=Better.HIGH, formula="sqrt(completion) * K / qg", undefined=N_("a level other than Beginner, Intermediate or Expert, or QG is undefined"),
             doc=N_("STNB with the constants other sites have used since 13 September 2023: K = 36, 162, 435."), levels=CLASSIC_LEVELS, constants=STNB2023_K, source=LIBRARY),
    Statistic("cls", N_("Clicks/s"), CLICKS, better=Better.HIGH, formula="cl / time", undefined=_T0, doc=N_("Clicks per second."), unit="1/s"),
    Statistic("ces", N_("Effective clicks/s"), CLICKS, better=Better.HIGH, formula="ce / time", undefined=_T0, doc=N_("Effective clicks per second."), unit="1/s"),
    Statistic("corr", N_("Correctness"), EFFICIENCY, better=Better.HIGH, formula="ce / cl", undefined=_CL0, doc=N_("The share of clicks that changed the board. Not to be "
                                                                                                            "confused with accuracy, which is about risk.")),
    Statistic("thrp", N_("Throughput"), EFFICIENCY, better=Better.HIGH, formula="bvdone / ce", undefined=_CE0, doc=N_("3BV solved per effective click.")),
    Statistic("ioe", N_("IOE"), EFFICIENCY, better=Better.HIGH, formula="bvdone / cl", undefined=_CL0, doc=N_("Index of efficiency: 3BV solved per click.")),
    Statistic("cpo", N_("CE wasted per opening"), EFFICIENCY, better=Better.LOW, formula="(ce - bvdone) / op", undefined=N_("the board has no openings, or the game was lost"),
             doc=N_("Average CE wasted per opening: effective clicks (CE) beyond the 3BV, divided by the number of "
                "openings."), defined="win == 1"),
    Statistic("coo", N_("CE cost per opening"), EFFICIENCY, better=Better.LOW, formula="cpo + 1", undefined=N_("the board has no openings, or the game was lost"),
             doc=N_("Average cost of an opening in effective clicks (CE): the CE wasted per opening plus the click "
                "that opens it.")),
    Statistic("mov", N_("Movement"), MOVEMENT, better=Better.NONE, formula="path / 16 / time", undefined=_T0, doc=N_("Cells the cursor travels per second. This shows style, not skill: some good players move a lot, others very little. So it has no leaderboard, but you can sort lists by it in either direction."),
             unit=N_("cells/s"), sortable=True),
    Statistic("iome", "IOME", MOVEMENT, better=Better.NONE, formula="bvdone / (path / 16)", undefined=N_("the path is 0"),
             doc=N_("Index of movement efficiency: 3BV solved per cell travelled. This shows style, not skill: some good "
                "players move a lot, others very little. So it has no leaderboard, but you can sort lists by it in "
                "either direction."), sortable=True),
    Statistic("sao", N_("SAO"), MOVEMENT, better=Better.HIGH, formula="mov * ces", undefined=N_("movement or effective clicks/s is undefined"),
             doc=N_("Movement multiplied by effective clicks per second; from the Chinese 风骚度.")),
    *(
        row
        for prefix, speed in (("g", N_("Greedy ZiNi/s")), ("h", N_("Human ZiNi/s")), ("r", N_("Random ZiNi/s")))
        for row in (
            _zini_rate(prefix, "zinis", speed, "time", N_("the time is 0 or the game was lost"), N_("ZiNi clicks per second."), "1/s"),
            _zini_rate(prefix, "znt", f"{prefix.upper()}ZNT", "ce", N_("the game has no effective clicks or was lost"), N_("ZiNi throughput: ZiNi per effective click.")),
            _zini_rate(prefix, "zne", f"{prefix.upper()}ZNE", "cl", N_("the game has no clicks or was lost"), N_("ZiNi efficiency: ZiNi per click.")),
        )
    ),
)  # fmt: skip


_LATER = N_("not calculated yet, or the game is too complex to calculate")
_LATER_OR_HIT = N_("not calculated yet, the game is too complex to calculate, or the first click hit a mine")

# Of won games the one that needed the *least* luck is the best.  The other way round a board would be led by whoever
# guesses most: every needless guess that comes off raises pluck.
_LUCK_ROWS: tuple[Statistic, ...] = (
    _luck("luck", N_("Chance of survival"), better=Better.HIGH, doc=N_("The chance of surviving every click that opened cells, leaving out a click that hit a mine. We multiply each click's chance of being safe, judging by what the player could see; the first click counts as safe."), undefined=_LATER,
              integer=False, decimals=6, source=LIBRARY),
    _luck("pluck", N_("Luck needed"), better=Better.LOW, doc=N_("−log10 of the chance of survival: 0 if nothing was left to "
                                                         "chance, 1 for a one-in-ten chance, 2 for one in a hundred. "
                                                         "A lower value means the win needed less luck."), undefined=_LATER,
              integer=False, decimals=3, ranked=True, source=LIBRARY),
    _luck("guesses", N_("Guesses"), better=Better.LOW, doc=N_("Clicks that opened a cell that could have been a mine, not "
                                                       "counting the first click."), undefined=_LATER),
    _luck("needless_guesses", N_("Needless guesses"), better=Better.LOW, doc=N_("Guesses made when another cell was provably "
                                                                         "safe."), undefined=_LATER),
    _luck("accuracy", N_("Accuracy"), better=Better.HIGH, doc=N_("Of the clicks that opened cells, the percentage that took no avoidable risk: no guess while another cell was provably safe, and no click more than two percentage points riskier than the safest cell. Accuracy only looks one click ahead, so guessing on purpose for speed lowers it."), undefined=_LATER, integer=False, decimals=1),
    _luck("needless_risk", N_("Needless risk"), better=Better.LOW, doc=N_("How much riskier the clicks were than the safest ones, in coin flips: the sum of log2((1 − lowest risk) / (1 − risk)) over the opening clicks after the first. A needless 50/50 guess adds 1."),
              undefined=N_("not calculated yet, the game is too complex to calculate, or the player opened a definite mine"), integer=False, decimals=2),
    _luck("pace", N_("Pace"), better=Better.HIGH, doc=N_("The share of the time that wasn't lost in slow stretches: gaps between opening clicks that last more than a second and more than four times the median gap."), undefined=N_("not calculated yet, the game is too complex to calculate, or the time is 0"), integer=False, decimals=3, group=SPEED),
    _luck("worst_risk", N_("Highest risk"), better=Better.LOW, doc=N_("The highest risk of hitting a mine in any single click."), undefined=_LATER, integer=False, decimals=4),
    _luck("no_guess", N_("Solvable without guessing"), better=Better.NONE, doc=N_("1 if the board can be solved by logic "
                                                                           "alone after the first click, 0 if it "
                                                                           "takes a guess."), undefined=_LATER_OR_HIT),
    _luck("difficulty", N_("Difficulty"), better=Better.NONE, doc=N_("The hardest rule needed after the first click: 0 = none, 1 = one number, MD(1), 2 = two numbers, MD(2), 3 = three numbers, NMD(3), 4 = case analysis, 5 = the total mine count, 6 = a guess."), undefined=_LATER_OR_HIT),
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
    return tuple(row for row in RANKED if level in row.levels and level is not Level.CUSTOM)


def derive(base: Mapping[str, Floats]) -> dict[str, Floats]:
    """All derived statistics of many replays at once.

    ``base``: mapping of name to float64 array, all of one shape, every BASE statistic, ``win`` (0 or 1) and ``level``
    (codes of :data:`LEVEL_CODES`).

    Returns
    -------
    dict of name to float64 array of that shape, NaN where not defined.  Infinite results do not occur: every
    division guards its denominator, and inputs are finite.
    """
    values: dict[str, Floats] = dict(base)
    with np.errstate(all="ignore"):
        for row in _PLAN:
            values[row.name] = row.compute(values)
    return {row.name: values[row.name] for row in DERIVED}


def of_random_zini(clicks: int, stored: Mapping[str, float | None]) -> dict[str, float | int | None]:
    """Return every statistic of :data:`ON_REQUEST` for a random ZiNi of ``clicks``.

    ``stored``: ``win`` (0 or 1), ``time``, ``ce`` and ``cl`` of the game.
    """
    given = {**stored, "rzini": clicks}
    values = {name: np.array(np.nan if value is None else value, np.float64) for name, value in given.items()}
    with np.errstate(all="ignore"):
        for row in ON_REQUEST:
            if row.formula:
                values[row.name] = row.compute(values)
    return {row.name: plain(row, float(values[row.name])) for row in ON_REQUEST}


def plain(row: Statistic, value: float) -> float | int | None:
    """``value`` as it is stored: ``None`` for NaN, ``int`` for counts, else ``float``."""
    if math.isnan(value):
        return None
    return round(value) if row.integer else float(value)
