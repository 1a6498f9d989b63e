"""The query parameters of the list of replays, for the schema and for the list itself."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import QueryDict
from drf_spectacular.utils import OpenApiParameter
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer

from analysis.statistics import STORED
from replays.selectors import FILTER_CHOICES, FILTER_NAMES, MAX_PAGE, PAGE_SIZE

CURSOR, SIZE = "cursor", "size"
_PAGING = frozenset({CURSOR, SIZE})
_DOCS = {
    "level": "Only this level.",
    "style": "NF: games without a flag; FL: all other games.",
    "result": "How the game ended.",
    "mode": "Rules of the game.",
    "format": "Format of the file.",
    "player": "Number of a player.",
    "uploader": "Number of an account, or “me”.",
    "software": "The program that recorded the game, exactly as it names itself.",
    "status": "Replays that are not done are shown to their uploader and to staff.",
    "sort": "“newest”, or a ranked statistic, with “-” from high to low; needs a level.",
}


class IgnoreFormatParameter(DefaultContentNegotiation):
    """``?format=avf`` is a filter here and no wish for a rendering; the Accept header decides that."""

    def filter_renderers(self, renderers: Iterable[BaseRenderer], format: str) -> list[BaseRenderer]:  # noqa: A002
        return list(renderers)


def filters_of(query: QueryDict) -> dict[str, str]:
    """What of the query is for ``ReplayFilters``."""
    return {name: str(value) for name, value in query.items() if name not in _PAGING}


def size_of(query: QueryDict) -> int:
    """Rows that the caller wants; anything that is no number means the default, and none gets more than the limit."""
    text = query.get(SIZE, "")
    wanted = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else PAGE_SIZE
    return max(1, min(wanted, MAX_PAGE))


def _filter(name: str) -> OpenApiParameter:
    if name in FILTER_CHOICES:
        return OpenApiParameter(name, str, description=_DOCS[name], enum=list(FILTER_CHOICES[name]))
    if name in _DOCS:
        return OpenApiParameter(name, str, description=_DOCS[name])
    what, _, end = name.partition("__")
    bound = "At least" if end == "gte" else "At most"
    label = _LABELS.get(what, f"{what}, a date or a moment")
    return OpenApiParameter(name, float if what in _LABELS else str, description=f"{bound}: {label}.")


_LABELS = {row.name: row.label for row in STORED}
LIST_PARAMETERS = [
    OpenApiParameter(CURSOR, str, description="Where the page begins: a cursor of another page of the same list."),
    OpenApiParameter(SIZE, int, description=f"Rows of the page, at most {MAX_PAGE}; {PAGE_SIZE} unless given."),
    *(_filter(name) for name in FILTER_NAMES),
]
