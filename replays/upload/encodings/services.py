"""Reading the name inside a replay in another encoding.

The game is saved as if it had just been uploaded under the new name: its owner is asked, look-alikes are looked for, and
what would be provisional is.
"""

from __future__ import annotations

from copy import copy
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.decision_log import Action
from players.models import User
from players.web.rate_limits import RateLimit
from replays.models import Replay
from replays.trust.judging.audit import log_about
from replays.trust.judging.permissions import encoding_refusal, owns
from replays.trust.reasons import sentence
from replays.upload.processing.columns import json_params
from replays.upload.processing.compute import Analysed, Rejection, Result, Unreachable, compute_results
from replays.upload.processing.settling.settle import settle

#: Changes of one account: each analyses a file and writes the boards of two players.
ENCODING_LIMIT: Final = RateLimit("name-encodings", "60/hour")


@retry_on_conflict
def encoding_choose(replay: Replay, encoding: str, by: User) -> Replay:
    """Read the name inside ``replay`` in ``encoding`` from now on, and move the game to the player of that name.

    Raises ``ValidationError`` if ``by`` may not, or if the file cannot be read.
    """
    chosen = copy(replay)
    chosen.name_encoding, chosen.encoding_chosen = encoding, True
    [(_same, result)] = compute_results([chosen])
    if not isinstance(result, Analysed):
        raise ValidationError(_failure_text(result))
    with transaction.atomic():
        row = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player").get(pk=replay.pk)
        if refusal := encoding_refusal(row, by):
            raise ValidationError(refusal)
        before, is_own = row.name_encoding, owns(row, by)
        Replay.objects.filter(pk=row.pk).update(encoding_chosen=True)
        row.encoding_chosen = True
        settle([(row, result)])
        if not is_own:
            log_about(row, by, Action.REENCODED, before=before, after=encoding)
        return row


def _failure_text(result: Result) -> str:
    if isinstance(result, Rejection):
        return sentence(result.code, json_params(result.params, result.message))
    if isinstance(result, Unreachable):
        return sentence("unreadable", {"reason": _("our file storage isn't responding")})
    return sentence("internal_error")
