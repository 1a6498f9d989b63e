from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from analysis.evidence import OPENING
from players.db.chunks import chunked
from players.db.retry import retry_on_conflict
from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import remove_games
from players.models import User
from players.web.staff import own_matter_refusal
from replays.models import AcceptedVersion, Replay
from replays.trust.judging.appeals import appeals_grant
from replays.trust.judging.ranking import log_corpses
from replays.trust.judging.rules import JUDGED, Rules, judge_by_rules
from replays.trust.places.services import update_boards
from replays.trust.versions.selectors import CODES, VERSION, accepted_among, waiting_games

_BATCH: Final = 100
_WRITTEN: Final = (*JUDGED, "findings", "evidence", "ranked", "corpse")


def believe_accepted(replays: Iterable[Replay]) -> None:
    """Drop the finding on the version of those of ``replays`` whose version was accepted here; nothing is saved.

    Call it before they are judged.  One query if any has such a finding.
    """
    for replay in accepted_among(replays):
        replay.findings = [finding for finding in replay.findings if finding["code"] not in CODES]
        if replay.evidence == Replay.Evidence.OPEN and not OPENING & {finding["code"] for finding in replay.findings}:
            replay.evidence = Replay.Evidence.SEALED.value


def version_accept(format_: str, format_variant: str, software: str, by: User) -> int:
    """Accept a version, in one variant of its format, of which games wait, and judge the first of them; returns how many.

    The others are judged by :func:`judge_accepted`.  Raises ``ValidationError`` if none waits, or none but their own.
    """
    version = dict(zip(VERSION, (format_, format_variant, software), strict=True))
    waiting = waiting_games().filter(**version)
    if not waiting.exists():
        raise ValidationError(_("No games from this version are waiting."))
    if not waiting.exclude(uploader=by).exists() and (refusal := own_matter_refusal(by, by.pk)):
        raise ValidationError(refusal)
    AcceptedVersion.objects.get_or_create(**version, defaults={"accepted_at": timezone.now(), "accepted_by": by})
    return _judge(list(waiting.order_by("-pk").values_list("pk", flat=True)[:_BATCH]))


def judge_accepted() -> int:
    """Judge the games that wait although their version was accepted; returns how many."""
    count = 0
    for version in AcceptedVersion.objects.values(*VERSION):
        waiting = waiting_games().filter(**version)
        for ids in chunked(list(waiting.order_by("-pk").values_list("pk", flat=True)), _BATCH):
            count += _judge(ids)
    return count


@retry_on_conflict
def _judge(ids: Sequence[int]) -> int:
    with transaction.atomic():
        locked = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player")
        rows = list(locked.filter(pk__in=ids, judgement_code__in=CODES).order_by("pk"))
        remove_games([game_of(row) for row in rows if row.ranked])
        log_corpses(row for row in rows if row.corpse)
        believe_accepted(rows)
        rules = Rules.of_site()
        for row in rows:
            row.ranked = row.corpse = False
            judge_by_rules(row, rules)
        Replay.objects.bulk_update(rows, _WRITTEN)
        update_boards(rows)  # adds those that count, provisionally where they would matter most
        appeals_grant([row.pk for row in rows if row.judgement == Replay.Judgement.ACCEPTED])
    return len(rows)
