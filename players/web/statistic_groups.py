from __future__ import annotations

from dataclasses import dataclass

from analysis.statistics import GROUPS, Statistic


@dataclass(frozen=True, slots=True)
class StatisticGroup:
    title: str
    rows: tuple[Statistic, ...]


def grouped(rows: tuple[Statistic, ...]) -> tuple[StatisticGroup, ...]:
    """``rows`` by group in the order of the registry, empty groups left out."""
    groups = (StatisticGroup(title, tuple(row for row in rows if row.group == title)) for title in GROUPS)
    return tuple(group for group in groups if group.rows)
