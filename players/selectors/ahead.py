"""How many rows of a board are better than a value: the last mark before it, what moved since, and the rest counted.

``players.services.marks`` sets the marks.  The answer is exact with any marks or none, because all its parts come from
one statement; marks only decide how many rows are left to count.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from django.db.models import (
    Case,
    Count,
    Expression,
    F,
    FloatField,
    IntegerField,
    OuterRef,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from players.boards import COMBINED
from players.models import BoardChange, BoardMark, CombinedBest, PersonalBest

#: Above every rank key: what is ahead of it is the whole board.
_END: Final = math.inf
#: Where a board begins for those that stand before its first mark.
_FRONT: Final = -math.inf

Rows: TypeAlias = "QuerySet[Any, Any]"


def with_ahead(rows: Rows, key: str = "rank_key") -> Rows:
    """``rows`` of ``PersonalBest`` or ``CombinedBest`` with ``ahead``: how many of their board have a better rank key.

    Ties of a combined board are told apart by more columns; add :func:`tied_ahead`.  ``key``: the column or annotation
    that is compared with the board, if it is not the row's own rank key.
    """
    combined = rows.model is CombinedBest
    board = {"statistic": OuterRef("statistic"), "style": OuterRef("style")}
    level: Any = Value(COMBINED) if combined else OuterRef("level")
    measured = {**board, "level": level}
    mark = BoardMark.objects.filter(**measured, rank_key__lte=OuterRef(key)).order_by("-rank_key")
    rows = rows.annotate(
        mark_key=Coalesce(Subquery(mark.values("rank_key")[:1]), Value(_FRONT), output_field=FloatField()),
        mark_ahead=Coalesce(Subquery(mark.values("ahead")[:1]), 0, output_field=IntegerField()),
    )
    counted = _counted(CombinedBest, board, key) if combined else _counted(PersonalBest, measured, key)
    found: Rows = rows.annotate(ahead=F("mark_ahead") + _moved(measured) + counted)
    return found


def ahead_of(board: Rows, rank_key: float) -> int:
    """How many rows of ``board`` have a better rank key than ``rank_key``, whether or not a row has it.

    ``board``: all rows of one board, and only them.
    """
    # Any row will do to ask from; the first one is found in the index.
    first = board.order_by("rank_key").annotate(asked_key=Value(rank_key, output_field=FloatField()))
    return next(iter(with_ahead(first, "asked_key").values_list("ahead", flat=True)[:1]), 0)


def size_of(board: Rows) -> int:
    """How many rows ``board`` has, counted from its last mark on."""
    return ahead_of(board, _END)


def _moved(board: Mapping[str, Any]) -> Expression:
    """By how much the number of rows before the mark changed since it was set."""
    step = _one_if(new_key__lt=OuterRef("mark_key")) - _one_if(old_key__lt=OuterRef("mark_key"))
    return single(BoardChange.objects.filter(**board), Sum(step))


def _counted(model: type[PersonalBest | CombinedBest], board: Mapping[str, Any], key: str) -> Expression:
    """The rows from the mark to the value."""
    between = model._default_manager.filter(**board, rank_key__gte=OuterRef("mark_key"), rank_key__lt=OuterRef(key))
    return single(between, Count("pk"))


def tied_ahead() -> Expression:
    """Rows of the outer row's combined board with the same sum that are better by Expert, then Intermediate."""
    same = CombinedBest.objects.filter(
        statistic=OuterRef("statistic"), style=OuterRef("style"), rank_key=OuterRef("rank_key")
    )
    by_expert = same.filter(expert_key__lt=OuterRef("expert_key"))
    by_intermediate = same.filter(expert_key=OuterRef("expert_key"), intermediate_key__lt=OuterRef("intermediate_key"))
    return single(by_expert, Count("pk")) + single(by_intermediate, Count("pk"))


def _one_if(**condition: Any) -> Case:
    return Case(When(**condition, then=1), default=0, output_field=IntegerField())


def single(rows: Rows, aggregate: Any) -> Expression:
    """One aggregate of ``rows`` as an expression; 0 if there are none."""
    # Grouped by a constant of the filter: a subquery may not aggregate without grouping.
    found = rows.order_by().values("style").annotate(found=aggregate).values("found")
    return Coalesce(Subquery(found, output_field=IntegerField()), 0)
