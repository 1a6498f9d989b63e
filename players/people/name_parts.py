from __future__ import annotations

from collections.abc import Iterable

from analysis.names import folded
from players.models import MAX_NAME_CHARS, MAX_PART_CHARS, NamePart

Place = NamePart.Place


def name_parts(names: Iterable[str]) -> dict[str, Place]:
    """The texts of ``NamePart`` of a player with ``names``, each with its best place."""
    parts: dict[str, Place] = {}
    for name in names:
        text = folded(name)[:MAX_NAME_CHARS]  # a character may unfold into several
        for start, char in enumerate(text):
            if char != " ":
                part, place = text[start : start + MAX_PART_CHARS], _place(text, start)
                parts[part] = min(place, parts.get(part, place))
    return parts


def _place(text: str, start: int) -> Place:
    if start == 0:
        return Place.NAME
    return Place.WORD if text[start].isalnum() and not text[start - 1].isalnum() else Place.INSIDE
