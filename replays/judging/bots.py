"""Marking players as bots."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from players.leaderboards.services import lock_players
from players.models import Player
from replays.judging.ranking import update_ranked
from replays.models import Replay

#: Replays that are loaded at once.
_BATCH: Final = 500


def player_mark_bot(player: Player, *, is_bot: bool, on_boards: bool) -> Player:
    """Store whether ``player`` is a bot and whether its games count on boards, and add or remove all its games.

    Boards are for people: bots are on boards only if ``on_boards`` is set, as on a demo site.
    """
    with transaction.atomic():
        lock_players([player.pk])
        row = Player.objects.get(pk=player.pk)
        row.is_bot, row.on_boards = is_bot, on_boards
        row.save(update_fields=["is_bot", "on_boards"])
        for ids in _batches(row):
            _update_games(row, ids)
    return row


def _batches(player: Player) -> list[list[int]]:
    ids = list(player.replays.filter(status=Replay.Status.DONE).order_by("pk").values_list("pk", flat=True))
    return [ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH)]


def _update_games(player: Player, ids: list[int]) -> None:
    rows = list(Replay.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk"))
    for row in rows:
        row.player = player
    update_ranked(rows)
