"""One chunk of replays from their files: read and analysed outside of any transaction, then written in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.analyse import Analysis
from players.db import bulk
from players.leaderboards.services import add_games, remove_games, update_games
from players.people.services import players_for_names
from replays.judging.appeals import appeals_settle
from replays.judging.rules import JUDGED, Rules, counts_on_boards, judge_by_rules
from replays.models import Replay
from replays.processing.columns import FILLED, LUCK_COLUMNS, fill, forget_luck, json_params
from replays.processing.compute import Fault, Rejection, Unreachable, computed
from replays.processing.queue import queue_luck
from replays.processing.recompute.places import Stop
from replays.ranked_games import game_of
from replays.reasons import sentence

#: Files of one batch together: what is read of one may take ten times its size until the batch is written.
MAX_BATCH_BYTES: Final = 16 * 1024 * 1024

_WRITTEN: Final = (
    *FILLED, *LUCK_COLUMNS, *JUDGED, "status", "analysed_at", "reject_code", "reject_params", "duplicate_of_id", "player_id", "ranked",
)  # fmt: skip
_WRITTEN_OF: Final = attrgetter("id", *_WRITTEN)
#: What follows from the file: a row in which none of it changes is not written.
_FOLLOWS: Final = tuple(name for name in _WRITTEN if name not in ("board", "analysed_at"))
_FOLLOWS_OF: Final = attrgetter(*_FOLLOWS)
_NUMBERS_OF: Final = attrgetter(*(name for name in _FOLLOWS if name != "statistics_version"))


@dataclass(frozen=True, slots=True)
class Skipped:
    """A replay whose row stays as it is, and why."""

    replay_id: int
    code: str
    text: str


def batches(stops: Sequence[Stop]) -> Iterator[Sequence[Stop]]:
    """``stops`` in pieces whose files fit into memory together, one at least."""
    begin, size_bytes = 0, 0
    for number, stop in enumerate(stops):
        if size_bytes and size_bytes + stop.size_bytes > MAX_BATCH_BYTES:
            yield stops[begin:number]
            begin, size_bytes = number, 0
        size_bytes += stop.size_bytes
    if stops:
        yield stops[begin:]


def analysed_again(ids: Sequence[int]) -> tuple[dict[int, Analysis], list[Skipped]]:
    """What the files of these rows give now, and the rows whose files give nothing."""
    analyses: dict[int, Analysis] = {}
    left_out: list[Skipped] = []
    for replay, result in computed(Replay.objects.only("sha256").filter(pk__in=ids).order_by("pk")):
        if isinstance(result, Analysis):
            analyses[replay.pk] = result
        else:
            left_out.append(skipped(replay.pk, result))
    return analyses, left_out


def skipped(pk: int, result: Rejection | Fault | Unreachable) -> Skipped:
    """Why the row ``pk`` stays as it is."""
    if isinstance(result, Rejection):
        return Skipped(pk, result.code, sentence(result.code, json_params(result.params, result.message)))
    if isinstance(result, Fault):
        return Skipped(pk, "internal_error", sentence("internal_error"))
    return Skipped(pk, "unreadable", sentence("unreadable", {"reason": _("the file store does not answer")}))


def write_again(analyses: Mapping[int, Analysis]) -> int:
    """Write ``analyses`` over their rows, and let the boards follow; returns how many rows got other numbers.

    Call it inside a transaction.  A row that was deleted or queued meanwhile is left alone.  A game that turns out to
    be one that another replay holds is rejected like any duplicate.
    """
    locked = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player")
    rows = list(locked.filter(pk__in=analyses, status=Replay.Status.DONE).order_by("pk"))
    before = {row.pk: copy(row) for row in rows}
    owners, rules = _owners(rows, analyses), Rules.of_site()
    for row in rows:
        fill(row, analyses[row.pk])
        if row.game_hash != before[row.pk].game_hash:
            forget_luck(row)
        judge_by_rules(row, rules)
        row.analysed_at = timezone.now()
        if (owner := owners.get(row.pk)) is not None:
            _mark_duplicate(row, owner)
    _find_players(rows, before)
    for row in rows:
        row.ranked = counts_on_boards(row)
    # A hash may pass from one row to the other, and a unique column is checked row by row.
    other_game = [row.pk for row in rows if row.game_hash != before[row.pk].game_hash]
    if other_game:
        Replay.objects.filter(pk__in=other_game).update(game_hash=None)
    other = [row for row in rows if _FOLLOWS_OF(row) != _FOLLOWS_OF(before[row.pk])]
    _write(before, other)
    _settle_appeals(before, other)
    queue_luck([row.pk for row in other if row.luck_version is None and row.status == Replay.Status.DONE])
    return sum(_NUMBERS_OF(row) != _NUMBERS_OF(before[row.pk]) for row in other)


def _settle_appeals(before: Mapping[int, Replay], rows: Iterable[Replay]) -> None:
    accepted = Replay.Judgement.ACCEPTED
    appeals_settle([row.pk for row in rows if row.judgement == accepted != before[row.pk].judgement])


def _owners(rows: Sequence[Replay], analyses: Mapping[int, Analysis]) -> dict[int, int]:
    """The replays among ``rows`` whose game another one holds, with that one; a lower id comes first."""
    hashes = {row.pk: analyses[row.pk].game_hash for row in rows}
    outside = Replay.objects.filter(game_hash__in=hashes.values()).exclude(pk__in=hashes)
    holders = dict(outside.values_list("game_hash", "pk"))
    return {pk: holder for pk, game in hashes.items() if (holder := holders.setdefault(game, pk)) != pk}


def _mark_duplicate(row: Replay, owner: int) -> None:
    row.status, row.game_hash, row.duplicate_of_id = Replay.Status.REJECTED, None, owner
    row.reject_code, row.reject_params = "duplicate_game", json_params({"replay": owner}, "")


def _find_players(rows: Iterable[Replay], before: Mapping[int, Replay]) -> None:
    """A name that is read in another way belongs to another player."""
    renamed = [row for row in rows if row.identifier != before[row.pk].identifier]
    players = players_for_names({row.identifier for row in renamed})
    for row in renamed:
        row.player = players.get(row.identifier)


def _write(before: Mapping[int, Replay], rows: Sequence[Replay]) -> None:
    """Write ``rows``, and let the boards follow.

    What leaves a board, or moves on it, has others counted again there.  These must not find a row in a place that it
    has not taken yet, or it counts twice; so the leaving go first, and the entering count last.
    """
    staying = [row for row in rows if before[row.pk].ranked and row.ranked and _board(before[row.pk]) == _board(row)]
    stay = {row.pk for row in staying}
    leaving = [before[row.pk] for row in rows if before[row.pk].ranked and row.pk not in stay]
    entering = [row for row in rows if row.ranked and row.pk not in stay]
    if leaving:
        remove_games([game_of(row) for row in leaving])
    _set_ranked(entering, False)
    bulk.update(Replay, _WRITTEN, [_WRITTEN_OF(row) for row in rows])
    update_games({row.pk: game_of(before[row.pk]) for row in staying}, {row.pk: game_of(row) for row in staying})
    if entering:
        _set_ranked(entering, True)
        Replay.objects.filter(pk__in=[row.pk for row in entering]).update(ranked=True)
        add_games([game_of(row) for row in entering])


def _set_ranked(rows: Iterable[Replay], ranked: bool) -> None:
    for row in rows:
        row.ranked = ranked


_board = attrgetter("player_id", "level", "style")
