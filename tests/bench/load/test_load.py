"""A made-up site must be one that the site itself could have become."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from analysis.board import board_facts
from analysis.statistics import DERIVED, LEVEL_CODES, STORED, derive
from players.leaderboards.boards import COMBINED
from players.models import NamePart, PersonalBest, Player, RankCheckpoint, RecordEvent
from players.people.services import index_names
from replays.models import Replay
from replays.trust.judging.rules import counts_as_corpse, counts_on_boards
from tests.bench.load import population
from tests.bench.load.__main__ import main
from tests.bench.load.ranks import Places
from tests.factories import rank_replays
from tests.players.naive_boards import expected_boards, stored_boards


def generate(players: int, replays: int) -> None:
    main(["--players", str(players), "--replays", str(replays), "--quiet"])


@pytest.mark.django_db(transaction=True)
def test_pages_show_a_small_load(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    monkeypatch.setattr(population, "_BOARDS_A_LEVEL", 5)
    generate(players=2, replays=30)
    replay = Replay.objects.filter(ranked=True).first()
    assert replay is not None
    addresses = ("/", replay.get_absolute_url(), f"/leaderboards/{replay.level}/time/", f"/players/{replay.player_id}/")
    for address in addresses:
        assert client.get(address).status_code == 200
    assert Player.objects.create(name="next").pk == 3
    with pytest.raises(SystemExit, match="already"):
        generate(players=2, replays=10)


@pytest.mark.long(beside="tests/bench/load/test_load.py::test_pages_show_a_small_load")
@pytest.mark.django_db(transaction=True)
class TestLoad:
    def test_all_is_what_these_replays_make(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setattr(population, "_GAMES_A_BLOCK", 50)
        before = _schema()
        generate(players=9, replays=200)
        assert "replays_replay: 200 rows" in capsys.readouterr().out
        assert _schema() == before
        assert stored_boards() == expected_boards()
        assert any(stored_boards())
        _names_are_in_parts()
        _ranked_is_what_the_rule_says()
        made = _history()
        for table in (RecordEvent, PersonalBest, RankCheckpoint):
            table._default_manager.all().delete()
        for replay in Replay.objects.filter(ranked=True).order_by("id"):
            rank_replays([replay])
        assert _history() == made
        assert {level for _kind, _player, _statistic, level, *_rest in made} >= {COMBINED, "expert", "beginner-9x9"}

    def test_numbers_are_those_of_the_registry_and_of_the_board(self) -> None:
        generate(players=3, replays=60)
        replays = list(Replay.objects.all())
        base = {
            row.name: np.array([replay.statistic(row.name) for replay in replays], dtype=np.float64) for row in STORED
        }
        base["win"] = np.array([float(bool(replay.win)) for replay in replays])
        base["level"] = np.array([LEVEL_CODES[replay.level] for replay in replays], dtype=np.float64)  # type: ignore[index]
        derived = derive(base)
        for row in DERIVED:
            np.testing.assert_array_equal(derived[row.name], base[row.name], err_msg=row.name)
        for replay in replays[:5]:
            facts = board_facts(replay.board_object())
            assert (facts.bv, facts.op, facts.isl) == (
                replay.statistic("bv"),
                replay.statistic("op"),
                replay.statistic("isl"),
            )


def _names_are_in_parts() -> None:
    made = sorted(NamePart.objects.values_list("player_id", "text", "place"))
    index_names(list(Player.objects.values_list("pk", flat=True)))
    assert made == sorted(NamePart.objects.values_list("player_id", "text", "place"))
    assert made


def _ranked_is_what_the_rule_says() -> None:
    replays = list(Replay.objects.all())
    assert [replay.ranked for replay in replays] == [counts_on_boards(replay) for replay in replays]
    assert [replay.corpse for replay in replays] == [counts_as_corpse(replay) for replay in replays]
    assert {replay.ranked for replay in replays} == {replay.corpse for replay in replays} == {True, False}


#: Blocks of players of results; what a player has last is the best.
_SOME_KEYS = st.tuples(st.integers(0, 4), st.integers(0, 2))
_BLOCKS = st.lists(st.lists(st.lists(_SOME_KEYS, min_size=1, max_size=4), min_size=1, max_size=6), max_size=4)


@given(_BLOCKS)
def test_ranks_among_those_who_came_before(blocks: list[list[list[tuple[int, int]]]]) -> None:
    places = Places()
    ended: list[tuple[int, int]] = []
    for block in blocks:
        results = [(number, key) for number, keys in enumerate(block) for key in sorted(keys, reverse=True)]
        owner = np.array([number for number, _key in results])
        final = np.flatnonzero(np.r_[owner[1:] != owner[:-1], True])
        columns = [np.array([key[part] for _number, key in results], dtype=np.float64) for part in (0, 1)]
        expected = [
            1 + sum(other < key for other in (*ended, *(min(keys) for keys in block[:number])))
            for number, key in results
        ]
        assert places.ranks(columns, owner, final).tolist() == expected
        ended += [min(keys) for keys in block]


def _history() -> Counter[tuple[Any, ...]]:
    fields = (
        "kind", "player_id", "statistic", "level", "style", "old_value", "new_value", "rank_before", "rank_after",
        "replay_id", "second_replay_id", "third_replay_id", "happened_at",
    )  # fmt: skip
    return Counter(RecordEvent.objects.values_list(*fields))


def _schema() -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1")
        # PostgreSQL words a list of constants another way when it reads its own text again.
        indexes = [
            (definition.replace("(", "").replace(")", "").replace("::text[]", "").replace("::text", ""),)
            for (definition,) in cursor.fetchall()
        ]
        cursor.execute(
            "SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint"
            " WHERE contype IN ('f', 'u', 'p', 'c') ORDER BY 1, 2"
        )
        return [*indexes, *cursor.fetchall()]
