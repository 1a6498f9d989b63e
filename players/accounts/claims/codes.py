"""Codes that a claimant puts into the name of a game: ``SB`` and six signs.

A code proves that the player of a game knew it, so that the game was played after the code was made, by someone who sets
the name of the program.  It does not prove that older games under the name are theirs.
"""

from __future__ import annotations

import re
from typing import Final

from django.utils.crypto import salted_hmac

#: Digits and capital letters without 0, O, 1, I and L, which look alike.
SIGNS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
PREFIX: Final = "SB"
CODE_SIGNS: Final = 6
_CODE = re.compile(rf"(?=({PREFIX}[{SIGNS}]{{{CODE_SIGNS}}}))", re.IGNORECASE | re.ASCII)
#: What players put between a name and a code.
_SEPARATORS: Final = r"[\s_.\-#(\[{)\]}]*"


def make_code(user_id: int, purpose: str, number: int) -> str:
    """The code number ``number`` of an account for ``purpose``; nobody can compute it without the site's secret key."""
    mac = salted_hmac("players.accounts.claims.codes", f"{user_id}:{purpose}:{number}", algorithm="sha256").digest()
    rest = int.from_bytes(mac)
    signs = []
    for _ in range(CODE_SIGNS):
        rest, sign = divmod(rest, len(SIGNS))
        signs.append(SIGNS[sign])
    return PREFIX + "".join(signs)


def codes_in(text: str) -> list[str]:
    """Everything in ``text`` that looks like a code, in capital letters; most of it may be no code of ours."""
    return [match[1].upper() for match in _CODE.finditer(text)]


def without_code(text: str, code: str, name: str) -> str:
    """``text`` without ``code`` in either case, and without what separated it from the rest.

    ``name``: the name that the code was made for; if it ends with a separator itself, that one stays.
    """
    found = re.compile(re.escape(code), re.IGNORECASE | re.ASCII)
    if found.sub("", text).strip() == name:
        return name
    parts = re.split(f"{_SEPARATORS}{found.pattern}{_SEPARATORS}", text, flags=re.IGNORECASE | re.ASCII)
    return " ".join(part for part in parts if part).strip()
