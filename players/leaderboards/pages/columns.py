"""The columns of a board page that a reader may choose: ``?columns=gap,bv,date``, and what an account remembers.

Rank, player and value always stand there.  All columns but one are made from what the row has already; ``trend`` takes one
statement for the whole page.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final, TypedDict
from urllib.parse import quote

from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.leaderboards.board import Board
from players.leaderboards.boards import LOGGED_STATISTICS
from players.models import ALL_STYLES
from players.web.parameters import Parameter, known_query
from players.web.users import signed_in_user

#: The word for a board without any of the columns; an empty parameter is a missing one.
NONE: Final = "none"


@dataclass(frozen=True, slots=True)
class Column:
    name: str
    label: str | Promise
    title: str | Promise
    is_default: bool = True

    def translated(self) -> Column:
        """With texts in the active language: each cell of a page has them, and a lazy text is looked up every time."""
        return replace(self, label=str(self.label), title=str(self.title))


GAP: Final = Column("gap", gettext_lazy("Gap"), gettext_lazy("The gap to the leader. All rows use the same scale."))
BV: Final = Column("bv", "3BV", gettext_lazy("The game's 3BV."))
BVS: Final = Column("bvs", "3BV/s", gettext_lazy("The game's 3BV per second."))
COMPLETION: Final = Column(
    "completion", gettext_lazy("Completion"), gettext_lazy("How much of the 3BV was solved when the game was lost.")
)
STYLE_OF_GAME: Final = Column("style", gettext_lazy("Style"), gettext_lazy("NF: without flags. FL: with flags."))
TREND: Final = Column(
    "trend",
    gettext_lazy("Trend"),
    gettext_lazy("The player's personal bests on this leaderboard, oldest first. Higher on the chart is better."),
    False,
)
DATE: Final = Column("date", gettext_lazy("Date"), gettext_lazy("When the game was played."))
AGE: Final = Column("age", gettext_lazy("Age"), gettext_lazy("How long ago the game was played."), False)
FIRST: Final = Column("date", gettext_lazy("First"), gettext_lazy("When the first of these games was played."))
FILM: Final = Column("film", gettext_lazy("Watch"), gettext_lazy("Watch the game without leaving this page."))
#: In the order of the table.
COLUMNS: Final = (GAP, BV, BVS, COMPLETION, STYLE_OF_GAME, TREND, DATE, AGE, FILM)
NAMES: Final = tuple(column.name for column in COLUMNS)
DEFAULT: Final = tuple(column.name for column in COLUMNS if column.is_default)
#: Columns of the game of a row; a sum has three games, an average several.
_OF_GAME: Final = frozenset({"bv", "bvs", "completion", "style", "film"})


def parse_columns(text: str) -> tuple[str, ...]:
    """Names with commas between, or "none", as names in the order of the table; raises ``ValueError``."""
    if text == NONE:
        return ()
    given = text.split(",")
    if not set(given) <= set(NAMES):
        raise ValueError(_("Choose columns from: %(columns)s; or “none”.") % {"columns": ", ".join(NAMES)})
    return in_order(given)


def in_order(names: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in NAMES if name in names)


def columns_text(names: Collection[str]) -> str:
    """``names`` as the parameter is written; :func:`parse_columns` reads it."""
    return ",".join(in_order(names)) or NONE


_NAME: Final = f"({'|'.join(NAMES)})"
CHOSEN: Final = Parameter[tuple[str, ...] | None](
    "columns", parse_columns, None, {"type": "string", "pattern": f"^({NONE}|{_NAME}(,{_NAME})*)$"},
    f"The columns besides rank, player and value, with commas between: {', '.join(NAMES)}; or {NONE}.",
)  # fmt: skip


def columns_on(board: Board) -> tuple[Column, ...]:
    is_sub_n = board.n is not None
    missing = {board.statistic} if board.filters.lost else {board.statistic, "completion"}  # the value itself
    if board.is_sum or is_sub_n:
        missing |= _OF_GAME
    if board.filters.best_of > 1:
        missing |= _OF_GAME - {"film"}
    if board.style != ALL_STYLES:
        missing.add("style")
    if board.statistic not in LOGGED_STATISTICS or board.filters.needs_games:
        missing.add("trend")  # it is made of the record history
    if is_sub_n:
        missing.add("age")
    columns = tuple(FIRST if is_sub_n and column is DATE else column for column in COLUMNS)
    return tuple(column for column in columns if column.name not in missing)


def shown_columns(board: Board, chosen: Collection[str] | None) -> tuple[Column, ...]:
    """The columns that a board shows; ``chosen``: names, None: those that everybody gets."""
    names = DEFAULT if chosen is None else chosen
    return tuple(column for column in columns_on(board) if column.name in names)


def remembered_columns(request: HttpRequest) -> tuple[str, ...] | None:
    """The columns that the visitor's account remembers; None without an account or before it remembers any."""
    user = signed_in_user(request)
    # Names that a later version does not have any more are left out.
    return in_order(user.board_columns.split(",")) if user is not None and user.board_columns else None


@dataclass(frozen=True, slots=True)
class ColumnLink:
    column: Column
    query: str
    is_shown: bool


class ColumnContext(TypedDict):
    """The columns in the context of templates; ``columns_given``: as in the address, "" if they are not there."""

    columns: tuple[Column, ...]
    column_links: list[ColumnLink]
    columns_given: str
    columns_chosen: str


def column_context(request: HttpRequest, board: Board, given: tuple[str, ...] | None) -> ColumnContext:
    chosen = remembered_columns(request) if given is None else given
    names = set(DEFAULT if chosen is None else chosen)
    known = known_query(request.GET)
    others = urlencode({name: str(text) for name, text in known.items() if name not in ("columns", "cursor")})
    query = f"?{others}&columns=" if others else "?columns="

    def link(column: Column) -> ColumnLink:
        toggled = quote(columns_text(names ^ {column.name}))
        return ColumnLink(column, query + toggled, column.name in names)

    links = [link(column) for column in columns_on(board)]
    return {
        "columns": tuple(column.translated() for column in shown_columns(board, chosen)),
        "column_links": links,
        "columns_given": "" if given is None else columns_text(given),
        "columns_chosen": columns_text(names),
    }
