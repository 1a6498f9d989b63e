"""Boards as CSV and NDJSON: the rows from the first on, with the columns of the page, as a stream.

A file is made page by page while the client reads it, so neither a long board nor a slow client takes memory.  Rows that
change place meanwhile may be missing or stand twice, as in any keyset list.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Final, TypeAlias

from django.http import StreamingHttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from analysis.spreadsheets import without_formulas
from players.leaderboards.board import Board
from players.leaderboards.boards import COMBINED_LEVELS
from players.leaderboards.pages.cells import age_days, gap, trends
from players.leaderboards.pages.columns import Column
from players.leaderboards.ranks import BoardPage, BoardRow, page_at
from players.models import ALL_STYLES
from players.web.errors import UnknownAddress
from players.web.parameters import MAX_PAGE_SIZE, integer
from players.web.rate_limits import RateLimit, count_or_refuse, visitor_of
from players.web.statistic_names import public_name

Cell: TypeAlias = str | float | int | bool | list[float] | None

MAX_ROWS: Final = 10_000
EXPORT_LIMIT: Final = RateLimit("exports", "60/hour")
TYPES: Final = {"csv": "text/csv; charset=utf-8", "ndjson": "application/x-ndjson"}
#: Without it a spreadsheet reads UTF-8 as the character set of its system.
_BYTE_ORDER_MARK: Final = "\ufeff"

LIMIT: Final = integer(
    "limit", least=1, most=MAX_ROWS, default=MAX_ROWS, description="Rows of the file, from the first of the board on."
)
KIND_PART: Final = OpenApiParameter(
    "kind", str, OpenApiParameter.PATH, enum=tuple(TYPES), description="Format of the file."
)


def checked_kind(kind: str) -> str:
    """Raise ``UnknownAddress`` if boards cannot be had as ``kind``."""
    if kind not in TYPES:
        raise UnknownAddress(_("There's nothing at this URL."))
    return kind


def board_file(
    request: Request, board: Board, kind: str, columns: Collection[Column], limit: int
) -> StreamingHttpResponse:  # fmt: skip
    """Raise ``Refused`` for a visitor who has had too many files."""
    _count(request)
    read = partial(page_at, board, size=min(limit, MAX_PAGE_SIZE))
    first = read()  # here, so that what is wrong is still answered as an error
    names = [column.name for column in columns]
    records = _records(first, read, names, limit, timezone.now())
    parts = _csv_parts(records, board, names) if kind == "csv" else _ndjson_parts(records)
    response = StreamingHttpResponse(parts, content_type=TYPES[kind])
    parts_of_name = (
        "corpses" if board.filters.lost else "", board.level, public_name(board.statistic),
        "" if board.style == ALL_STYLES else board.style,
    )  # fmt: skip
    name = "-".join(part for part in parts_of_name if part)
    response["Content-Disposition"] = f'attachment; filename="{name}.{kind}"'
    return response


def _count(request: Request) -> None:
    count_or_refuse(EXPORT_LIMIT, visitor_of(request), _("Too many downloads. Try again later."))


# --- records ----------------------------------------------------------------------------------------------------------


def _records(
    first: BoardPage, read: Callable[..., BoardPage], names: Collection[str], limit: int, now: datetime
) -> Iterator[list[Mapping[str, Cell]]]:
    page, left = first, limit
    while True:
        ways = trends(page.board.key, [row.player.pk for row in page.rows]) if "trend" in names else {}
        rows = page.rows[:left]
        left -= len(rows)
        yield [_record(row, page, names, ways, now) for row in rows]
        if page.next_cursor is None or not left:
            return
        page = read(cursor=page.next_cursor)


def _record(
    row: BoardRow, page: BoardPage, names: Collection[str], ways: Mapping[int, list[float]], now: datetime
) -> dict[str, Cell]:
    """A row as flat values.  Times are on a clock that starts at 0."""
    leader = row.value if page.leader is None else page.leader
    is_sub_n = page.board.n is not None
    distance = gap(row.value, leader)
    found: dict[str, Cell] = {
        "rank": row.rank, "player_id": row.player.pk, "player": row.player.shown_name, "country": row.player.country,
        "value": row.games if is_sub_n else row.value, "replay": row.replay_id, "provisional": row.provisional,
    }  # fmt: skip
    for level, part in row.parts.items():
        found |= {level: part.value, f"{level}_replay": part.replay_id}
    chosen: dict[str, Cell] = {
        "gap": round(distance) if is_sub_n else distance, "bv": row.bv, "bvs": row.bvs, "completion": row.completion, "style": row.style,
        "trend": ways.get(row.player.pk, []), "date": row.achieved_at.isoformat(), "age": age_days(row.achieved_at, now),
    }  # fmt: skip
    return found | {_FIELDS[name]: chosen[name] for name in names if name in _FIELDS}


#: The fields of columns; a film has none, since ``replay`` names the game.
_FIELDS: Final = {
    "gap": "gap", "bv": "bv", "bvs": "bvs", "completion": "completion", "style": "style", "trend": "trend", "date": "achieved_at", "age": "age_days",
}  # fmt: skip


def _field_names(board: Board, names: Collection[str]) -> list[str]:
    parts = [field for level in COMBINED_LEVELS for field in (level, f"{level}_replay")] if board.is_sum else []
    chosen = [_FIELDS[name] for name in names if name in _FIELDS]
    return ["rank", "player_id", "player", "country", "value", "replay", "provisional", *parts, *chosen]


# --- formats ----------------------------------------------------------------------------------------------------------


def _csv_parts(records: Iterator[list[Mapping[str, Cell]]], board: Board, names: Collection[str]) -> Iterator[str]:
    fields = _field_names(board, names)
    yield _BYTE_ORDER_MARK + ",".join(fields) + "\r\n"
    for some in records:
        text = io.StringIO()
        csv.writer(text, quoting=csv.QUOTE_NONNUMERIC).writerows(
            [csv_cell(one[name]) for name in fields] for one in some
        )
        yield text.getvalue()


def csv_cell(value: Cell) -> str | float | int:
    """``value`` as a cell of CSV.  Text that a spreadsheet would take for a formula gets an apostrophe before it."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, list):
        return " ".join(map(repr, value))
    if isinstance(value, str):
        return without_formulas(value)
    return "" if value is None else value


def _ndjson_parts(records: Iterator[list[Mapping[str, Cell]]]) -> Iterator[str]:
    for some in records:
        yield "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in some)
