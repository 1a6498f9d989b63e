"""Statements that are written once, and statements that are sent together."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import DatabaseError, connection
from django.db.models import F, QuerySet
from hypothesis import given
from hypothesis import strategies as st

from players.keyset import BadCursor, PagedQuestion, page_of
from players.models import LevelChange, Player
from players.questions import Question, asked, together

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOON = datetime(2026, 5, 1, 12, 30, 59, 250_000, tzinfo=UTC)


def listed(**conditions: Any) -> QuerySet[Player, Any]:
    return Player.objects.filter(**conditions).order_by("id").values_list("id", "name", "is_bot", "created_at")


@pytest.fixture
def players() -> list[Player]:
    """Five of them, one an hour; the last two share a name."""
    names = ["Ada", "100 %s", "Grace", "Zoë", "Zoë"]
    made = [Player.objects.create(name=name, is_bot=name == "Grace") for name in names]
    for hour, player in enumerate(made):
        Player.objects.filter(pk=player.pk).update(created_at=NOON + timedelta(hours=hour))
    return made


# --- questions ---


def test_a_question_has_the_rows_of_its_values_list(players: list[Player]) -> None:
    by_name = Question(lambda name: listed(name=name))
    for name in ("Ada", "100 %s", "Grace", "Zoë", "nobody"):
        assert by_name.ask(name=name)() == list(listed(name=name))
    since = Question(lambda moment, least: listed(created_at__gte=moment, id__gte=least))
    for player in players:
        moment = Player.objects.get(pk=player.pk).created_at
        assert since.ask(moment=moment, least=players[1].pk)() == list(
            listed(created_at__gte=moment, id__gte=players[1].pk)
        )


def test_values_are_told_apart_by_name_and_not_by_order(players: list[Player]) -> None:
    question = Question(lambda most, least: listed(id__gte=least, id__lte=most))
    for _ in range(2):
        assert [row[0] for row in question.ask(most=players[3].pk, least=players[2].pk)()] == [
            players[2].pk,
            players[3].pk,
        ]
        assert [row[0] for row in question.ask(least=players[0].pk, most=players[1].pk)()] == [
            players[0].pk,
            players[1].pk,
        ]


def test_a_statement_is_written_once(players: list[Player]) -> None:
    written = []

    def build(name: str) -> QuerySet[Player, Any]:
        written.append(name)
        return listed(name=name)

    question = Question(build)
    assert [len(question.ask(name=name)()) for name in ("Ada", "Zoë", "x")] == [1, 2, 0]
    assert len(written) == 1
    assert written[0] not in ("Ada", "Zoë", "x")


def test_a_value_that_decides_about_the_statement_is_refused() -> None:
    with pytest.raises(ValueError, match="does not hold name"):
        Question(lambda name: listed(is_bot=len(name) > 3)).ask(name="Ada")
    for value in (None, True):
        with pytest.raises(TypeError, match="filled"):
            Question(lambda name: listed(name=name)).ask(name=value)


# --- together ---


def test_answers_to_questions_sent_together_may_be_read_in_any_order(players: list[Player]) -> None:
    by_name = Question(lambda name: listed(name=name))
    with together():
        first, second, third = (by_name.ask(name=name) for name in ("Ada", "Zoë", "Grace"))
        others = Player.objects.filter(name="Ada").count()
        assert [len(answer()) for answer in (third, first, second)] == [1, 1, 2]
    assert others == 1
    assert Player.objects.count() == len(players)


def test_a_moment_read_in_plain_sql_is_a_moment(players: list[Player]) -> None:
    sql = f"SELECT id, created_at FROM {Player._meta.db_table} WHERE id = %s"  # noqa: S608 - our own name
    assert asked(sql, [players[0].pk], moments=[1])() == [(players[0].pk, NOON)]


def ask_and_read(*statements: str) -> list[Any]:
    """The first column of the first row of each, asked at once."""
    with together():
        answers = [asked(sql, []) for sql in statements]
        return [answer()[0][0] for answer in answers]


@pytest.mark.django_db(transaction=True)
def test_an_error_reaches_whoever_reads_the_answer_and_the_connection_lives_on() -> None:
    with pytest.raises(DatabaseError):
        ask_and_read("SELECT 1", "SELECT no_such_column", "SELECT 2")
    assert ask_and_read("SELECT 3", "SELECT 4") == [3, 4]
    assert asked("SELECT 5", [])() == [(5,)]


def ask_and_leave() -> None:
    with together():
        asked("SELECT 1", [])
        asked("SELECT 2", [])
        raise LookupError


@pytest.mark.django_db(transaction=True)
def test_an_exception_between_question_and_answer_leaves_the_connection_usable(players: list[Player]) -> None:
    with pytest.raises(LookupError):
        ask_and_leave()
    assert Player.objects.count() == len(players)


# --- pages ---

ORDERS = (("name", "id"), ("-name", "-id"), ("created_at", "id"))


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.parametrize("size", [1, 2, 5, 9])
def test_pages_are_those_of_the_query_builder(players: list[Player], order: tuple[str, ...], size: int) -> None:
    def build(least: int) -> QuerySet[Player, Any]:
        return Player.objects.filter(id__gte=least).values_list("id", "name", "created_at", named=True)

    paged = PagedQuestion(build, lambda row: Named(*row), order)
    seen = 0
    cursors: list[str | None] = [None]
    while cursors:
        cursor = cursors.pop()
        expected = page_of(build(players[1].pk), order, cursor, size)
        page = paged.page(cursor, size, least=players[1].pk)
        assert [row.id for row in page.rows] == [row.id for row in expected.rows]
        assert (page.next_cursor, page.previous_cursor) == (expected.next_cursor, expected.previous_cursor)
        cursors += [page.next_cursor] if page.next_cursor else []
        seen += len(page.rows)
        if page.previous_cursor:
            back, wanted = (
                paged.page(page.previous_cursor, size, least=players[1].pk),
                page_of(build(players[1].pk), order, page.previous_cursor, size),
            )
            assert [row.id for row in back.rows] == [row.id for row in wanted.rows]
    assert seen == len(players) - 1


class Named:
    """A row of the list above."""

    def __init__(self, id: int, name: str, created_at: datetime) -> None:  # noqa: A002 - as the column is called
        self.id, self.name, self.created_at = id, name, created_at


def test_a_foreign_cursor_is_refused() -> None:
    paged = PagedQuestion(lambda: listed(), lambda row: row, ("name", "id"))
    with pytest.raises(BadCursor):
        paged.page("n:nonsense", 5)


# --- moments ---


@given(st.datetimes(timezones=st.just(UTC)))
def test_every_moment_comes_back_as_it_was_written(moment: datetime) -> None:
    number = LevelChange.objects.create(player_number=1, level="expert", noted_at=moment).pk
    (found,) = LevelChange.objects.filter(pk=number).values_list("noted_at", flat=True)
    assert found == moment
    assert found.tzinfo is UTC
    assert LevelChange.objects.filter(pk=number, noted_at=F("noted_at")).exists()


def test_moments_are_read_in_any_zone_of_the_connection() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("zones are PostgreSQL's")
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL timezone = 'Asia/Kolkata'")
        cursor.execute("SELECT TIMESTAMPTZ '2026-05-01 12:30:59.25+00'")
        assert cursor.fetchone() == (NOON,)
        cursor.execute("SET LOCAL timezone = 'UTC'")
        cursor.execute("SELECT TIMESTAMPTZ 'infinity'")
        with pytest.raises(DatabaseError):
            cursor.fetchone()
