"""Recomputing a chunk from files: analysed outside of a transaction, then written in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from operator import attrgetter
from typing import Final

from django.utils import timezone
from django.utils.translation import gettext as _

from players.db import bulk
from players.leaderboards.file_countries import follow_files
from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import add_games, remove_games, update_games
from players.people.services import players_for_names
from replays.models import Replay
from replays.trust.evidence.traces import store_traces
from replays.trust.judging.appeals import appeals_grant
from replays.trust.judging.ranking import log_corpses
from replays.trust.judging.rules import JUDGED, Rules, counts_as_corpse, counts_on_boards, judge_by_rules
from replays.trust.ownership.asking import ask_owner, take_codes
from replays.trust.places.services import places_enter, settle
from replays.trust.reasons import sentence
from replays.trust.versions.services import believe_accepted
from replays.upload.processing.columns import FILLED, LUCK_COLUMNS, add_name_findings, fill, json_params, reset_luck
from replays.upload.processing.compute import COMPUTED_FROM, Analysed, Fault, Rejection, Unreachable, compute_results
from replays.upload.processing.emptied_names import merge_if_empty
from replays.upload.processing.played_here import mark_played_here
from replays.upload.processing.queue import LUCK, queue
from replays.upload.processing.recompute.progress import NextRow
from replays.upload.processing.save import add_notes

#: Most bytes of the files of one batch; a recording may take ten times the memory of its file.
MAX_BATCH_BYTES: Final = 16 * 1024 * 1024

_WRITTEN: Final = (
    *FILLED, *LUCK_COLUMNS, *JUDGED, "ownership", "status", "analysed_at", "reject_code", "reject_params", "player_id", "ranked", "corpse",
)  # fmt: skip
_WRITTEN_OF: Final = attrgetter("id", *_WRITTEN)
#: A row is written if any of these changes.
_COMPARED: Final = tuple(name for name in _WRITTEN if name not in ("board", "analysed_at"))
_COMPARED_OF: Final = attrgetter(*_COMPARED)
#: What a row says of its player's country.
_COUNTRY_OF: Final = attrgetter("player_id", "file_country", "judgement")
_NUMBERS_OF: Final = attrgetter(*(name for name in _COMPARED if name != "statistics_version"))


@dataclass(frozen=True, slots=True)
class Skipped:
    replay_id: int
    code: str
    text: str


def batches(rows: Sequence[NextRow]) -> Iterator[Sequence[NextRow]]:
    """``rows`` in batches of at most :data:`MAX_BATCH_BYTES`, or of a single larger file."""
    begin, size_bytes = 0, 0
    for number, row in enumerate(rows):
        if size_bytes and size_bytes + row.size_bytes > MAX_BATCH_BYTES:
            yield rows[begin:number]
            begin, size_bytes = number, 0
        size_bytes += row.size_bytes
    if rows:
        yield rows[begin:]


def analyse_again(ids: Sequence[int]) -> tuple[dict[int, Analysed], list[Skipped]]:
    """Analyse the files of these rows; the analyses by id, and the rows whose files cannot be analysed."""
    analyses: dict[int, Analysed] = {}
    left_out: list[Skipped] = []
    for replay, result in compute_results(Replay.objects.only(*COMPUTED_FROM).filter(pk__in=ids).order_by("pk")):
        if isinstance(result, Analysed):
            analyses[replay.pk] = result
        else:
            left_out.append(skipped(replay.pk, result))
    return analyses, left_out


def skipped(pk: int, result: Rejection | Fault | Unreachable) -> Skipped:
    if isinstance(result, Rejection):
        return Skipped(pk, result.code, sentence(result.code, json_params(result.params, result.message)))
    if isinstance(result, Fault):
        return Skipped(pk, "internal_error", sentence("internal_error"))
    return Skipped(pk, "unreadable", sentence("unreadable", {"reason": _("our file storage isn't responding")}))


def _encoding_was_chosen_since(row: Replay, analysed: Analysed) -> bool:
    return row.encoding_chosen and row.name_encoding != analysed.analysis.recording.player_encoding


def write_again(analyses: Mapping[int, Analysed]) -> int:
    """Write ``analyses`` to their rows and update the boards; returns in how many rows a value changed.

    Call it inside a transaction.  Rows that were deleted, queued or given another encoding of their name since are skipped.
    """
    locked = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player")
    found = locked.filter(pk__in=analyses, status=Replay.Status.DONE).order_by("pk")
    rows = [row for row in found if not _encoding_was_chosen_since(row, analyses[row.pk])]
    before = {row.pk: copy(row) for row in rows}
    rules = Rules.of_site()
    for row in rows:
        fill(row, analyses[row.pk])
        if row.game_hash != before[row.pk].game_hash:
            reset_luck(row)
    mark_played_here([(row, analyses[row.pk]) for row in rows])
    take_codes([(row, analyses[row.pk].analysis.recording) for row in rows])
    traces = [(row, analyses[row.pk].evidence) for row in rows]
    add_name_findings(rows)
    believe_accepted(rows)
    store_traces(traces)
    holders = add_notes(rows, traces)
    for row in rows:
        judge_by_rules(row, rules)
        row.analysed_at = timezone.now()
    _find_players(rows, before)
    for row in rows:
        was, alone = before[row.pk], row.place_id is None and row.pk not in holders
        row.ranked = counts_on_boards(row) and (was.ranked or alone)
        row.corpse = counts_as_corpse(row) and (was.corpse or alone)
    changed = [row for row in rows if _COMPARED_OF(row) != _COMPARED_OF(before[row.pk])]
    _write(before, changed)
    places_enter(holders)
    settle([row.pk for row in rows])
    tell_others = [row for row in changed if _COUNTRY_OF(row) != _COUNTRY_OF(before[row.pk])]
    follow_files({side.player_id for row in tell_others for side in (before[row.pk], row)})
    _merge_emptied(rows, before)
    _grant_appeals(before, [row for row in changed if row.place_id is None])
    queue(LUCK, [row.pk for row in changed if row.luck_version is None and row.status == Replay.Status.DONE])
    return sum(_NUMBERS_OF(row) != _NUMBERS_OF(before[row.pk]) for row in changed)


def _grant_appeals(before: Mapping[int, Replay], rows: Iterable[Replay]) -> None:
    accepted = Replay.Judgement.ACCEPTED
    appeals_grant([row.pk for row in rows if row.judgement == accepted != before[row.pk].judgement])


def _find_players(rows: Iterable[Replay], before: Mapping[int, Replay]) -> None:
    """Set the player of rows whose name has changed, and ask the owner of the new name."""
    renamed = [row for row in rows if row.identifier != before[row.pk].identifier]
    players = players_for_names({row.identifier for row in renamed})
    for row in renamed:
        row.player = players.get(row.identifier)
        if row.ownership != Replay.Ownership.VOUCHED:
            row.ownership = Replay.Ownership.NOT_ASKED
        ask_owner(row)


def _merge_emptied(rows: Iterable[Replay], before: Mapping[int, Replay]) -> None:
    """Forget names that files were misread as before."""
    for row in rows:
        was = before[row.pk]
        if was.player is not None and row.player is not None and was.identifier != row.identifier:
            merge_if_empty(was.identifier, was.player, row.player)


def _write(before: Mapping[int, Replay], rows: Sequence[Replay]) -> None:
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
    _set_ranked(entering, False)
    bulk.update(Replay, _WRITTEN, [_WRITTEN_OF(row) for row in rows])
    # Boards of periods read stated dates, which no other value of a game tells.
    restated = {row.pk for row in rows if _stated(row) != _stated(before[row.pk])}
    log_corpses(
        side for row in rows for side in (before[row.pk], row) if side.corpse or (side.ranked and row.pk in restated)
    )
    update_games({row.pk: game_of(before[row.pk]) for row in staying}, {row.pk: game_of(row) for row in staying})
    if entering:
        _set_ranked(entering, True)
        Replay.objects.filter(pk__in=[row.pk for row in entering]).update(ranked=True)
        add_games([game_of(row) for row in entering])


def _set_ranked(rows: Iterable[Replay], ranked: bool) -> None:
    for row in rows:
        row.ranked = ranked


_board = attrgetter("player_id", "level", "style")
_stated = attrgetter("played_at", "played_at_has_zone")
