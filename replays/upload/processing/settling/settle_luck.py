"""Settling measured luck: its values come after the game has its place, and may change judgement and boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

from analysis.luck import Click, Sort
from analysis.statistics import LUCK_VERSION
from replays.models import NeedlessGuess, Replay, TrainingCard
from replays.upload.processing.luck_measuring import Measured
from replays.upload.processing.settling.settled_rows import SETTLED, judge_and_rank, write_rows


def settle_luck(results: Mapping[int, Measured]) -> None:
    """Write ``results`` to their rows, and update judgements and boards.

    Call it inside a transaction.  Rows that were deleted, or have another game since, are skipped.
    """
    if not results:
        return
    locked = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player").defer("board")
    found = locked.filter(pk__in=results, status=Replay.Status.DONE).order_by("pk")
    rows = [row for row in found if row.game_hash == results[row.pk].game_hash]
    before = {row.pk: copy(row) for row in rows}
    for row in rows:
        _fill(row, results[row.pk])
    judge_and_rank(rows, before)
    write_rows(rows, before, SETTLED)
    measured = {row.pk: results[row.pk] for row in rows}
    _write_guesses({pk: result.avoidable for pk, result in measured.items()})
    _drop_training_cards({pk: result.avoidable for pk, result in measured.items() if not result.code})


def _fill(row: Replay, result: Measured) -> None:
    for name, value in result.values.items():
        setattr(row, name, value)
    row.luck_version, row.luck_code = LUCK_VERSION, result.code
    row.luck_claimed_at, row.luck_attempts = None, 0


def _write_guesses(guesses: Mapping[int, Sequence[Click]]) -> None:
    NeedlessGuess.objects.filter(replay__in=guesses).delete()
    NeedlessGuess.objects.bulk_create(
        NeedlessGuess(
            replay_id=replay_id,
            event=click.event,
            time_ms=click.time_ms,
            risk=click.risk,
            rule="" if click.rule is None else click.rule.value,
            is_needless=click.sort is Sort.NEEDLESS,
        )
        for replay_id, clicks in guesses.items()
        for click in clicks
    )


def _drop_training_cards(slips: Mapping[int, Sequence[Click]]) -> None:
    """Delete the cards of clicks that are no slips any more: nobody could answer them, and they would be asked for ever."""
    events = {pk: {click.event for click in clicks} for pk, clicks in slips.items()}
    cards = TrainingCard.objects.filter(replay__in=slips).values_list("pk", "replay", "event")
    gone = [pk for pk, replay, event in cards if event not in events[replay]]
    if gone:
        TrainingCard.objects.filter(pk__in=gone).delete()
