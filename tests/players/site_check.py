"""Comparing what the selectors return with the naive twin."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from django.conf import settings

from players.leaderboards import ranked_games
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED, BoardKey, board_key
from players.leaderboards.filters import UNFILTERED, BoardFilter
from players.leaderboards.history import selectors as history
from players.leaderboards.history.selectors import board_progression, player_progression
from players.leaderboards.ranks import BoardRow, page_at
from players.models import Identity, Player, RecordEvent
from players.profile.page.selectors import player_bests
from replays.models import Replay
from replays.trust.judging import default_rules
from tests.players import naive_site
from tests.players.naive_boards import Rows, expected_boards, stored_boards
from tests.players.naive_site import BOARDS, LEVELS, STYLES, SUMS, Place, Site, Step, SubPlace

T = TypeVar("T")

_JUMPS = 0.3  # the share of boards on which jumps are tested as well


def naive_of_now() -> Site:
    """The twin of the database as it is."""
    columns = [field.attname for field in Replay._meta.concrete_fields if field.name != "board"]
    owners = dict(Identity.objects.values_list("name", "player_id"))
    findings = default_rules.FINDINGS if settings.JUDGE_FINDINGS is None else settings.JUDGE_FINDINGS
    limits = default_rules.LIMITS if settings.JUDGE_LIMITS is None else settings.JUDGE_LIMITS
    rules = naive_site.Rules(
        settings.MINIMUM_3BV, settings.MINIMUM_COMPLETION, findings, limits, settings.RANK_OPEN_FORMATS
    )
    return Site(Replay.objects.values(*columns), owners, rules)


@dataclass
class Compared:
    """Numbers of pages of each kind that were compared."""

    boards: int = 0
    places: int = 0
    subs: int = 0
    ranks: int = 0
    histories: int = 0


def assert_site_is_right(source: random.Random, *, share: float = 1.0) -> Compared:
    """Compare the tables as a whole, and ``share`` of the pages; returns what was compared."""
    site = naive_of_now()
    _assert_rows_are_right(site)
    for stored, expected in zip(stored_boards(), expected_boards(), strict=True):
        wrong = _differences(stored, expected)
        assert not wrong, f"place: (stored, expected) {wrong}"
    done = Compared()
    places: dict[tuple[str, str, str], list[Place]] = {}
    for level, statistic, style in BOARDS:
        places[level, statistic, style] = site.board(level, statistic, style)
    for statistic, style in SUMS:
        places[COMBINED, statistic, style] = site.combined(statistic, style)
    for names in _some(places, source, share):
        _assert_board(board_key(*names), places[names], source)
        done.boards, done.places = done.boards + 1, done.places + len(places[names])
    for names in _some(naive_site.CORPSES, source, share):
        _assert_board(board_key(*names, lost=True), site.board(*names, lost=True), source, BoardFilter(lost=True))
    done.ranks = _assert_player_pages(places, source, share)
    done.subs = _assert_subs(site, source, share)
    done.histories = _assert_histories(site, source, share)
    return done


def _some(items: Iterable[T], source: random.Random, share: float) -> list[T]:
    return [item for item in items if source.random() < share]


def _differences(stored: Rows, expected: Rows) -> Rows:
    return {
        place: (stored.get(place), expected.get(place))
        for place in stored.keys() | expected.keys()
        if stored.get(place) != expected.get(place)
    }


# --- rows -------------------------------------------------------------------------------------------------------------


#: What is printed of a row whose judgement is wrong.
_JUDGED = (
    "id", "judgement", "judgement_code", "judgement_params", "win", "level", "result", "findings", "evidence", "format",
    "ownership", "status", "game_hash",
)  # fmt: skip


def _assert_rows_are_right(site: Site) -> None:
    """Judgement, player and ``ranked`` of each row, and that records belong to games that count."""
    counting = {row["id"]: site.player(row) for games in site.games.values() for row in games}
    for row in site.replays:
        if row["status"] != Replay.Status.DONE:
            assert not row["ranked"], row["id"]
            assert not row["corpse"], row["id"]
            continue
        assert row["judgement"] == site.judgement(row), {name: row[name] for name in _JUDGED}
        assert row["ranked"] == (row["id"] in counting), row["id"]
        assert row["corpse"] == site.counts_as_corpse(row), row["id"]
        assert row["player_id"] == site.owners.get(row["identifier"]), row["id"]
    for replay, player in RecordEvent.objects.values_list("replay_id", "player_id").distinct():
        assert counting.get(replay) == player, f"a record of replay {replay}, which {player} does not have"


# --- boards -----------------------------------------------------------------------------------------------------------


def _assert_board(
    key: BoardKey, expected: list[Place], source: random.Random, board_filter: BoardFilter = UNFILTERED
) -> None:
    shown: list[Place] = []
    cursor, size = None, source.choice([5, 17, 200])
    while True:
        page = page_at(Board(*key, board_filter), cursor=cursor, size=size)
        assert page.board_size == len(expected), key
        shown += [_place(row) for row in page.rows]
        cursor = page.next_cursor
        if cursor is None:
            break
    assert shown == expected, key
    if expected and board_filter.is_empty and source.random() < _JUMPS:
        _assert_jumps(key, expected, source)


def _place(row: BoardRow) -> Place:
    replays = tuple(row.parts[level].replay_id for level in naive_site.SUMMED) if row.parts else (row.replay_id or 0,)
    return Place(row.rank, row.player.pk, row.value, row.achieved_at, replays)


def _assert_jumps(key: BoardKey, expected: list[Place], source: random.Random) -> None:
    """Jump to a player of the board, and to a value on it or between two."""
    place = source.choice(expected)
    page = page_at(Board(*key), player=Player.objects.get(pk=place.player), size=7)
    assert page.jump is not None
    assert page.jump.rank == place.rank, key
    assert place.player in [row.player.pk for row in page.rows], key
    value = place.value + source.choice([0.0, 0.125, -0.125])
    direction = naive_site.DIRECTION[key.statistic]
    jump = page_at(Board(*key), value=value, size=1).jump
    assert jump is not None
    assert jump.rank == 1 + sum(direction * other.value < direction * value for other in expected), key


def _assert_player_pages(places: dict[tuple[str, str, str], list[Place]], source: random.Random, share: float) -> int:
    """The ranks on player pages, which come from checkpoints."""
    expected: dict[int, dict[tuple[str, str, str], tuple[int, float]]] = {}
    for names, rows in places.items():
        for row in rows:
            expected.setdefault(row.player, {})[names] = (row.rank, row.value)
    compared = 0
    players = list(Player.objects.order_by("pk"))
    for player in source.sample(players, min(len(players), max(4, round(share * len(players))))):
        shown = {
            (level, statistic, style): (best.rank, best.value)
            for level, statistics in player_bests(player.pk).items()
            for statistic, styles in statistics.items()
            for style, best in styles.items()
        }
        assert shown == expected.get(player.pk, {}), player
        compared += len(shown)
    return compared


# --- sub-N ------------------------------------------------------------------------------------------------------------


def _assert_subs(site: Site, source: random.Random, share: float) -> int:
    slowest_ms = max((row["time_ms"] for games in site.games.values() for row in games), default=0)
    compared = 0
    for level in LEVELS:
        for style in STYLES:
            for n in _some(range(2, slowest_ms // 1000 + 4), source, share):
                assert _shown_subs(level, n, style, source.choice([9, 200])) == site.sub(level, style, n), (level, n)
                compared += 1
    return compared


def _shown_subs(level: str, n: int, style: str, size: int) -> list[SubPlace]:
    shown: list[SubPlace] = []
    cursor = None
    while True:
        page = page_at(Board(level, f"sub{n}", style), cursor=cursor, size=size)
        shown += [
            SubPlace(row.rank, row.player.pk, row.games, row.achieved_at, row.replay_id or 0) for row in page.rows
        ]
        cursor = page.next_cursor
        if cursor is None:
            return shown


# --- history ----------------------------------------------------------------------------------------------------------


def _assert_histories(site: Site, source: random.Random, share: float) -> int:
    players = list(Player.objects.order_by("pk"))
    boards = _some(BOARDS, source, share)
    for names in boards:
        key = board_key(*names)
        assert _steps(board_progression(key)) == site.history(*names), key
        player = source.choice(players)
        assert _steps(player_progression(player, key)) == site.history(*names, player=player.pk), (
            key,
            player,
        )
        cells = [
            (cell.bv, float(cell.value), cell.replay_id, cell.games)
            for cell in ranked_games.best_by_3bv(player.pk, key)
        ]
        assert cells == site.by_3bv(player.pk, *names), (key, player)
    return len(boards)


def _steps(steps: Iterable[history.Step]) -> list[Step]:
    return [Step(step.replay_id, step.achieved_at, step.value, step.old_value) for step in steps]
