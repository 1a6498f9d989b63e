"""``ByteReader`` and ``LineReader`` never read beyond the end."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from analysis.errors import LimitExceeded, Truncated
from analysis.formats.reader import ByteReader, LineReader
from analysis.limits import MAX_LINE_CHARS


def test_numbers_are_big_endian() -> None:
    reader = ByteReader(bytes(range(1, 19)))
    assert (reader.u8("a"), reader.u16("b"), reader.u24("c"), reader.u32("d"), reader.u64("e")) == (
        0x01,
        0x0203,
        0x040506,
        0x0708090A,
        0x0B0C0D0E0F101112,
    )
    assert reader.remaining == 0


@pytest.mark.parametrize(
    "read",
    [
        lambda reader: reader.take(3, "x"),
        lambda reader: reader.u24("x"),
        lambda reader: reader.rows(3, 1, "x"),
        lambda reader: reader.rows(2**40, 2**20, "x"),
        lambda reader: reader.until(b"\n", "x"),
        lambda reader: reader.need(3, "x"),
    ],
)
def test_a_read_past_the_end_names_what_is_missing_and_moves_nothing(read: Callable[[ByteReader], object]) -> None:
    reader = ByteReader(b"abcd", 2)
    with pytest.raises(Truncated, match=r"x needs .* bytes at offset 2") as caught:
        read(reader)
    assert caught.value.params["offset"] == 2
    assert reader.offset == 2


def test_rows_are_a_read_only_view() -> None:
    rows = ByteReader(b"..abcdef", 2).rows(3, 2, "pairs")
    assert rows.tolist() == [[97, 98], [99, 100], [101, 102]]
    assert not rows.flags.writeable


def test_until_passes_over_the_mark_and_rest_is_all_that_is_left() -> None:
    reader = ByteReader(b"name--value")
    assert reader.until(b"--", "name") == b"name"
    assert reader.rest() == b"value"
    assert reader.rest() == b""


@pytest.mark.parametrize("offset", [-1, 4])
def test_a_cursor_cannot_begin_outside(offset: int) -> None:
    with pytest.raises(ValueError, match="lies outside"):
        ByteReader(b"abc", offset)


def test_lines_end_with_lf_or_crlf_and_are_counted() -> None:
    lines = LineReader(b"one\r\n\n  two \nthree")
    assert lines.next("a") == b"one"
    assert lines.next_filled("b") == b"two"
    assert lines.line == 3
    assert lines.next("c") == b"three"
    assert lines.at_end
    with pytest.raises(Truncated):
        lines.next("d")


def test_a_line_may_have_the_limit_and_no_byte_more() -> None:
    assert len(LineReader(b"a" * MAX_LINE_CHARS + b"\r\n").next("x")) == MAX_LINE_CHARS
    lines = LineReader(b"\n" + b"a" * (MAX_LINE_CHARS + 2) + b"\n")
    lines.next("x")
    with pytest.raises(LimitExceeded, match="line 2"):
        lines.next("x")
