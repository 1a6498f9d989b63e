from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Prefetch, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.db.keyset import Page, page_of
from players.decision_log import Action, Kind, Rule
from players.models import Decision, User
from replays.models import Ban, BanAppeal, Replay, Report, ReportedThing
from replays.moderation.things import ACTIONS, Reported, things_of
from replays.trust.judging.bots import mark_state
from replays.trust.judging.services import date_state
from replays.trust.reports.selectors import PAGE_SIZE, cases_page

#: Open appeals on the page of bans.
MOST_APPEALS: Final = 50


@dataclass(frozen=True, slots=True)
class QueueRow:
    """``thing`` is None if it is gone; then the reports can only be closed."""

    case: ReportedThing
    thing: Reported | None
    reporters: int
    reports: Sequence[Report]

    @property
    def actions(self) -> tuple[tuple[str, object], ...]:
        return ACTIONS[self.case.kind] if self.thing is not None else ()


def queue_page(cursor: str | None, size: int = PAGE_SIZE, *, kind: str = "") -> Page[QueueRow]:
    """Things with open reports, oldest first; two statements, and one for each kind.  Raises ``BadCursor``."""
    page = cases_page(cursor, size, kind=kind)
    things = things_of((case.kind, case.number) for case in page.rows)
    rows = [
        QueueRow(case, things.get((case.kind, case.number)), case.reporters, case.open_reports)  # type: ignore[attr-defined]  # annotated
        for case in page.rows
    ]
    return Page(rows, page.next_cursor, page.previous_cursor)


def bans_page(cursor: str | None, size: int = PAGE_SIZE) -> Page[Ban]:
    """Bans in force, newest first, each with ``open_appeals``; two statements.  Raises ``BadCursor``."""
    rows = _with_open_appeals(Ban.objects.filter(Q(until=None) | Q(until__gt=timezone.now()), ended_at=None))
    return page_of(rows, ("-id",), cursor, size)


def appealed_bans() -> list[Ban]:
    """Bans with an open appeal, those that wait longest first."""
    rows = Ban.objects.filter(appeals__state=BanAppeal.State.OPEN)  # at most one is open, so no row comes twice
    return list(_with_open_appeals(rows).order_by("appeals__id")[:MOST_APPEALS])


def last_ban(user: User) -> Ban | None:
    """The ban in force, else the last one, with its appeals."""
    latest_first = Prefetch("appeals", BanAppeal.objects.order_by("-id"))
    return Ban.objects.filter(user=user).prefetch_related(latest_first).order_by("-id").first()


def _with_open_appeals(rows: QuerySet[Ban]) -> QuerySet[Ban]:
    open_appeals = BanAppeal.objects.filter(state=BanAppeal.State.OPEN)
    return rows.select_related("user", "by").prefetch_related(Prefetch("appeals", open_appeals, to_attr="open_appeals"))


# --- the log ----------------------------------------------------------------------------------------------------------


#: What came of decisions that an action alone does not tell, by the state afterwards.
_OUTCOMES: Final[dict[str, dict[str, object]]] = {
    Action.JUDGED: {value.value: value.label for value in Replay.Judgement},
    Action.OWNED: {
        Replay.Ownership.VOUCHED: _("Played by the name's owner"),
        Replay.Ownership.DISOWNED: _("Not played by the name's owner"),
    },
    Action.DATED: {date_state(True): _("by the date in the file"), date_state(False): _("by the upload date")},
    Action.MARKED_BOT: {
        mark_state(is_bot=True, on_boards=True): _("on leaderboards"),
        mark_state(is_bot=True, on_boards=False): _("off leaderboards"),
    },
}


@dataclass(frozen=True, slots=True)
class LoggedDecision:
    """``thing`` is None if it is gone, and for accounts."""

    id: int
    row: Decision
    thing: Reported | None

    @property
    def rule_text(self) -> str:
        return str(Rule(self.row.rule).label) if self.row.rule else ""

    @property
    def reason_text(self) -> str:
        """The moderator's sentence; "" if the rule was stored in its place."""
        is_rule = bool(self.row.rule) and self.row.reason == Rule(self.row.rule).sentence
        return "" if is_rule else self.row.reason

    @property
    def action_text(self) -> str:
        return str(Action(self.row.action).label)

    @property
    def outcome_text(self) -> str:
        """The outcome in the reader's language; "" if the action says it."""
        return str(_OUTCOMES.get(self.row.action, {}).get(self.row.after, ""))


def decisions_about(user: User, cursor: str | None, size: int = PAGE_SIZE) -> Page[LoggedDecision]:
    """Decisions about the things of ``user``, newest first.  Reports that led to nothing are not told."""
    rows = Decision.objects.filter(about_number=user.pk).exclude(action=Action.DISMISSED)
    return _with_things(page_of(rows, ("-id",), cursor, size))


def log_page(cursor: str | None, size: int = PAGE_SIZE) -> Page[LoggedDecision]:
    """All decisions, newest first; for moderators."""
    return _with_things(page_of(Decision.objects.all(), ("-id",), cursor, size))


def _with_things(page: Page[Decision]) -> Page[LoggedDecision]:
    things = things_of((row.kind, row.number) for row in page.rows if row.kind != Kind.ACCOUNT)
    rows = [LoggedDecision(row.pk, row, things.get((row.kind, row.number))) for row in page.rows]
    return Page(rows, page.next_cursor, page.previous_cursor)
