"""User names: which are allowed, and which look like another.

Allowed is what the profile UsernameCasePreserved of PRECIS allows (RFC 8265: no spaces, no control or format
characters), in one script or in one of the mixtures that Unicode calls highly restrictive (UTS 39, section 5.2).  Two
names look alike if their skeletons are equal (UTS 39, section 4), as they are written or in lower case.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from typing import Final

import precis_i18n
from confusable_homoglyphs.categories import unique_aliases

from analysis.names import skeleton

#: Names that only the site itself may seem to have.
RESERVED: Final = (
    "admin", "administrator", "anonymous", "mod", "moderator", "moderators", "official", "root", "staff", "support",
    "sweepbook", "system", "webmaster",
)  # fmt: skip
_PRESERVED: Final = precis_i18n.get_profile("UsernameCasePreserved")
_EVERYWHERE: Final = frozenset({"COMMON", "INHERITED"})
#: Scripts that are written together.
_TOGETHER: Final = (
    frozenset({"LATIN", "HAN", "HIRAGANA", "KATAKANA"}),
    frozenset({"LATIN", "HAN", "BOPOMOFO"}),
    frozenset({"LATIN", "HAN", "HANGUL"}),
)


class NotAllowed(ValueError):
    """A name that no account may have; ``reason``: one of ``characters``, ``scripts``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Looks:
    """Looks of a name: as it is written, and in lower case.  Names with equal values look alike."""

    written: str
    folded: str


def normalised(name: str) -> str:
    """``name`` as it is stored: composed, without full-width letters.  Raises :class:`NotAllowed`."""
    try:
        enforced = _PRESERVED.enforce(name)
    except UnicodeError as error:
        raise NotAllowed("characters") from error
    scripts = unique_aliases(enforced) - _EVERYWHERE
    if len(scripts) > 1 and not any(scripts <= together for together in _TOGETHER):
        raise NotAllowed("scripts")
    return enforced


def looks(name: str) -> Looks:
    """Compute the looks of ``name``, which may be one that is not allowed."""
    plain = unicodedata.normalize("NFKC", name)
    return Looks(written=skeleton(plain).casefold(), folded=skeleton(plain.casefold()).casefold())


@cache
def reserved_looks() -> frozenset[str]:
    made = [looks(name) for name in RESERVED]
    return frozenset(text for look in made for text in (look.written, look.folded))
