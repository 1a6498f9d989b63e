"""Codes in names: made from a secret, found in either case, and removed."""

from __future__ import annotations

from typing import Any

import pytest

from players.accounts.claims.codes import CODE_SIGNS, PREFIX, SIGNS, codes_in, make_code, without_code


def test_signs_that_look_alike_are_left_out() -> None:
    assert len(SIGNS) == len(set(SIGNS))
    assert not set("01OIL") & set(SIGNS)


def test_a_code_is_bound_to_account_purpose_number_and_secret(settings: Any) -> None:
    settings.SECRET_KEY = "one"
    codes = [make_code(1, "claim", 1), make_code(2, "claim", 1), make_code(1, "contest", 1), make_code(1, "claim", 2)]
    assert codes[0] == make_code(1, "claim", 1)
    settings.SECRET_KEY = "other"
    codes.append(make_code(1, "claim", 1))
    assert len(set(codes)) == 5
    for code in codes:
        assert code.startswith(PREFIX)
        assert len(code) == len(PREFIX) + CODE_SIGNS
        assert codes_in(code) == [code]


def test_codes_do_not_repeat_soon() -> None:
    assert len({make_code(user, "claim", number) for user in range(50) for number in range(40)}) == 2_000


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Ada SB7K2MPQ", ["SB7K2MPQ"]),
        ("sb7k2mpqAda", ["SB7K2MPQ"]),
        ("aSbSB234567b", ["SBSB2345", "SB234567"]),
        ("Ada SB7K2MP", []),
        ("SB000000", []),
        ("\u017fb7k2mpq", []),  # the long s, which is an S to some
        ("", []),
    ],
)
def test_what_looks_like_a_code(text: str, found: list[str]) -> None:
    assert codes_in(text) == found


@pytest.mark.parametrize(
    ("text", "name", "rest"),
    [
        ("Ada SB7K2MPQ", "Ada", "Ada"),
        ("Ada_sb7k2mpq", "Ada", "Ada"),
        ("Ada (SB7K2MPQ)", "Ada", "Ada"),
        ("SB7K2MPQ-Ada", "Ada", "Ada"),
        ("AdaSB7K2MPQ", "Ada", "Ada"),
        ("Ada SB7K2MPQ Lovelace", "Ada Lovelace", "Ada Lovelace"),
        ("Ada-SB7K2MPQ", "Ada-", "Ada-"),
        ("Ada- SB7K2MPQ", "Ada-", "Ada-"),
        ("SB7K2MPQ", "Ada", ""),
        ("Ada", "Ada", "Ada"),
        ("Ada SB7K2MPQ sb7k2mpq", "Ada", "Ada"),
    ],
)
def test_the_code_is_removed(text: str, name: str, rest: str) -> None:
    assert without_code(text, "SB7K2MPQ", name) == rest
