from __future__ import annotations

from dataclasses import dataclass
from functools import cache, partial
from typing import Final
from urllib.parse import urlencode

from analysis.answers import Contradiction, FlagUse, solver_game, solver_move
from analysis.recording import LEVEL_SHAPES, Level
from analysis.solver import Options, Rules, Strength
from analysis.solver.course import Course, Thought
from analysis.solver.match import Match
from analysis.solver.stages import SEED, Stage, read_stages
from players.web.parameters import Parameter, Parsed, choice, form_of, integer
from replays.odds.positions.budget import calculate_for
from replays.odds.positions.positions import PositionQuery
from replays.odds.positions.refusal import Refusal
from replays.odds.positions.results import impossible

#: Rules of the first click.  Boards without guesses are not among them: finding one may take seconds.
RULES: Final = (Rules.XP, Rules.WIN7)
MAX_SEED: Final = 2**31 - 1
#: The game of a page without parameters: won, with guesses.
FIRST_SEED: Final = 9
#: Win rates in percent that xienaoban publishes for the stages of his program, Expert.  Ours are named after the same
#: methods; the page tells of his two stages that have none here.
PUBLISHED: Final = {
    (Rules.XP, Strength.LOGIC): "5",
    (Rules.XP, Strength.EXACT): "23",
    (Rules.XP, Strength.SAFEST): "38.5",
    (Rules.XP, Strength.FULL): "39.68",
    (Rules.WIN7, Strength.FULL): "52.45",
}
#: His histogram, which prints each bar rounded up to whole tenths of all games: the bars of lost games by tenths of the
#: board, then that of the games that he won.
PUBLISHED_TENTHS: Final = (4, 1, 1, 1, 1, 1, 1, 1, 1, 3, 4)

_GAME: Final[tuple[Parameter[str | None] | Parameter[int | None], ...]] = (
    choice("level", [level.value for level in LEVEL_SHAPES], default=Level.EXPERT.value, description="Of the board."),
    choice("rules", [rules.value for rules in RULES], default=Rules.XP.value, description="What the first click promises: xp a safe cell, win7 an opening."),
    choice("stage", [stage.value for stage in Strength], default=Strength.FULL.value, description="The player, from the weakest to the strongest."),
    integer("seed", least=0, most=MAX_SEED, default=FIRST_SEED, description="Of the board and the guesses; the games of the table have 0 and so on."),
)  # fmt: skip
SolverForm: Final = form_of(*_GAME, integer("step", least=0, most=MAX_SEED, default=0))
SOLVER_QUERY: Final = _GAME


@dataclass(frozen=True, slots=True)
class GameQuery:
    """A game: the same parameters, the same game."""

    level: Level
    rules: Rules
    stage: Strength
    seed: int

    @classmethod
    def of(cls, values: Parsed) -> GameQuery:
        return cls(Level(values["level"]), Rules(values["rules"]), Strength(values["stage"]), int(values["seed"]))

    @property
    def parameters(self) -> str:
        return urlencode(
            {"level": self.level.value, "rules": self.rules.value, "stage": self.stage.value, "seed": self.seed}
        )


def played_game(query: GameQuery, visitor: str = "") -> Course:
    """Play the game in the process that computes, charged to ``visitor``.  Raises :class:`Refusal`."""
    match = Match(query.level, query.rules, query.stage, SEED)
    course: Course | None = calculate_for(visitor, solver_game, match, query.seed, kernels=("tools",))
    if course is None:
        raise Refusal("too_wide")
    return course


@cache
def first_game() -> Course:
    """The game of a page without parameters, which is charged to nobody."""
    return played_game(GameQuery(Level.EXPERT, Rules.XP, Strength.FULL, FIRST_SEED))


def next_move(query: PositionQuery, stage: Strength, rules: Rules, seed: int, visitor: str) -> tuple[FlagUse, Thought]:
    """Choose a move in the process that computes, charged to ``visitor``.  Raises :class:`Refusal`."""
    position = query.position()
    task = partial(solver_move, trust_flags=query.trust_flags)
    answer: tuple[FlagUse, Thought] | Contradiction | None = calculate_for(
        visitor, task, position.numbers, position.mines, Options(stage, seed=seed), rules, kernels=("tools",)
    )
    if answer is None:
        raise Refusal("too_wide")
    if isinstance(answer, Contradiction):
        raise impossible(query, position, answer)
    return answer


@cache
def measured_stages() -> tuple[Stage, ...]:
    return tuple(read_stages())
