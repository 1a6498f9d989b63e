"""What every number means: the registry as a page."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from analysis.recording import LEVEL_SHAPES
from analysis.statistics import GROUPS, STATISTICS, VERSION, Statistic
from players.boards import COMBINED_NAMES, ON_LEVEL


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of the registry under one heading."""

    title: str
    rows: tuple[Statistic, ...]


def grouped(rows: tuple[Statistic, ...]) -> tuple[Group, ...]:
    """``rows`` by group in the order of the registry, empty groups left out."""
    groups = (Group(title, tuple(row for row in rows if row.group == title)) for title in GROUPS)
    return tuple(group for group in groups if group.rows)


def levels_by_statistic() -> dict[str, list[str]]:
    """The levels on which each ranked statistic has a board."""
    boards: dict[str, list[str]] = {}
    for level, rows in ON_LEVEL.items():
        for row in rows:
            boards.setdefault(row.name, []).append(level)
    return boards


@require_safe
def statistics(request: HttpRequest) -> HttpResponse:
    """Formula, unit, direction and edges of every statistic, with links to its boards."""
    context = {
        "groups": grouped(STATISTICS),
        "version": VERSION,
        "boards": levels_by_statistic(),
        "combined": COMBINED_NAMES,
        "minimums": list(settings.MINIMUM_3BV.items()),
        "shapes": list(LEVEL_SHAPES.items()),
    }
    return render(request, "players/statistics.html", context)
