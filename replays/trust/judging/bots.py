from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.db import transaction

from players.db.chunks import chunked
from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.decision_log import Action, Kind, log_decision
from players.leaderboards.services import lock_players
from players.models import Player
from replays.models import Replay
from replays.trust.judging.ranking import update_ranked

#: Replays of one transaction.
_BATCH: Final = 500


def player_mark_bot(player: Player, *, is_bot: bool, on_boards: bool, reason: str = "") -> Player:
    """Store whether ``player`` is a bot and whether its games count on boards, and add or remove all its games.

    Boards are for people: bots are on boards only if ``on_boards`` is set, as on a demo site.  The marks come first, so that
    games which arrive meanwhile follow them; then its games, some at a time.  Whoever dies in between runs it again, which
    logs nothing, since only new marks are a decision.
    """
    row = _mark(player, is_bot=is_bot, on_boards=on_boards, reason=reason)
    ids = list(row.replays.filter(status=Replay.Status.DONE).order_by("pk").values_list("pk", flat=True))
    for some in chunked(ids, _BATCH):
        _update_games(row, some)
    return row


@retry_on_conflict
def _mark(player: Player, *, is_bot: bool, on_boards: bool, reason: str) -> Player:
    with transaction.atomic():
        lock_players([player.pk])
        row = Player.objects.get(pk=player.pk)
        before = mark_state(is_bot=row.is_bot, on_boards=row.on_boards)
        row.is_bot, row.on_boards = is_bot, on_boards
        row.save(update_fields=["is_bot", "on_boards"])
        if (after := mark_state(is_bot=is_bot, on_boards=on_boards)) != before:
            log_decision(
                None, Action.MARKED_BOT if is_bot else Action.UNMARKED_BOT, Kind.NAME, row.pk, about=row.user_id,
                reason=storable_text(reason), before=before, after=after,
            )  # fmt: skip
    return row


def mark_state(*, is_bot: bool, on_boards: bool) -> str:
    """Return what the log of decisions calls the marks of a player."""
    return f"{'bot' if is_bot else 'person'} {'on' if on_boards else 'off'} boards"


@retry_on_conflict
def _update_games(player: Player, ids: Sequence[int]) -> None:
    """Replays are locked before their player, as everywhere (``players.db.retry``)."""
    with transaction.atomic():
        rows = list(Replay.objects.select_for_update(no_key=True).filter(pk__in=ids, player=player).order_by("pk"))
        lock_players([player.pk])
        marked = Player.objects.get(pk=player.pk)  # somebody else may have marked it anew
        for row in rows:
            row.player = marked
        update_ranked(rows)
