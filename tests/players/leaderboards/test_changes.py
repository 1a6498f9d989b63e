"""Boards, player pages and histories after random changes of every kind, against a naive recomputation.

``test_bests`` calls ``add_games`` and ``remove_games`` alone; here all services that lead to them take part: uploads of
any outcome, copies, deletions, judgements by staff and by rules, recomputes, claimed, merged and released names, and
counts of checkpoints in between.
"""

from __future__ import annotations

import pytest

from players.leaderboards.boards import BoardKey, all_boards
from players.leaderboards.ranks import checkpoints
from players.leaderboards.ranks.checkpoints import count_boards
from players.leaderboards.services import rebuild_boards
from players.models import PersonalBest, RankChange, RankCheckpoint
from tests.effort import amount
from tests.players.made_games import Shelf, on_shelf
from tests.players.naive_boards import stored_boards
from tests.players.random_changes import World, assert_copies_took_the_place, assert_numbers_are_those_of_the_files
from tests.players.site_check import assert_site_is_right

pytestmark = pytest.mark.django_db

CHANGES = amount(long=1_500, usual=250, short=60)
CHECKPOINTS = amount(long=3, usual=1)


def test_every_kind_of_change_keeps_every_page_right(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "ROWS_A_CHECKPOINT", 3)
    shelf, ranks = Shelf(), 0
    with on_shelf(shelf):
        world = World(1, shelf, monkeypatch, full=300)
        changes = 0
        for checkpoint in range(1, CHECKPOINTS + 1):
            while changes < CHANGES * (2 * checkpoint - 1) // (2 * CHECKPOINTS):
                changes += world.change()
            count_boards(all_boards()[::2])  # and ranks are read from the rest without checkpoints
            while changes < CHANGES * checkpoint // CHECKPOINTS:
                changes += world.change()
            for rare in (world.change_minimum, world.change_rules, world.merge, world.release, world.rebuild):
                changes += world.apply(rare)
            for kind, _weight in world.kinds:
                if kind.__name__ not in world.done:
                    changes += world.apply(kind)
            compared = assert_site_is_right(world.source, share=0.08)
            assert min(compared.boards, compared.subs, compared.histories) > 0
            ranks += compared.ranks
            assert_copies_took_the_place(shelf)
            assert_numbers_are_those_of_the_files(shelf)
    assert ranks > 0
    counted, changed = (
        set(model._default_manager.values_list(*BoardKey._fields)) for model in (RankCheckpoint, RankChange)
    )
    assert counted & changed, "no rank was read from checkpoints and what changed since"
    assert changed - counted, "no rank was read without checkpoints"

    incremental = stored_boards()
    ids = list(PersonalBest.objects.order_by("id").values_list("id", flat=True))
    rebuild_boards()
    assert stored_boards() == incremental
    assert list(PersonalBest.objects.order_by("id").values_list("id", flat=True)) == ids
