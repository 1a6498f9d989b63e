from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from analysis.names import shown_name
from analysis.statistics import BY_NAME
from analysis.time_convention import difference, difference_text, value_text
from players.accounts.claims.selectors import claims_of_account, identities_of_account, names_to_claim
from players.leaderboards import ranked_games
from players.leaderboards.boards import COMBINED, COMBINED_LEVELS, HARDEST_FIRST, BoardKey
from players.leaderboards.passing.selectors import Passings, passings
from players.leaderboards.ranked_games import GameLine
from players.leaderboards.ranks.rows import BoardRow
from players.leaderboards.ranks.stored import rows_around
from players.leaderboards.sub_n.selectors import Rung, next_rung
from players.models import ALL_STYLES, Claim, Player, User
from players.people.selectors import player_of_account
from players.profile.page.selectors import PlayerBests, RankedBest, player_bests
from replays.models import HomeVisit, Replay
from replays.own.me.notes import Note, notes_of
from replays.trust.ownership.selectors import waiting_count

#: The statistics whose ranks are shown.
STATISTICS: Final = ("time", "bvs")
_LEVELS: Final = (COMBINED, *HARDEST_FIRST)
_LAST_GAMES: Final = 8
#: So many names in uploads are asked about.
_NAMES: Final = 20


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """``moved`` is None during the first visit."""

    key: BoardKey
    best: RankedBest
    moved: Passings | None


@dataclass(frozen=True, slots=True)
class OwnGame:
    """``difference_s``: to the best time of the level; None for that best, for games not won, and without a best."""

    line: GameLine
    is_best: bool
    difference_s: float | None

    @property
    def difference(self) -> str:
        if self.difference_s is None:
            return ""
        return difference_text(BY_NAME["time"], self.difference_s, self.line.time_precision_ms)

    @property
    def result_text(self) -> str:
        return str(Replay.Result(self.line.result).label)


@dataclass(frozen=True, slots=True)
class OwnRung:
    level: str
    best: RankedBest
    rung: Rung

    @property
    def missing_s(self) -> float:
        return self.rung.missing_ms / 1_000

    @property
    def missing(self) -> str:
        """The missing time in s, the same on every clock."""
        return value_text(BY_NAME["time"], self.missing_s, precision_ms=self.best.precision_ms)

    @property
    def share(self) -> int:
        """The part of the last second before the rung that is done, in percent."""
        return max(2, min(100, round(100 * (1 - self.missing_s))))


@dataclass(frozen=True, slots=True)
class Rival:
    """The row before the player's on the board of the time, or of the leader the row after it."""

    level: str
    row: BoardRow
    gap_s: float
    is_ahead: bool

    @property
    def gap(self) -> str:
        return value_text(BY_NAME["time"], self.gap_s, precision_ms=self.row.precision_ms)


@dataclass(frozen=True, slots=True)
class OwnLevel:
    """A level with what the player has there; None each before the first ranked game."""

    level: str
    best: RankedBest | None
    rung: OwnRung | None
    rival: Rival | None


@dataclass(frozen=True, slots=True)
class Questions:
    """Questions that wait for an answer: games under the names of the account, names in its uploads, open claims.

    ``names`` are asked about while the account has no name and claims none.
    """

    games_waiting: int
    names: list[str]
    claims: list[Claim]

    def __bool__(self) -> bool:
        return bool(self.games_waiting or self.names or self.claims)

    @property
    def shown_names(self) -> list[str]:
        return [shown_name(name) for name in self.names]


@dataclass(frozen=True, slots=True)
class Home:
    """``since``: the end of the visit before; None during the first one.

    ``player``: None for an account without a player, which has questions and notes alone.
    """

    player: Player | None
    since: datetime | None
    places: list[OwnPlace]
    rungs: list[OwnRung]
    rivals: list[Rival]
    games: list[OwnGame]
    questions: Questions
    notes: list[Note]

    @property
    def levels(self) -> list[OwnLevel]:
        """The three levels, the hardest first."""
        bests = {place.key.level: place.best for place in self.places if place.key.statistic == "time"}
        rungs = {one.level: one for one in self.rungs}
        rivals = {one.level: one for one in self.rivals}
        return [OwnLevel(one, bests.get(one), rungs.get(one), rivals.get(one)) for one in reversed(COMBINED_LEVELS)]

    @property
    def moved(self) -> list[OwnPlace]:
        """The boards on which somebody changed places with the player, or the player is new."""
        return [one for one in self.places if one.moved is not None and one.moved.happened]

    @property
    def gained(self) -> int:
        """The boards on which the player passed somebody."""
        return sum(one.moved is not None and one.moved.passed_count > 0 for one in self.moved)

    @property
    def lost(self) -> int:
        """The boards on which somebody passed the player."""
        return sum(one.moved is not None and one.moved.passed_by_count > 0 for one in self.moved)


def home_of(user: User, visit: HomeVisit | None) -> Home:
    """``visit``: with which ranks are compared; None for an account that never looked at its start page."""
    player = player_of_account(user)
    since = None if visit is None else visit.since_at
    questions, notes = questions_of(user), notes_of(user, player, since)
    if player is None:
        return Home(None, since, [], [], [], [], questions, notes)
    bests = player_bests(player.pk, ALL_STYLES, STATISTICS)
    times = {level: best for level in _LEVELS if (best := _best(bests, level, "time")) is not None}
    return Home(
        player,
        since,
        _places(player, bests, None if visit is None else visit.since_event),
        list(_rungs(times)),
        list(_rivals(player, times)),
        [_game(line, times.get(line.level)) for line in ranked_games.newest(_LAST_GAMES, player.pk)],
        questions,
        notes,
    )


def last_visit(user: User) -> HomeVisit | None:
    return HomeVisit.objects.filter(user=user).first()


def questions_of(user: User) -> Questions:
    claims = [claim for claim in claims_of_account(user) if claim.state in Claim.WAITING]
    asked = not claims and not identities_of_account(user)
    names = [identity.name for identity in names_to_claim(user, _NAMES)] if asked else []
    return Questions(waiting_count(user), names, claims)


def _best(bests: PlayerBests, level: str, statistic: str) -> RankedBest | None:
    return bests.get(level, {}).get(statistic, {}).get(ALL_STYLES)


def _places(player: Player, bests: PlayerBests, since_event: int | None) -> list[OwnPlace]:
    found = {
        BoardKey(level, statistic, ALL_STYLES): best
        for statistic in STATISTICS
        for level in _LEVELS
        if (best := _best(bests, level, statistic)) is not None
    }
    values = {key: best.value for key, best in found.items()}
    moved = {} if since_event is None else passings(player.pk, values, since_event)
    return [OwnPlace(key, best, moved.get(key)) for key, best in found.items()]


def _rungs(times: dict[str, RankedBest]) -> Iterator[OwnRung]:
    """The rungs of the levels, hardest first; sums have no ladder."""
    for level, best in times.items():
        rung = None if level == COMBINED else next_rung(best.value, best.precision_ms)
        if rung is not None:
            yield OwnRung(level, best, rung)


def _rivals(player: Player, times: dict[str, RankedBest]) -> Iterator[Rival]:
    for level in COMBINED_LEVELS:
        rows = rows_around(BoardKey(level, "time", ALL_STYLES), player.pk) if level in times else []
        own = next((index for index, row in enumerate(rows) if row.player.pk == player.pk), None)
        if own is None or len(rows) == 1:
            continue
        rival = rows[own - 1] if own else rows[1]
        yield Rival(level, rival, abs(difference(rival.value, rows[own].value)), is_ahead=own > 0)


def _game(line: GameLine, best: RankedBest | None) -> OwnGame:
    if best is None or line.time is None or line.result != Replay.Result.WON:
        return OwnGame(line, is_best=False, difference_s=None)
    if best.replay_id == line.pk:
        return OwnGame(line, is_best=True, difference_s=None)
    return OwnGame(line, is_best=False, difference_s=difference(line.time, best.value))
