"""Parsing positions: what is accepted, and what is refused with which sentence."""

from __future__ import annotations

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from analysis.probability.position import LETTERS
from replays.odds.positions.positions import MAX_CELLS, Flags, PositionQuery, mines_of_density, read_rows
from replays.odds.positions.refusal import SENTENCES, Refusal

rectangles = st.integers(1, 9).flatmap(
    lambda width: st.lists(st.text(st.sampled_from(sorted(LETTERS)), min_size=width, max_size=width), min_size=1)
)


@given(rectangles, st.integers(0, 99), st.sampled_from(Flags))
def test_a_link_leads_back_to_the_position(rows: list[str], mines: int, flags: Flags) -> None:
    query = PositionQuery(tuple(rows), mines, flags)
    values = QueryDict(query.parameters)
    again = PositionQuery(read_rows(values["position"]), int(values["mines"]), Flags(values.get("flags", "trusted")))
    assert again == query


@pytest.mark.parametrize(
    "text", ["1.\n..", "1./..", " 1 .\r\n\r\n . .\n", "1-/__", "1#\n\t##", "/1./../", "1.\x0c.."], ids=repr
)
def test_texts_that_say_the_same(text: str) -> None:
    assert read_rows(text) == ("1.", "..")


def test_small_f_is_a_flag() -> None:
    assert read_rows("1f") == ("1F",)


@pytest.mark.parametrize(
    ("rows", "mines", "code", "cells"),
    [
        ((), 0, "no_cells", ()),
        (("",), 0, "no_cells", ()),
        (("..", "."), 0, "ragged_rows", ()),
        (("..", ".9"), 0, "bad_cell", ((1, 1),)),
        (("..", ".\ud800"), 0, "bad_cell", ((1, 1),)),
        ((".",), 2, "too_many_mines", ()),
        (("." * 256,), 1, "long_side", ()),
        (("." * 101,) * 100, 1, "too_large", ()),
    ],
)
def test_bad_positions_are_refused(
    rows: tuple[str, ...], mines: int, code: str, cells: tuple[tuple[int, int], ...]
) -> None:
    with pytest.raises(Refusal) as refused:
        PositionQuery(rows, mines).position()
    assert refused.value.code == code
    assert refused.value.cells == cells
    assert refused.value.http_status == 400
    str(refused.value).encode()  # raises if it has lone surrogates


def test_the_sentence_counts_rows_and_columns_from_one() -> None:
    with pytest.raises(Refusal) as refused:
        PositionQuery(("..", ".x"), 0).position()
    assert "Row 2, column 2 is “x”" in str(refused.value)


def test_the_largest_position_is_accepted() -> None:
    assert PositionQuery(("." * 100,) * 100, 2_000).position().numbers.size == MAX_CELLS


def test_density_is_rounded_to_whole_mines() -> None:
    assert mines_of_density(["...", "..."], 0.25) == 2  # 1.5; to the even number
    assert mines_of_density(["." * 30] * 16, 0.206) == 99


@pytest.mark.parametrize("kind", SENTENCES)
def test_every_refusal_has_its_words(kind: str) -> None:
    values = dict.fromkeys(("limit", "seconds", "row", "column", "value", "found", "wanted", "cells", "mines", "closed", "numbers"), 7)  # fmt: skip
    assert "%" not in str(Refusal(kind, values))
