"""Rules for which new games are provisional: those that would matter most if they were forged.

A game is provisional if one of its results is world class, if a finding asks for a moderator, if it would enter the first
places of a board, or if it beats what its player could do a month ago by a large step.  The first two hold on every board, for
games played here as well, since a bot may have played them, and no silence ends them.  The first holds for lost games by their
pace; the others on boards with many players.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.utils import timezone

from analysis.evidence import SAME_BOARD
from analysis.statistics import BY_NAME, LUCK, RANKED
from players.db.select import select
from players.leaderboards.bests.final import Results, final_results
from players.leaderboards.boards import BoardKey, PersonalKey
from players.leaderboards.ranked_games import game_of
from players.models import ALL_STYLES, PersonalBest
from replays.models import Replay
from replays.trust.evidence.traces import SEAL_REUSED
from replays.trust.judging import rules
from replays.trust.judging.default_rules import QUESTIONS, Limit
from replays.trust.judging.ranking import update_ranked
from replays.trust.judging.rules import (
    JUDGED,
    LEAP,
    TOP,
    WORLD_CLASS,
    Rules,
    counts_as_corpse,
    counts_on_boards,
    judged_as,
)
from replays.trust.reports.selectors import open_cases

#: Ranked statistics that order the games of a level as another one does.
SAME_ORDER: Final = {"rv": "rqp", "stnb": "qg", "stnb2023": "qg", "coo": "cpo"}
#: Ranked statistics that are known only after the game has its place.  A game that needed no luck is the best, and
#: shares that place with all others of the kind.
KNOWN_LATER: Final = frozenset(row.name for row in LUCK)
#: The statistics whose first places are watched: all others.  Time and 3BV/s need a quick hand or a forger; efficiency and
#: path need patience or a solver; clicks/s and movement go up by clicking and moving for nothing.
WATCHED: Final = tuple(row.name for row in RANKED if row.name not in SAME_ORDER and row.name not in KNOWN_LATER)
#: The statistics in which a step is a leap.  All that measure speed grow with these two; the others change from board to
#: board by more than a forger needs.
STEADY: Final = ("time", "bvs")
#: Findings on what another play had before: people look at it.  Silence ends them, or junk with the seals of an archive would
#: keep all games of its player provisional.
NOTES: Final = (SEAL_REUSED, SAME_BOARD)
#: Reasons that no silence ends.
WAITING: Final = QUESTIONS | {WORLD_CLASS}
#: What a player could do is looked up so long before a game.
LEAP_PERIOD: Final = timedelta(days=30)


class _Entry(NamedTuple):
    """The result of a game on one board, and the player's results there that are final."""

    key: PersonalKey
    rank_key: float
    past: Results

    @property
    def board(self) -> BoardKey:
        return BoardKey(self.key.level, self.key.statistic, self.key.style)

    def is_best(self) -> bool:
        """Return whether it beats all results that are final; who has reached as much before is believed again."""
        return all(self.rank_key < rank_key for _at, rank_key in self.past)


def mark_provisional(replays: Iterable[Replay]) -> None:
    """Make those of ``replays`` provisional that should be; nothing is saved.

    ``replays``: games that are about to be added to the boards for the first time, with player, ``ranked`` and ``corpse``
    set.  Games that staff accepted are final.  Those that are reported wait for moderators.  Games of one call are
    compared in the order of their dates.  Two statements, and one for those that end by themselves.
    """
    limits = Rules.of_site().provisional_limits
    asked = sorted(
        (replay for replay in replays if _could_be(replay, limits)), key=lambda replay: (replay.achieved_at, replay.pk)
    )
    if not asked or not settings.PROVISIONAL_DAYS:
        return
    past = final_results(
        {replay.player_id for replay in asked if replay.player_id is not None},
        WATCHED,
        STEADY,
        {replay.level for replay in asked},
    )
    entries = {replay.pk: _entries(replay, past) for replay in asked}
    last_places = _last_places(
        {
            entry.board
            for replay in asked
            if not _only_world_class(replay)
            for entry in entries[replay.pk]
            if entry.is_best()
        }
    )
    until = timezone.now() + timedelta(days=settings.PROVISIONAL_DAYS)
    ending = []
    for replay in asked:
        code, params = _why(replay, entries[replay.pk], last_places)
        if code:
            replay.judgement, replay.judgement_code = Replay.Judgement.PROVISIONAL, code
            replay.judgement_params, replay.provisional_until = params, None
            if code not in WAITING:
                ending.append(replay)
        elif replay.achieved_at is not None and replay.ranked:
            for entry in entries[replay.pk]:
                entry.past.append((replay.achieved_at, entry.rank_key))
    reported = set(open_cases([replay.pk for replay in ending]).values_list("number", flat=True)) if ending else ()
    for replay in ending:
        if replay.pk not in reported:
            replay.provisional_until = until


def update_ranked_and_marks(rows: Collection[Replay]) -> None:
    """Call ``update_ranked``, after marking games that enter the boards as provisional, as is done with new ones.

    Else two accounts could evade that for a record: one uploads it under the other's name, and the other confirms it.
    """
    won = [row for row in rows if not row.ranked and counts_on_boards(row)]
    lost = [row for row in rows if not row.corpse and counts_as_corpse(row)]
    _set(won, lost, True)  # as ``mark_provisional`` expects of games that are about to be added
    mark_provisional([*won, *lost])
    _set(won, lost, False)
    marked = [row for row in (*won, *lost) if row.judgement == Replay.Judgement.PROVISIONAL]
    if marked:
        Replay.objects.bulk_update(marked, JUDGED)
    update_ranked(rows)


def _set(won: Iterable[Replay], lost: Iterable[Replay], on_boards: bool) -> None:
    for row in won:
        row.ranked = on_boards
    for row in lost:
        row.corpse = on_boards


def _could_be(replay: Replay, limits: Collection[Limit]) -> bool:
    return (
        (replay.ranked or (replay.corpse and _has_pace_beyond(replay, limits)))
        and replay.judgement == Replay.Judgement.ACCEPTED
        and replay.judgement_code != Replay.DECIDED
        and replay.achieved_at is not None
    )


def _has_pace_beyond(replay: Replay, limits: Collection[Limit]) -> bool:
    """Return whether a lost game passes a bound of world class; of hardly any other the player's results are read."""
    for level, statistic, _sign, bound in limits:
        if level == replay.level and statistic in STEADY:
            value, row = replay.statistic(judged_as(statistic, is_corpse=True)), BY_NAME[statistic]
            if value is not None and row.rank_key(value) < row.rank_key(bound):
                return True
    return False


def _only_world_class(replay: Replay) -> bool:
    """Return whether only world-class results make it provisional.

    Of a game played here the site has seen time and board; only the hand may be that of a bot.  Of a lost one chance decides
    how far above its player's usual pace it ended.
    """
    return replay.corpse or replay.evidence == Replay.Evidence.HERE


def _entries(replay: Replay, past: dict[PersonalKey, Results]) -> list[_Entry]:
    """The results of the game on the boards that are watched; those of one board share the list of the past.

    Of a lost game: its pace, as if it were that of a won one.
    """
    if replay.corpse:
        assert replay.player_id is not None  # noqa: S101 - ``counts_as_corpse``
        keys = [PersonalKey(replay.player_id, name, replay.level, ALL_STYLES) for name in STEADY]
        values = [(key, replay.statistic(judged_as(key.statistic, is_corpse=True))) for key in keys]
        return [
            _Entry(key, BY_NAME[key.statistic].rank_key(value), past.setdefault(key, []))
            for key, value in values
            if value is not None
        ]
    return [
        _Entry(key, best.rank_key, past.setdefault(key, []))
        for key, best in game_of(replay).bests()
        if key.statistic in WATCHED
    ]


def _why(
    replay: Replay, entries: Collection[_Entry], last_places: Mapping[BoardKey, _LastPlace]
) -> tuple[str, dict[str, object]]:
    """The code of the judgement and its parameters; ("", {}) if the game is not provisional."""
    entries = [entry for entry in entries if entry.is_best()]
    bounds = {(level, statistic): bound for level, statistic, _sign, bound in Rules.of_site().provisional_limits}
    for entry in entries:
        row = BY_NAME[entry.key.statistic]
        bound = bounds.get((entry.key.level, row.name))
        if bound is not None and entry.rank_key < row.rank_key(bound):
            measured = judged_as(row.name, is_corpse=replay.corpse)
            return WORLD_CLASS, {"statistic": measured, "value": row.rank_key(entry.rank_key), "bound": bound}
    for codes in (QUESTIONS, NOTES):
        for finding in replay.findings:
            if finding["code"] in codes:
                return finding["code"], finding["params"]
    if _only_world_class(replay):
        return "", {}
    for entry in entries:
        last = last_places.get(entry.board)
        if last is None:
            continue
        params: dict[str, object] = {"statistic": entry.key.statistic, "style": entry.key.style}
        if _enters_the_top(entry, last):
            return TOP, {**params, "places": rules.TOP_PLACES}
        old = _a_month_before(replay.achieved_at, entry.past) if entry.key.statistic in STEADY else None
        if old is not None and _leaps(entry.key.statistic, old, entry.rank_key):
            shown = BY_NAME[entry.key.statistic].rank_key(old)
            return LEAP, {**params, "old": shown, "percent": rules.LEAP_PERCENT}
    return "", {}


def _enters_the_top(entry: _Entry, last: _LastPlace) -> bool:
    return entry.rank_key < last.key or (entry.rank_key == last.key and not last.shared)


def _a_month_before(achieved_at: datetime | None, past: Results) -> float | None:
    """Return what the player could do that long before a game, else at first; None if the game is among the first.

    So that many small steps within a month count as the one that they are together.  Games of one upload have one date.
    """
    assert achieved_at is not None  # noqa: S101 - ``_could_be``
    if not past or achieved_at <= (first := min(past)[0]):
        return None
    month_before = achieved_at - LEAP_PERIOD
    return min(rank_key for at, rank_key in past if at <= max(month_before, first))


def _leaps(statistic: str, best: float, rank_key: float) -> bool:
    """Return whether a time is shorter, or speed higher, by more than the limit; ``rank_key`` is its own inverse."""
    row = BY_NAME[statistic]
    old, new = row.rank_key(best), row.rank_key(rank_key)
    return abs(new - old) * 100 > rules.LEAP_PERCENT * abs(old)


# --- first places -----------------------------------------------------------------------------------------------------


class _LastPlace(NamedTuple):
    """The rank key of the last of the first places; ``shared``: more players have it than there are such places."""

    key: float
    shared: bool


#: The rank key of a place of each board; NULL where there is none.
_PLACE: Final = f"""(
        SELECT best.rank_key FROM {PersonalBest._meta.db_table} AS best
        WHERE best.statistic = board.statistic AND best.level = board.level AND best.style = board.style
        ORDER BY best.rank_key LIMIT 1 OFFSET {{index}}
    )"""  # noqa: S608 - our own name


def _last_places(boards: Collection[BoardKey]) -> dict[BoardKey, _LastPlace]:
    """The last of the first places, of those of ``boards`` that have enough players; one statement."""
    if not boards:
        return {}
    places = ", ".join(
        _PLACE.format(index=index) for index in (rules.TOP_PLACES - 1, rules.TOP_PLACES, rules.LEAST_PLAYERS - 1)
    )
    sql = f"""
        WITH board (level, statistic, style) AS (VALUES {", ".join(["(%s, %s, %s)"] * len(boards))})
        SELECT level, statistic, style, {places} FROM board
    """  # noqa: S608 - our own names and numbers
    rows = select(sql, [name for board in boards for name in board])
    return {
        BoardKey(*board): _LastPlace(last, shared=following == last)
        for *board, last, following, least_one in rows
        if least_one is not None
    }
