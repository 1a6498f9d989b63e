"""Copies of real games, uploaded before their originals: the owner's game ranks or is in dispute, and each dispute ends."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import numpy as np
import pytest
from django.db import transaction

from players.models import User
from replays.models import GameLink, Replay
from replays.trust.equals.services import pair_decide
from replays.trust.judging.services import replay_judge
from replays.upload.processing.deletion import replay_delete
from tests.effort import amount
from tests.forgeries.judge import Stored, stored
from tests.forgeries.kinds import COPIES, Forgery
from tests.forgeries.real_games import forge
from tests.replays.conftest import Ingest
from tests.shared_files import needs_shared, replay_files

pytestmark = [pytest.mark.django_db, pytest.mark.shared, needs_shared]

_FORMATS = ("avf", "rmv", "mvf", "evf")
_ENDS = ("staff decide", "the copy is frozen", "the copy is deleted")
RANKED = ("accepted", "provisional")


@cache
def games() -> tuple[Stored, ...]:
    """Some real files, the formats in turn; which of them rank when nothing else is here is asked by the test."""
    most = amount(long=60, usual=3)
    files = [replay_files(suffix) for suffix in _FORMATS]
    others = sum(len(found) for found in files[1:])
    step = max(1, len(files[0]) // most)
    chosen = [*files[0][::step][: max(most - others, 2)], *(path for found in files[1:] for path in found)][:most]
    return tuple(stored(path.name, path.read_bytes()) for path in chosen)


@pytest.mark.parametrize("kind", COPIES, ids=[kind.name for kind in COPIES])
def test_a_copy_of_a_real_game_that_comes_first(
    ingest: Ingest, owner: User, other_player: User, staff: User, settings: Any, kind: Forgery
) -> None:
    settings.RANK_OPEN_FORMATS = []
    random, found = np.random.default_rng(1), Counter[str]()
    for game in games():
        with transaction.atomic():
            alone = ingest(game.data, name=game.name, uploader=owner).ranked
            transaction.set_rollback(True)
        if not alone or sum(found.values()) == amount(long=30, usual=2):
            continue
        with transaction.atomic():
            copy = ingest(forge(game, kind, random), name=game.name, uploader=other_player)
            came = copy.judgement
            mine = ingest(game.data, name=game.name, uploader=owner)
            copy.refresh_from_db()
            end = _ENDS[sum(found.values()) % len(_ENDS)]
            found[f"copy {came} -> {copy.judgement}, original {mine.judgement}"] += 1
            assert mine.status == Replay.Status.DONE
            assert not copy.ranked, (game.name, copy.judgement)
            assert mine.ranked or mine.judgement == "disputed", (game.name, mine.judgement, mine.judgement_code)
            assert "suspicious" not in (mine.judgement, mine.judgement_code)
            if mine.judgement == "disputed":
                assert copy.judgement == "disputed"
                _end(end, mine, copy, staff, other_player)
            mine.refresh_from_db()
            assert mine.ranked, (game.name, end, mine.judgement)
            assert mine.judgement in RANKED
            transaction.set_rollback(True)
    assert found


def _end(end: str, mine: Replay, copy: Replay, staff: User, thief: User) -> None:
    match end:
        case "staff decide":
            pair_decide(GameLink.objects.get(first=copy, second=mine), "second", "The original.", staff)
        case "the copy is frozen":
            replay_judge(copy, "frozen", "A copy.", staff)
        case _:
            replay_delete(copy, by=thief)
