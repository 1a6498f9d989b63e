"""Reading the name inside a replay in another encoding.

The game is saved as if it had just been uploaded under the new name: its owner is asked, look-alikes are looked for, and
what would be provisional is.
"""

from __future__ import annotations

from copy import copy
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction

from players.db.retry import retry_on_conflict
from players.decision_log import Action
from players.leaderboards.file_countries import follow_files
from players.models import User
from players.web.rate_limits import RateLimit
from replays.models import Replay
from replays.trust.judging.audit import log_about
from replays.trust.judging.permissions import encoding_refusal, owns
from replays.upload.processing.compute import Analysed, compute_results
from replays.upload.processing.emptied_names import merge_if_empty
from replays.upload.processing.recompute.from_files import skipped
from replays.upload.processing.save import save_games

#: Changes of one account: each analyses a file and writes the boards of two players.
ENCODING_LIMIT: Final = RateLimit("name-encodings", "60/hour")


@retry_on_conflict
def encoding_choose(replay: Replay, encoding: str, by: User) -> Replay:
    """Read the name inside ``replay`` in ``encoding`` from now on, and move the game to the player of that name.

    Raises ``ValidationError`` if ``by`` may not, or if the file cannot be read.
    """
    chosen = copy(replay)
    chosen.name_encoding, chosen.encoding_chosen = encoding, True
    [(_replay, result)] = compute_results([chosen])
    if not isinstance(result, Analysed):
        raise ValidationError(skipped(replay.pk, result).text)
    with transaction.atomic():
        row = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player").get(pk=replay.pk)
        if refusal := encoding_refusal(row, by):
            raise ValidationError(refusal)
        before, name, player, is_own = row.name_encoding, row.identifier, row.player, owns(row, by)
        Replay.objects.filter(pk=row.pk).update(encoding_chosen=True)
        row.encoding_chosen, row.ownership = True, Replay.Ownership.NOT_ASKED  # answers were about the other name
        save_games([(row, result)])
        if player is not None and row.player is not None:
            follow_files([player.pk])
            merge_if_empty(name, player, row.player)
        if not is_own:
            log_about(row, by, Action.REENCODED, before=before, after=encoding)
        return row
