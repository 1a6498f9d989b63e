from __future__ import annotations

from collections.abc import Iterable

from analysis.names import folded, without_accents
from players.models import MAX_NAME_CHARS, MAX_PART_CHARS, NamePart

Place = NamePart.Place


def name_parts(names: Iterable[str]) -> dict[str, Place]:
    """The texts of ``NamePart`` of a player with ``names``, each with its best place."""
    parts: dict[str, Place] = {}
    for name in names:
        text, plain = folded(name), without_accents(name)
        _add(parts, text, (Place.NAME, Place.WORD, Place.INSIDE))
        if plain != text:
            _add(parts, plain, (Place.PLAIN_NAME, Place.PLAIN_WORD, Place.PLAIN_INSIDE))
    return parts


def _add(parts: dict[str, Place], whole: str, places: tuple[Place, Place, Place]) -> None:
    text = whole[:MAX_NAME_CHARS]  # a character may unfold into several
    for start, char in enumerate(text):
        if char != " ":
            part, place = text[start : start + MAX_PART_CHARS], places[_place(text, start)]
            parts[part] = min(place, parts.get(part, place))


def _place(text: str, start: int) -> int:
    if start == 0:
        return 0
    return 1 if text[start].isalnum() and not text[start - 1].isalnum() else 2
