"""Settling analysed files, for every reason to analyse them.

An upload, a changed definition, reader or rule, and another encoding of the name all end here.  A row is *new to its
player* if it was analysed for the first time or has another name since; then its owner is asked, and it is marked as an
upload would be.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy

from django.utils import timezone

from analysis.evidence import Evidence
from players.leaderboards.file_countries import follow_files
from players.models import Player
from players.people.services import players_for_names
from replays.models import Replay
from replays.trust.evidence.traces import known_plays, store_traces
from replays.trust.judging.findings import finding_row
from replays.trust.judging.rules import rules_apply
from replays.trust.ownership.asking import CodeFound, ask_owner, support_claims, take_codes
from replays.trust.provisional.marking import mark_provisional
from replays.trust.provisional.retimed import mark_retimed
from replays.trust.reports.services import reports_follow
from replays.trust.versions.services import believe_accepted
from replays.upload.processing.columns import FILLED, add_name_findings, fill, reset_luck
from replays.upload.processing.compute import Analysed
from replays.upload.processing.emptied_names import merge_if_empty
from replays.upload.processing.played_here import mark_played_here
from replays.upload.processing.queue import LUCK, queue
from replays.upload.processing.settling.settled_rows import SETTLED, judge_and_rank, write_rows

_WRITTEN = (
    *FILLED, *SETTLED, "status", "analysed_at", "attempts", "reject_code", "reject_params", "player_id", "ownership",
)  # fmt: skip


def settle(games: Sequence[tuple[Replay, Analysed]]) -> None:
    """Write analysed games into their rows, with judgements, players, links and boards.

    Call it in the transaction that has locked the rows, and read them with their players.
    """
    if not games:
        return
    before = {row.pk: copy(row) for row, _ in games}
    rows = [row for row, _ in games]
    traces = [(row, analysed.evidence) for row, analysed in games]
    live, codes = _fill(games)
    new = [row for row in rows if _is_new(row, before[row.pk])]
    _find_players(new, live)
    holders = _add_notes(rows, traces)
    judge_and_rank(rows, before, holders)
    store_traces(traces)  # before the marks, which compare them
    mark_provisional(new)
    ids = {row.pk for row in new}
    mark_retimed((row, evidence) for row, evidence in traces if row.pk in ids)
    write_rows(rows, before, _WRITTEN, holders)
    _follow_players(rows, before)
    reports_follow({found.fingerprint.clicks for row, found in traces if row.pk in ids and found.fingerprint})
    support_claims([found for found in codes if found[0].pk in ids])
    queue(LUCK, [row.pk for row in rows if row.luck_version is None])


def _fill(games: Sequence[tuple[Replay, Analysed]]) -> tuple[Mapping[int, Player | None], Sequence[CodeFound]]:
    """Set what the files say and what is known of it; returns the players of live games, and the codes of claims."""
    now = timezone.now()
    rows = [row for row, _ in games]
    for row, analysed in games:
        if row.status != Replay.Status.DONE or row.game_hash != analysed.analysis.game_hash:
            reset_luck(row)
        fill(row, analysed)
    live = mark_played_here(games)
    codes = take_codes([(row, analysed.analysis.recording) for row, analysed in games])
    add_name_findings(rows)
    believe_accepted(rows)
    for row in rows:
        row.analysed_at, row.attempts = now, 0
        row.reject_code, row.reject_params = "", {}
    return live, codes


def _is_new(row: Replay, before: Replay) -> bool:
    return before.status != Replay.Status.DONE or row.identifier != before.identifier


def _find_players(new: Collection[Replay], live: Mapping[int, Player | None]) -> None:
    """Set the players of rows, and ask the owners of their names; answers about another name are forgotten."""
    players = players_for_names({row.identifier for row in new if row.identifier})
    for row in new:
        row.player = live[row.pk] if row.pk in live else players.get(row.identifier)
        if row.status == Replay.Status.DONE:
            row.ownership = Replay.Ownership.NOT_ASKED
        row.status = Replay.Status.DONE
        ask_owner(row)


def _add_notes(rows: Sequence[Replay], traces: Sequence[tuple[Replay, Evidence]]) -> Mapping[int, int]:
    """Put notes on boards and seals that were here before behind the findings; returns who holds the places of the plays."""
    known = known_plays(traces, {row.pk for row in rows if rules_apply(row)})
    for row in rows:
        row.findings = [*row.findings, *map(finding_row, known.notes.get(row.pk, ()))]
    return known.holders


def _follow_players(rows: Sequence[Replay], before: Mapping[int, Replay]) -> None:
    """Let the countries of players follow, and forget names that files were misread as."""
    moved = [(before[row.pk], row) for row in rows if _country_of(row) != _country_of(before[row.pk])]
    follow_files({side.player_id for pair in moved for side in pair if side.file_country})
    for row in rows:
        was = before[row.pk]
        if was.player is not None and row.player is not None and was.identifier != row.identifier:
            merge_if_empty(was.identifier, was.player, row.player)


def _country_of(row: Replay) -> tuple[object, ...]:
    return row.player_id, row.file_country, row.judgement
