"""Searching players by any part of any of their names."""

from __future__ import annotations

import random
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from players.accounts.claims.merging import player_merge, player_rename
from players.accounts.claims.services import release_name
from players.models import MAX_NAME_CHARS, Identity, NamePart, User
from players.people.selectors import players_named, players_page
from players.people.services import players_for_names
from tests.cases import check_each_on_site
from tests.effort import amount, seeds

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("tables_swept")]


def found(query: str, size: int = 100) -> list[str]:
    """The names on all pages, read forwards; backwards they must be the same."""
    page = players_page(query, size=size)
    rows, pages = [row.player.name for row in page.rows], [page]
    while page.next_cursor:
        page = players_page(query, page.next_cursor, size)
        rows += [row.player.name for row in page.rows]
        pages.append(page)
    for later in reversed(pages[1:]):
        page = players_page(query, later.previous_cursor, size)
        expected = pages[pages.index(later) - 1]
        assert [row.player.pk for row in page.rows] == [row.player.pk for row in expected.rows]
    return rows


def test_any_part_of_a_name_finds_it() -> None:
    players_for_names(["Wang Jianing", "WangJianing", "雷神", "小雷", "Straße", "100%_", "Zoé", "Zoe\u0301", "Else"])

    def finds_it(query: str, expected: list[str]) -> None:
        assert found(query) == expected
        assert [player.name for player in players_named(query, 12)] == expected

    cases = [
        ("jianing", ["Wang Jianing", "WangJianing"]),
        ("JIAN", ["Wang Jianing", "WangJianing"]),
        ("ＪＩＡＮ", ["Wang Jianing", "WangJianing"]),  # full width
        ("g jia", ["Wang Jianing"]),
        ("wang  jia", ["Wang Jianing"]),
        ("雷", ["雷神", "小雷"]),
        ("神", ["雷神"]),
        ("神雷", []),
        ("strasse", ["Straße"]),
        ("100%", ["100%_"]),
        ("_", ["100%_"]),
        ("é", ["Zoe\u0301", "Zoé", "Else", "Straße"]),  # one letter, or a letter and its accent; then without it
        ("nobody", []),
        ("\u200b", []),  # nothing that could be seen
    ]
    check_each_on_site(finds_it, cases)


@pytest.mark.long(beside="tests/players/people/test_search.py::test_every_part_of_the_search_is_served_by_the_index")
def test_a_search_ignores_accents_and_lists_what_was_typed_first() -> None:
    names = ["Zoë Roböt", "Zoe Smith", "Zoë", "Anzoe", "Łukasz Żółć", "Müller", "Muller", "Андрей", "김민수"]
    players_for_names(names)

    def finds_it(query: str, expected: list[str]) -> None:
        for size in (1, 2, 100):
            assert found(query, size) == expected
        assert [player.name for player in players_named(query, 12)] == expected

    cases = [
        ("zoe", ["Zoe Smith", "Anzoe", "Zoë", "Zoë Roböt"]),
        ("ZOË", ["Zoë", "Zoë Roböt", "Zoe Smith", "Anzoe"]),
        ("Zoe\u0308", ["Zoë", "Zoë Roböt", "Zoe Smith", "Anzoe"]),
        ("zoè", ["Zoe Smith", "Anzoe", "Zoë", "Zoë Roböt"]),
        ("robot", ["Zoë Roböt"]),
        ("lukasz zolc", ["Łukasz Żółć"]),
        ("żó", ["Łukasz Żółć", "Zoe Smith", "Zoë", "Zoë Roböt", "Anzoe"]),
        ("muller", ["Muller", "Müller"]),
        ("müller", ["Müller", "Muller"]),
        ("андреи", ["Андрей"]),
        ("민", ["김민수"]),
        ("\u0308", []),
    ]
    check_each_on_site(finds_it, cases)


def test_the_beginning_of_the_name_comes_first_then_words_then_the_rest() -> None:
    players_for_names(["Annika", "Joann", "Susanne", "Mary Ann", "Ann", "Jo-Anne"])
    assert found("ann", size=2) == ["Ann", "Annika", "Mary Ann", "Jo-Anne", "Joann", "Susanne"]


def test_a_player_is_listed_once_however_often_the_text_occurs() -> None:
    players_for_names(["ananan", "an", "Ban Ana an"])
    assert found("an", size=1) == ["an", "ananan", "Ban Ana an"]


def test_a_player_is_listed_by_the_first_of_the_parts() -> None:
    players_for_names(["Bea Anna Annabel", "Cy Annab"])
    assert found("ann", size=1) == ["Bea Anna Annabel", "Cy Annab"], "anna is before annab, annabel after it"


def test_hostile_names_are_indexed_within_bounds() -> None:
    players_for_names(["\ufdfa" * MAX_NAME_CHARS, "x" * MAX_NAME_CHARS, "\u202e\u200b"])  # one unfolds into 18
    assert NamePart.objects.count() <= 2 * MAX_NAME_CHARS
    assert found("x" * 100) == ["x" * MAX_NAME_CHARS]
    assert max(map(len, NamePart.objects.values_list("text", flat=True))) == 64


def test_merges_releases_and_renames_move_the_parts(staff: User) -> None:
    ann, bob = players_for_names(["Ann", "Bob"]).values()
    player_merge(bob, ann, staff, "the same")
    assert found("bob") == ["Ann"]
    assert not NamePart.objects.filter(player=bob).exists()  # a merged player is in no search
    release_name(Identity.objects.get(name="Bob"))
    assert found("bob") == ["Bob"]
    assert found("ann") == ["Ann"]
    player_rename(ann, "Cleo", staff)
    assert found("cle") == found("ann") == ["Cleo"]  # the shown name, and the one in replays


@pytest.mark.long(beside="tests/players/people/test_search.py::test_hostile_names_are_indexed_within_bounds")
@pytest.mark.parametrize("seed", seeds(1, 2, 3))
def test_random_names_against_a_plain_search(seed: int) -> None:
    source = random.Random(seed)
    names = {
        "".join(source.choices("aAbBe 雷é-", k=source.randint(1, 9))).strip() for _ in range(amount(long=300, usual=80))
    }
    players_for_names(names)
    for _ in range(40):
        query = "".join(source.choices("aAbBe 雷é-", k=source.randint(1, 3))).strip()
        typed = " ".join(query.casefold().split())
        as_typed = {name for name in names if typed in " ".join(name.casefold().split())} - {""}
        plain = typed.replace("é", "e")
        expected = {name for name in names if plain in " ".join(name.casefold().replace("é", "e").split())} - {""}
        shown = found(query, size=source.randint(1, 30))
        assert len(shown) == len(set(shown))
        assert set(shown) == expected
        assert set(shown[: len(as_typed)]) == as_typed


# --- cost -------------------------------------------------------------------------------------------------------------


def test_queries(django_assert_num_queries: Any) -> None:
    players_for_names([f"Wang {number:03}" for number in range(60)])
    with django_assert_num_queries(2):  # a page of names, their times
        players_page("wang")
    with django_assert_num_queries(7):  # each place, then the times
        players_page("059")


def test_every_part_of_the_search_is_served_by_the_index() -> None:
    source = random.Random(3)
    players_for_names(["".join(source.choices("abcdefgh ", k=12)) for _ in range(2_000)])
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    for query in ("a", "abc", "h"):
        with CaptureQueriesContext(connection) as captured:
            players_named(query, 12)
        assert 1 <= len(captured) <= len(NamePart.Place)
        for statement in captured.captured_queries:
            with connection.cursor() as cursor:
                cursor.execute(f"EXPLAIN {statement['sql']}")
                plan = "\n".join(str(row) for row in cursor.fetchall())
            assert "name_part_order" in plan, plan
            assert "Sort Key" not in plan, plan
            assert "Seq Scan" not in plan, plan
