"""Countries as files state them, and the code pages of their computers: the table ``countries.csv`` beside this file.

code, names
    the two letters of ISO 3166, and names in English, Chinese and the country's own languages (Unicode CLDR), with those
    that players write
code_pages
    the code pages of Windows there, the likeliest first; empty: Windows-1252
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path


def country_code(text: str) -> str:
    """Return the two letters of a country that a file states as letters or name; "" if it is unknown."""
    return _codes().get(text.strip().casefold(), "")


def code_pages_of(country: str) -> tuple[str, ...]:
    """Return the code pages of a country, which is stated as letters or name; none of Windows-1252 or if it is unknown."""
    return _code_pages().get(country_code(country), ())


@cache
def _codes() -> dict[str, str]:
    return {name.casefold(): row["code"] for row in _rows() for name in (row["code"], *row["names"].split("|"))}


@cache
def _code_pages() -> dict[str, tuple[str, ...]]:
    return {row["code"]: tuple(row["code_pages"].split()) for row in _rows()}


@cache
def _rows() -> tuple[dict[str, str], ...]:
    with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as table:
        return tuple(csv.DictReader(table))
