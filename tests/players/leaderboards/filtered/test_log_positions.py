"""Filtered boards miss no change that commits late."""

from __future__ import annotations

import threading

import pytest
from django.db import connection, transaction

from analysis.recording import Level
from players.leaderboards.board import Board
from players.leaderboards.filtered import sorted_board_of
from players.models import Player
from tests.factories import rank_replays, stored_replay
from tests.players.queries import filter_in

pytestmark = pytest.mark.django_db(transaction=True)

BOARD = Board("expert", "time", "all", filter_in({"period": "2024"}))


def test_a_change_that_began_early_and_commits_late_is_seen() -> None:
    slow, quick = (Player.objects.create(name=name) for name in ("slow", "quick"))
    slow_game, quick_game = (stored_replay(player, Level.EXPERT) for player in (slow, quick))
    written, go_on = threading.Event(), threading.Event()

    def write_slowly() -> None:
        try:
            with transaction.atomic():
                rank_replays([slow_game])
                slow_game.ranked = True
                slow_game.save(update_fields=["ranked"])
                written.set()
                assert go_on.wait(20)
        finally:
            connection.close()

    type(slow_game).objects.filter(pk=slow_game.pk).update(ranked=False)
    thread = threading.Thread(target=write_slowly)
    thread.start()
    assert written.wait(20)
    rank_replays([quick_game])  # has a higher number in the log, and commits first
    assert sorted_board_of(BOARD).rows.player.tolist() == [quick.pk]
    assert sorted_board_of(BOARD).rows.player.tolist() == [quick.pk]
    go_on.set()
    thread.join(20)
    assert sorted(sorted_board_of(BOARD).rows.player.tolist()) == sorted([slow.pk, quick.pk])
