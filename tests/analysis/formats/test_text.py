"""Names in unknown code pages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.formats.text import clean, decode


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b"Wang Jianing", "Wang Jianing"),
        ("王嘉宁".encode(), "王嘉宁"),
        ("王嘉宁".encode("gbk"), "王嘉宁"),
        ("José Müller".encode("cp1252"), "José Müller"),
        (b"\x81", "\ufffd"),  # in no code page but Latin-1, where it is a control character
        (b"  name\x00\r\n", "name\ufffd"),
        (b"", ""),
    ],
)
def test_the_first_code_page_that_fits_is_taken(raw: bytes, text: str) -> None:
    assert decode(raw) == text


def test_a_declared_code_page_is_tried_first_and_believed_only_if_it_fits() -> None:
    assert decode("Łukasz".encode("cp1250"), "cp1250") == "Łukasz"
    assert decode("王".encode("gbk"), "utf-8") == "王"


@pytest.mark.parametrize("sign", ["\n", "\r", "\x00", "\x1b", "\x85", "\u2028", "\u2029", "\ud800"])
def test_signs_that_break_lines_or_databases_are_replaced(sign: str) -> None:
    assert clean(f"a{sign}b") == "a\ufffdb"


@given(st.binary(max_size=60))
def test_any_bytes_become_one_safe_line(raw: bytes) -> None:
    text = decode(raw)
    assert clean(text) == text
    assert len(text.splitlines()) <= 1
    assert decode(text.encode()) == text


@given(st.text(st.characters(codec=None), max_size=40))
def test_cleaning_twice_changes_nothing(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    clean(text).encode()
