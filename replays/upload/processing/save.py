"""Writing results: one transaction for a chunk, or one for each replay if that fails."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from analysis.evidence import Evidence
from players.db import bulk
from players.db.bulk import commit_without_waiting
from players.db.retry import retry_on_conflict
from players.leaderboards.file_countries import follow_files
from players.leaderboards.ranked_games import GAME_COLUMNS, game_of
from players.leaderboards.services import add_games, remove_games
from players.models import Player
from players.people.services import players_for_names
from replays.models import Replay
from replays.trust.evidence.traces import known_plays, store_traces
from replays.trust.judging.appeals import appeals_grant
from replays.trust.judging.findings import finding_row
from replays.trust.judging.ranking import log_corpses
from replays.trust.judging.rules import (
    JUDGED,
    Rules,
    counts_as_corpse,
    counts_on_boards,
    judge_by_rules,
    rules_apply,
)
from replays.trust.ownership.asking import CodeFound, ask_owner, support_claims, take_codes
from replays.trust.places.services import places_enter, settle
from replays.trust.provisional.marking import mark_provisional
from replays.trust.provisional.retimed import mark_retimed
from replays.trust.reports.services import reports_follow
from replays.trust.versions.services import believe_accepted
from replays.upload.processing.columns import FILLED, LUCK_COLUMNS, add_name_findings, fill, json_params, reset_luck
from replays.upload.processing.compute import Analysed, Rejection
from replays.upload.processing.played_here import mark_played_here
from replays.upload.processing.queue import LUCK, queue

_STATUS = ("status", "analysed_at", "reject_code", "reject_params")
_WRITTEN = (*FILLED, *LUCK_COLUMNS, *_STATUS, *JUDGED, "player_id", "ownership", "ranked", "corpse")
_WRITTEN_GAME = attrgetter("id", *_WRITTEN)
_WRITTEN_REJECTION = attrgetter("id", *_STATUS)
#: Columns that are read before the result is written; all others depend on the file.
_READ = (
    "attempts", "uploaded_at", "uploader_id", "evidence", "date_trusted", "ownership", *JUDGED, "ranked", "corpse",
    "place_id",
)  # fmt: skip

logger = logging.getLogger(__name__)

Settled = tuple[Replay, Analysed | Rejection]


def save_all(settled: Sequence[Settled]) -> list[Replay]:
    """Write the results of replays that are still claimed by us; returns those that failed (logged)."""
    if not settled:
        return []
    try:
        _save_in_transaction(settled)
    except Exception:  # it must not prevent the other replays of the chunk from being saved
        if len(settled) > 1:
            return [failed for single in settled for failed in save_all([single])]
        replay = settled[0][0]
        if _connection_lost():
            raise
        logger.exception("Saving replay %d (%s) failed.", replay.pk, replay.sha256)
        return [replay]
    return []


def _connection_lost() -> bool:
    """Return whether the database is unreachable; then the error is not the replay's, and the sweep queues it again."""
    connection = transaction.get_connection()
    if connection.in_atomic_block:
        return False
    return not connection.is_usable()


@retry_on_conflict
def _save_in_transaction(settled: Sequence[Settled]) -> None:
    """Write ``settled``; repeated after a conflict with another transaction, such as one about the same play."""
    with transaction.atomic():
        commit_without_waiting()  # if it is lost, the row is still RUNNING, and the sweep queues it again
        _save(settled)


def _save(settled: Sequence[Settled]) -> None:
    held = _still_held([replay for replay, _ in settled])
    results = [(held[replay.pk], result) for replay, result in settled if replay.pk in held]
    games = [(replay, result) for replay, result in results if isinstance(result, Analysed)]
    rejected = [(replay, result) for replay, result in results if isinstance(result, Rejection)]
    _save_rejected(rejected)
    save_games(games)


def _still_held(replays: Sequence[Replay]) -> dict[int, Replay]:
    """Lock and return the rows that are still ours: not deleted, and not claimed by another worker since."""
    attempts = {replay.pk: replay.attempts for replay in replays}
    running = Replay.objects.select_for_update(no_key=True).filter(pk__in=attempts, status=Replay.Status.RUNNING)
    rows = running.only(*_READ).order_by("pk")
    return {row.pk: row for row in rows if row.attempts == attempts[row.pk]}


def save_games(games: Sequence[tuple[Replay, Analysed]]) -> None:
    """Write analysed games into their locked rows, with judgements, players and boards; call it inside a transaction."""
    if not games:
        return
    doubted = [replay for replay, _ in games if replay.judgement != Replay.Judgement.ACCEPTED]
    _remove_from_boards([replay.pk for replay, _ in games if replay.ranked or replay.corpse])
    known = _look_up(games)
    replays = [replay for replay, _ in games]
    decide_games(replays, known, Rules.of_site(), timezone.now())
    store_traces(known.traces)  # before the marks, which compare them
    mark_provisional(replays)
    mark_retimed(known.traces)
    _write_games(replays, known)
    appeals_grant([replay.pk for replay in doubted if replay.judgement == Replay.Judgement.ACCEPTED])


class Known(NamedTuple):
    """Facts about games that are looked up before anything is decided.

    ``players``: by name.  ``holders``: by game a replay that holds the place of its play.
    """

    live: Mapping[int, Player | None]
    codes: Sequence[CodeFound]
    players: Mapping[str, Player]
    traces: Sequence[tuple[Replay, Evidence]]
    holders: Mapping[int, int]


def _look_up(games: Sequence[tuple[Replay, Analysed]]) -> Known:
    """Fill the rows with what their files say, their names and findings with what the site knows about them."""
    for replay, analysed in games:
        fill(replay, analysed)
        reset_luck(replay)
    live = mark_played_here(games)
    codes = take_codes([(replay, analysed.analysis.recording) for replay, analysed in games])
    add_name_findings([replay for replay, _ in games])
    believe_accepted(replay for replay, _ in games)
    traces = [(replay, analysed.evidence) for replay, analysed in games]
    holders = add_notes([replay for replay, _ in games], traces)
    players = players_for_names({replay.identifier for replay, _ in games if replay.identifier})
    return Known(live, codes, players, traces, holders)


def add_notes(replays: Sequence[Replay], traces: Sequence[tuple[Replay, Evidence]]) -> Mapping[int, int]:
    """Put notes on boards and seals that were here before behind the findings; returns who holds the places of the plays."""
    known = known_plays(traces, {replay.pk for replay in replays if rules_apply(replay)})
    for replay in replays:
        replay.findings = [*replay.findings, *map(finding_row, known.notes.get(replay.pk, ()))]
    return known.holders


def decide_games(replays: Sequence[Replay], known: Known, rules: Rules, now: datetime) -> None:
    """Set judgement, player and rank of filled rows; those whose play is here already are ranked by their places."""
    for replay in replays:
        judge_by_rules(replay, rules)
        replay.status, replay.analysed_at = Replay.Status.DONE, now
        replay.reject_code, replay.reject_params = "", {}
        replay.player = known.live[replay.pk] if replay.pk in known.live else known.players.get(replay.identifier)
        ask_owner(replay)
        alone = replay.pk not in known.holders and replay.place_id is None
        replay.ranked = alone and counts_on_boards(replay)
        replay.corpse = alone and counts_as_corpse(replay)


def _write_games(replays: Sequence[Replay], known: Known) -> None:
    bulk.update(Replay, _WRITTEN, [_WRITTEN_GAME(replay) for replay in replays])
    add_games([game_of(replay) for replay in replays if replay.ranked])
    log_corpses(replay for replay in replays if replay.corpse)
    places_enter(known.holders)
    settle([replay.pk for replay in replays if replay.place_id is not None])
    reports_follow({evidence.fingerprint.clicks for _, evidence in known.traces if evidence.fingerprint is not None})
    follow_files({replay.player_id for replay in replays if replay.file_country})
    support_claims(known.codes)
    queue(LUCK, [replay.pk for replay in replays])


def _remove_from_boards(ids: Sequence[int]) -> None:
    if ids:
        rows = list(Replay.objects.filter(pk__in=ids).only(*GAME_COLUMNS, "ranked"))
        remove_games([game_of(replay) for replay in rows if replay.ranked])
        log_corpses(replay for replay in rows if not replay.ranked)


def _save_rejected(rejected: Sequence[tuple[Replay, Rejection]]) -> None:
    now = timezone.now()
    for replay, rejection in rejected:
        replay.status, replay.analysed_at = Replay.Status.REJECTED, now
        replay.reject_code = rejection.code
        replay.reject_params = json_params(rejection.params, rejection.message)
    bulk.update(Replay, _STATUS, [_WRITTEN_REJECTION(replay) for replay, _ in rejected])


def reject_exhausted(rejected: Sequence[tuple[Replay, Rejection]]) -> None:
    """Reject rows without attempts left, if no other worker has claimed them since."""
    for replay, rejection in rejected:
        Replay.objects.filter(pk=replay.pk, attempts=replay.attempts).exclude(status=Replay.Status.DONE).update(
            status=Replay.Status.REJECTED,
            analysed_at=timezone.now(),
            reject_code=rejection.code,
            reject_params=json_params(rejection.params, rejection.message),
        )


def release(replays: Sequence[Replay], *, give_back: bool = False) -> None:
    """Set claimed rows to queued; the sweep sends them again.  ``give_back``: the attempt does not count."""
    for replay in replays:
        Replay.objects.filter(pk=replay.pk, attempts=replay.attempts, status=Replay.Status.RUNNING).update(
            status=Replay.Status.QUEUED, claimed_at=timezone.now(), attempts=replay.attempts - int(give_back)
        )
