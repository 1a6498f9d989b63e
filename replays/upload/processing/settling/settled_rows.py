"""Judging rows with new values, and writing them with the boards that depend on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Final

from players.db import bulk
from players.leaderboards.boards import Game
from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import add_games, add_late_values, remove_games, update_games
from replays.models import Replay
from replays.trust.judging.appeals import appeals_grant
from replays.trust.judging.ranking import log_corpses
from replays.trust.judging.rules import JUDGED, Rules, counts_as_corpse, counts_on_boards, judge_by_rules
from replays.trust.places.services import places_enter
from replays.trust.places.services import settle as settle_places
from replays.upload.processing.columns import LUCK_COLUMNS
from replays.upload.processing.settling.best_notes import bests_before, store_notes

#: Columns that every result may change: those of luck, and what follows from the values.
SETTLED: Final = (*LUCK_COLUMNS, *JUDGED, "ranked", "corpse")

_board = attrgetter("player_id", "level", "style")
#: Boards of periods read stated dates, which no other value of a game tells.
_stated = attrgetter("played_at", "played_at_has_zone")


def judge_and_rank(rows: Iterable[Replay], before: Mapping[int, Replay], holders: Collection[int] = ()) -> None:
    """Judge rows by their new values; those that others have the place of are ranked by their places (``write_rows``)."""
    rules = Rules.of_site()
    for row in rows:
        judge_by_rules(row, rules)
        was, alone = before[row.pk], row.place_id is None and row.pk not in holders
        row.ranked = counts_on_boards(row) and (was.ranked or alone)
        row.corpse = counts_as_corpse(row) and (was.corpse or alone)


def write_rows(
    rows: Sequence[Replay],
    before: Mapping[int, Replay],
    columns: Sequence[str],
    holders: Mapping[int, int] | None = None,
) -> None:
    """Write ``columns`` of locked rows, and let boards, places, appeals and notes follow.

    ``holders``: by game a file that holds the place of its play (``places_enter``).
    """
    told = [row.pk for row in rows if _is_told(before[row.pk], row)]
    bests = bests_before(told)
    _write(rows, before, columns)
    places_enter(holders or {})
    settle_places([row.pk for row in rows if row.place_id is not None])
    accepted = Replay.Judgement.ACCEPTED
    appeals_grant(
        [row.pk for row in rows if row.judgement == accepted != before[row.pk].judgement and not row.place_id]
    )
    store_notes(bests, told)


def _is_told(before: Replay, row: Replay) -> bool:
    """Return whether its account should hear that its bests changed: not of an upload, a first measure or a new name."""
    if before.status != Replay.Status.DONE or before.identifier != row.identifier or not (before.ranked or row.ranked):
        return False
    changed = before.ranked != row.ranked or game_of(before).values != game_of(row).values
    return changed and _late_values(before, row) is None


def _write(rows: Sequence[Replay], before: Mapping[int, Replay], columns: Sequence[str]) -> None:
    """Write ``rows`` and update the boards.

    Removing and updating games reads other ranked games of the player.  A row must not be read with its new values
    before it is added, or it would be counted twice: so games are removed first, and added games are ranked last.
    """
    staying = [row for row in rows if before[row.pk].ranked and row.ranked and _board(before[row.pk]) == _board(row)]
    stay = {row.pk for row in staying}
    leaving = [before[row.pk] for row in rows if before[row.pk].ranked and row.pk not in stay]
    entering = [row for row in rows if row.ranked and row.pk not in stay]
    if leaving:
        remove_games([game_of(row) for row in leaving])
    if staying:
        _set_ranked(entering, False)
    values_of = attrgetter("id", *columns)
    bulk.update(Replay, columns, [values_of(row) for row in rows])
    log_corpses(side for row in rows for side in _corpses(before[row.pk], row))
    _update_boards(staying, before)
    if staying and entering:
        _set_ranked(entering, True)
        Replay.objects.filter(pk__in=[row.pk for row in entering]).update(ranked=True)
    add_games([game_of(row) for row in entering])


def _update_boards(staying: Sequence[Replay], before: Mapping[int, Replay]) -> None:
    late = {row.pk: game for row in staying if (game := _late_values(before[row.pk], row)) is not None}
    changed = [row for row in staying if row.pk not in late]
    update_games({row.pk: game_of(before[row.pk]) for row in changed}, {row.pk: game_of(row) for row in changed})
    add_late_values(list(late.values()))


def _late_values(before: Replay, row: Replay) -> Game | None:
    """The game with the luck that was measured for the first time, which makes records as an upload does; else None."""
    if before.luck_version is not None or row.luck_version is None:
        return None
    old, new = game_of(before), game_of(row)
    pairs = list(zip(old.values, new.values, strict=True))
    if old == new or old._replace(values=new.values) != new or any(a is not None and a != b for a, b in pairs):
        return None
    return new._replace(values=tuple(value if was is None else None for was, value in pairs))


def _corpses(before: Replay, row: Replay) -> list[Replay]:
    restated = before.status == Replay.Status.DONE and _stated(before) != _stated(row)
    return [side for side in (before, row) if side.corpse or (side.ranked and restated)]


def _set_ranked(rows: Iterable[Replay], ranked: bool) -> None:
    for row in rows:
        row.ranked = ranked
