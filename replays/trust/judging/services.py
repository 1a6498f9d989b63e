from __future__ import annotations

from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.decision_log import Action, Kind
from players.leaderboards.file_countries import follow_files
from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import add_games, remove_games, update_games
from players.models import User
from players.web.staff import own_matter_refusal
from replays.models import Replay
from replays.trust.evidence.dates import counted_from
from replays.trust.judging.appeals import appeal_close
from replays.trust.judging.audit import log_about
from replays.trust.judging.ranking import log_corpses
from replays.trust.judging.rules import counts_as_corpse, counts_on_boards
from replays.trust.reports.services import case_close

_WRITTEN = (
    "judgement", "judgement_reason", "judgement_code", "judgement_params", "judged_by", "judged_at", "ranked",
    "corpse", "provisional_until",
)  # fmt: skip
DECISIONS = tuple(
    value.value for value in (Replay.Judgement.ACCEPTED, Replay.Judgement.SUSPICIOUS, Replay.Judgement.FROZEN)
)
#: Sent with ``ids``, the replays about which staff decided, in the same transaction: ``replays.trust.places`` decides again
#: which files count there.
decided: Final = Signal()


@retry_on_conflict
def replay_trust_date(replay: Replay, by: User, *, trusted: bool) -> Replay:
    """Store whether staff vouch for the date that the file states, and update the boards and records by it.

    Raises ``ValidationError`` on a game of their own.
    """
    with transaction.atomic():
        row = Replay.objects.select_for_update(no_key=True).get(pk=replay.pk)
        check_not_own(row, by)
        trusted_before = row.date_trusted
        before = {row.pk: game_of(row)} if row.ranked else {}
        row.date_trusted = trusted
        row.achieved_at = counted_from(
            played_at=row.played_at, uploaded_at=row.uploaded_at, evidence=row.evidence, date_trusted=trusted
        )
        row.save(update_fields=["date_trusted", "achieved_at"])
        update_games(before, {row.pk: game_of(row)} if row.ranked else {})
        log_corpses([row] if row.corpse else [])
        log_about(row, by, Action.DATED, before=date_state(trusted_before), after=date_state(trusted))
        decided.send(Replay, ids=[row.pk])
    return row


@retry_on_conflict
def replay_judge(replay: Replay, judgement: str, reason: str, by: User, rule: str = "") -> Replay:
    """Set the judgement with its reason, close an open appeal, and update the boards, in one transaction.

    No rule overrules it when the replay is analysed again.  ``rule``: of people, that it broke (``Rule``).  Raises
    ``ValidationError`` on an unknown judgement, on one other than "accepted" without a reason, or on a game of their own.
    """
    reason = storable_text(reason)
    if judgement not in DECISIONS:
        raise ValidationError(_("Unknown judgement: %(judgement)s."), params={"judgement": judgement})
    if judgement != Replay.Judgement.ACCEPTED and not reason:
        raise ValidationError(_("Give a reason."))
    with transaction.atomic():
        row = Replay.objects.select_for_update(no_key=True).get(pk=replay.pk)
        check_not_own(row, by)
        if judgement == Replay.Judgement.ACCEPTED and _has_others(row):
            raise ValidationError(_("Other files have this game, so decide its place, with all of them before you."))
        judge_row(row, judgement, reason, by, rule=rule)
        decided.send(Replay, ids=[row.pk])
        row.refresh_from_db(fields=["ranked", "corpse"])
    return row


def _has_others(row: Replay) -> bool:
    return row.place_id is not None and Replay.objects.filter(place=row.place_id).exclude(pk=row.pk).exists()


def check_not_own(row: Replay, by: User) -> None:
    """Raise ``ValidationError`` if ``by`` uploaded it, or played it."""
    refusal = own_matter_refusal(by, row.uploader_id, None if row.player is None else row.player.user_id)
    if refusal:
        raise ValidationError(refusal)


def date_state(trusted: bool) -> str:
    """Return what the log of decisions calls a date that counts, or does not."""
    return "date trusted" if trusted else "date not trusted"


def judge_row(
    row: Replay,
    judgement: str,
    reason: str,
    by: User,
    rule: str = "",
) -> None:
    """Write a decision of staff into a locked row, close what is open about it, and update the boards."""
    before = row.judgement
    game_before, was_corpse = game_of(row) if row.ranked else None, row.corpse
    row.judgement, row.judgement_reason = judgement, reason
    row.judgement_code, row.judgement_params = Replay.DECIDED, {}
    row.judged_by, row.judged_at, row.provisional_until = by, timezone.now(), None
    row.ranked, row.corpse = counts_on_boards(row), counts_as_corpse(row)
    row.save(update_fields=_WRITTEN)
    game = game_of(row) if row.ranked else None
    if game != game_before:  # a provisional game that is accepted is removed and added: it gets its records now
        remove_games([] if game_before is None else [game_before])
        add_games([] if game is None else [game])
    log_corpses([row] if row.corpse != was_corpse else [])
    if row.file_country:
        follow_files([row.player_id])
    decision_tell(row, before, reason, by, rule)


def decision_tell(row: Replay, before: str, reason: str, by: User, rule: str = "") -> None:
    """Close what is open about a row that staff have judged, and log the decision."""
    appeal_close(row, reason)
    case_close(Kind.REPLAY, row.pk)
    log_about(row, by, Action.JUDGED, rule=rule, reason=reason, before=before, after=row.judgement)
