"""Keyset paging: every row once, in both directions, and only our own cursors are accepted."""

from __future__ import annotations

import datetime
import random
from bisect import bisect_left, bisect_right
from itertools import product
from typing import Any

import pytest
from django.core import signing
from django.db.models import Count, QuerySet

from players.db.keyset import MAX_CURSOR_CHARS, BadCursor, Page, Slice, SortKey, page_of, slice_of
from players.models import MAX_NAME_CHARS, Identity, Player, RecordEvent, User
from tests.cases import check_each

pytestmark = pytest.mark.django_db

UTC = datetime.UTC
NAMES = ["", "a", "A", "名", "é", "a b", "zz", "<b>"]


@pytest.fixture
def players() -> list[Player]:
    """37 players who share 8 names, so that most rows are tied in the first column."""
    source = random.Random(7)
    return Player.objects.bulk_create(Player(name=source.choice(NAMES)) for _ in range(37))


def all_pages(queryset: QuerySet[Any, Any], order: tuple[str, ...], size: int) -> list[Page[Any]]:
    pages = [page_of(queryset, order, None, size)]
    while pages[-1].next_cursor is not None:
        assert len(pages) < 100
        pages.append(page_of(queryset, order, pages[-1].next_cursor, size))
    return pages


def test_pages_cover_every_row_once_in_both_directions(players: list[Player]) -> None:
    def covers_every_row(order: tuple[str, ...], size: int) -> None:
        expected = list(Player.objects.order_by(*order))
        pages = all_pages(Player.objects.all(), order, size)
        assert [row for page in pages for row in page.rows] == expected
        assert pages[0].previous_cursor is None

        backward = [pages[-1]]
        while backward[0].previous_cursor is not None:
            backward.insert(0, page_of(Player.objects.all(), order, backward[0].previous_cursor, size))
        assert [page.rows for page in backward] == [page.rows for page in pages]
        assert [page.next_cursor for page in backward] == [page.next_cursor for page in pages]

    orders = [("name", "id"), ("-name", "-id"), ("id",), ("-id",)]
    check_each(covers_every_row, product(orders, [1, 2, 5, 36, 37, 38, 100]))


def test_slices_of_rows_in_memory_are_the_pages_of_a_table(players: list[Player]) -> None:
    numbers = [player.pk for player in Player.objects.order_by("id")]

    def find(sort_key: SortKey, past: bool) -> int:
        return (bisect_right if past else bisect_left)(numbers, sort_key[0])

    def shown(cursor: str | None, size: int) -> Slice:
        return slice_of(("id",), cursor, size, len(numbers), find, lambda index: (numbers[index],))

    def equals_pages(size: int) -> None:
        pages = all_pages(Player.objects.all(), ("id",), size)
        slices = [shown(None, size)]
        while (cursor := slices[-1].next_cursor) is not None:
            slices.append(shown(cursor, size))
        back = [slices[-1]]
        while (cursor := back[0].previous_cursor) is not None:
            back.insert(0, shown(cursor, size))
        for found in (slices, back):
            assert [numbers[one.start : one.stop] for one in found] == [[row.pk for row in page.rows] for page in pages]

    check_each(equals_pages, [(1,), (5,), (36,), (37,), (38,)])


def test_a_full_last_page_has_no_next(players: list[Player]) -> None:
    pages = all_pages(Player.objects.filter(id__in=[player.id for player in players[:20]]), ("id",), 10)
    assert [len(page.rows) for page in pages] == [10, 10]


def test_floats_and_datetimes_survive_exactly() -> None:
    """Cursors are exact to the microsecond; a rounded one would skip or repeat a row."""
    player = Player.objects.create(name="x")
    start = datetime.datetime(2024, 1, 1, tzinfo=UTC)
    users = [
        User.objects.create(username=f"u{n}", date_joined=start + datetime.timedelta(microseconds=n))
        for n in (0, 1, 2, 3)
    ]
    pages = all_pages(User.objects.all(), ("date_joined", "id"), 1)
    assert [page.rows[0] for page in pages] == users
    assert Player.objects.get() == player


def test_rows_may_be_dicts_with_related_and_aggregate_columns(players: list[Player]) -> None:
    for number in range(9):
        first = Player.objects.create(name=f"name {number}", merged_into=players[number % 4])
        Identity.objects.create(name=first.name, player=players[number % 4], first_player=first)
    counted = Player.objects.filter(merged_into=None).values("id").annotate(names=Count("identities"))
    rows = [row for page in all_pages(counted, ("-names", "-id"), 3) for row in page.rows]
    assert rows == sorted(rows, key=lambda row: (row["names"], row["id"]), reverse=True)
    assert len(rows) == len(players)
    related = [
        row
        for page in all_pages(Identity.objects.select_related("player"), ("player__name", "id"), 2)
        for row in page.rows
    ]
    assert related == list(Identity.objects.order_by("player__name", "id"))


def test_a_list_may_be_empty() -> None:
    assert page_of(Player.objects.all(), ("id",), None, 10) == Page([], None, None)


def test_an_empty_page_has_a_cursor_back(players: list[Player]) -> None:
    first = page_of(Player.objects.all(), ("id",), None, 10)
    Player.objects.filter(id__gt=first.rows[-1].id).delete()
    after = page_of(Player.objects.all(), ("id",), first.next_cursor, 10)
    assert after.rows == []
    assert after.next_cursor is None
    back = page_of(Player.objects.all(), ("id",), after.previous_cursor, 10)
    assert back.rows == first.rows[:-1]  # all before the sort key itself


def hostile_cursors() -> list[str]:
    good = signing.Signer(salt="players.keyset:name,id").sign_object(["n", "a", 1])
    return [
        "x",
        "0",
        "\x00",
        "名",
        ":",
        good[:-1],
        good[1:],
        good.upper(),
        good + "A",
        "' OR 1=1 --",
        "a" * (MAX_CURSOR_CHARS + 1),
        signing.dumps(["n", "a", 1], salt="players.keyset:name,id"),
        signing.Signer(salt="players.keyset:-name,-id").sign_object(["n", "a", 1]),
        signing.Signer(salt="players.keyset:id").sign_object(["n", 1]),
        signing.Signer(key="other", salt="players.keyset:name,id").sign_object(["n", "a", 1]),
    ]


def test_a_hostile_cursor_is_refused() -> None:
    def is_refused(cursor: str) -> None:
        with pytest.raises(BadCursor):
            page_of(Player.objects.all(), ("name", "id"), cursor, 10)

    check_each(is_refused, hostile_cursors())


def test_a_cursor_of_another_order_is_refused(players: list[Player]) -> None:
    cursor = page_of(Player.objects.all(), ("name", "id"), None, 5).next_cursor
    with pytest.raises(BadCursor):
        page_of(Player.objects.all(), ("-name", "-id"), cursor, 5)


def test_an_empty_cursor_is_the_start(players: list[Player]) -> None:
    assert page_of(Player.objects.all(), ("id",), "", 5) == page_of(Player.objects.all(), ("id",), None, 5)


def test_mixed_directions_are_a_programming_error() -> None:
    with pytest.raises(ValueError, match="ascending"):
        page_of(Player.objects.all(), ("name", "-id"), None, 5)


def test_null_in_a_sort_key_is_a_programming_error() -> None:
    Player.objects.bulk_create([Player(name="a"), Player(name="b")])
    with pytest.raises(ValueError, match="NULL"):
        page_of(Player.objects.all(), ("user_id", "id"), None, 1)


def test_one_statement_a_page(players: list[Player], django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(1):
        page = page_of(Player.objects.all(), ("name", "id"), None, 5)
    with django_assert_num_queries(1):
        page_of(Player.objects.all(), ("name", "id"), page.next_cursor, 5)


def test_record_events_page_by_id_downwards() -> None:
    assert page_of(RecordEvent.objects.all(), ("-id",), None, 3).rows == []


@pytest.mark.parametrize("sign", ["x", "名", "\U0001f600", "\\", '"'])
def test_the_longest_names_fit_into_a_cursor(sign: str) -> None:
    made = Player.objects.bulk_create(Player(name=sign * MAX_NAME_CHARS) for _ in range(3))
    pages = all_pages(Player.objects.all(), ("name", "id"), 1)
    assert [page.rows[0] for page in pages] == made
