from __future__ import annotations

from typing import Final

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext

from players.db.keyset import Page, page_of
from players.decision_log import Decision, Kind
from players.web.parameters import CURSOR, Parameter, choice
from replays.models import Appeal, Replay
from replays.trust.judging.findings import FINDING_CODES, finding_sentence
from replays.trust.judging.rules import LEAP, LIMIT, OPEN, TOP, WORLD_CLASS
from replays.trust.reasons import (
    OPEN_SENTENCE,
    PLACE_SENTENCES,
    PROVISIONAL_SENTENCES,
    limit_sentence,
    provisional_sentence,
)

#: Values of ``Replay.judgement_code`` of replays that are not accepted.
JUDGEMENT_CODES: Final = (Replay.DECIDED, OPEN, WORLD_CLASS, TOP, LEAP, LIMIT, *PLACE_SENTENCES, *sorted(FINDING_CODES))
#: Judgements of replays in the queue.
QUEUED: Final = tuple(value for value in Replay.Judgement.values if value != Replay.Judgement.ACCEPTED)
QUEUE_PARAMETERS: Final[tuple[Parameter[object], ...]] = (
    choice("state", QUEUED, description="Only this judgement."),
    choice("code", JUDGEMENT_CODES, description="Only this reason."),
    choice("appeal", ["open"], description="Only with an open appeal."),
    CURSOR,
)
PAGE_SIZE: Final = 30
_MAX_DECISIONS: Final = 20


def judgement_text(replay: Replay) -> str:
    """Say why ``replay`` is not accepted, in the active language; the reason of staff if they decided; "" if accepted."""
    if replay.judgement == Replay.Judgement.ACCEPTED:
        return ""
    if replay.judgement_code in PLACE_SENTENCES:
        return gettext(PLACE_SENTENCES[replay.judgement_code]) % {"replay": replay.judgement_params.get("replay")}
    if replay.judgement_code == LIMIT:
        return limit_sentence(replay.judgement_params)
    if replay.judgement_code == OPEN:
        return gettext(OPEN_SENTENCE)
    if replay.judgement_code in PROVISIONAL_SENTENCES:
        return provisional_sentence(replay.judgement_code, replay.judgement_params)
    if replay.judgement_code in (Replay.DECIDED, ""):
        return gettext(replay.judgement_reason) if replay.judgement_reason else ""  # a rule in words, or a sentence
    return finding_sentence(replay.judgement_code, replay.judgement_params)


def judgement_page(
    *,
    state: str = "",
    code: str = "",
    appealed: bool = False,
    cursor: str | None = None,
    size: int = PAGE_SIZE,
) -> Page[Replay]:
    """Replays that are not accepted, newest first, each with ``open_appeals``; two queries.

    ``state``: of ``Replay.Judgement``; ``code``: of :data:`JUDGEMENT_CODES`; ``appealed``: only with an open appeal.
    Raises ``players.db.keyset.BadCursor``.
    """
    rows = Replay.objects.filter(status=Replay.Status.DONE)
    rows = rows.exclude(judgement=Replay.Judgement.ACCEPTED)  # exactly the condition of the partial indexes
    if state:
        rows = rows.filter(judgement=state)
    if code:
        rows = rows.filter(judgement_code=code)
    if appealed:
        rows = rows.filter(appeals__state=Appeal.State.OPEN)  # at most one is open, so no row is returned twice
    return page_of(_with_open_matters(rows), ("-id",), cursor, size)


def _with_open_matters(rows: QuerySet[Replay]) -> QuerySet[Replay]:
    open_appeals = Appeal.objects.filter(state=Appeal.State.OPEN).select_related("user")
    rows = rows.select_related("player", "uploader", "judged_by").defer("board", "findings", "reject_params")
    return rows.prefetch_related(
        Prefetch("appeals", open_appeals, to_attr="open_appeals"),
    )


def appeals_of(replay: Replay) -> list[Appeal]:
    """Return the latest first."""
    return list(replay.appeals.select_related("user").order_by("-id"))


def decisions_of(replay: Replay) -> list[Decision]:
    """Return the latest decisions on ``replay``, newest first."""
    return list(Decision.objects.filter(kind=Kind.REPLAY, number=replay.pk).order_by("-id")[:_MAX_DECISIONS])
