"""The rows of boards.

They are formatted as plain strings: by a Jinja2 template the fifty rows of a page took three times as long, more than all
the rest of the page.  What people wrote, and what translators did, is escaped here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo
from typing import Final, TypeAlias

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from markupsafe import escape

from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.leaderboards.pages.axis import axis_head
from players.leaderboards.pages.cells import BoardCells
from players.leaderboards.ranks import BoardRow
from players.templatetags.led import led
from players.templatetags.marks import avatar, flag_in, icon, level_icon, medal
from players.templatetags.sweepbook import NO_VALUE, percent, player_link, provisional_mark, when_in
from players.web.clock import shown_text
from players.web.links import address_of, replay_address

register = template.Library()


@register.simple_tag(takes_context=True)
def board_rows(context: Context, rows: Sequence[BoardRow]) -> SafeString:
    """``{% board_rows page.rows %}``: rows of a board; the other values are those of ``rows_context``.

    ``parts`` of the context: the levels of a combined board in the order of its columns.
    """
    page = _Page(
        context["board"],
        [(_CELLS[column.name], str(escape(column.label))) for column in context["columns"]],
        [(level, level_icon(level)) for level in context.get("parts") or ()],
        context["viewer_id"],
        context["sought_id"],
        timezone.get_current_timezone(),
        get_language() or "",
    )
    drawn = [_row(page, one, is_lead=number == 0 and one.rank == 1) for number, one in enumerate(rows)]
    return mark_safe("".join(drawn))  # noqa: S308 - everything is escaped below


@register.simple_tag(takes_context=True)
def axis_ticks(context: Context) -> SafeString:
    """``{% axis_ticks %}``: the scale of the board's axis, for the head of its column."""
    board: BoardCells = context["board"]
    return axis_head(board.axis, board.row, games=board.games)


@dataclass(frozen=True, slots=True)
class _Page:
    """Values that all rows of a page share.

    ``cells``: the chosen columns and their labels; ``parts``: the levels of a combined board and their drawn cells;
    ``viewer_id``, ``sought_id``: the players whose rows are marked.
    """

    board: BoardCells
    cells: Sequence[tuple[_Cell, str]]
    parts: Sequence[tuple[str, str]]
    viewer_id: int | None
    sought_id: int | None
    zone: tzinfo
    language: str


def _row(page: _Page, one: BoardRow, *, is_lead: bool) -> str:
    player, rank = one.player, one.rank
    classes = ["lead"] if is_lead else []
    mark = ""
    if player.pk == page.sought_id:
        mark = ' id="place" aria-current="true"'
        classes.append("sought")
    elif player.pk == page.viewer_id:
        classes.append("own")
    if classes:
        mark += f' class="{" ".join(classes)}"'
    flag = flag_in(page.language, player.country) if player.country else '<span class="flag none"></span>'
    provisional = f" {provisional_mark()}" if one.provisional else ""
    name = (
        f'<span class="pl">{avatar(player.pk, "l" if is_lead else "")}{flag}{player_link(player)}{provisional}</span>'
    )
    cells = "".join([cell(page, label, one) for cell, label in page.cells])
    return (
        f'<tr{mark}><td class="rank">{medal(rank)}</td><td class="name">{name}</td>'
        f"{_value(page, one, is_lead=is_lead)}{cells}</tr>"
    )


def _value(page: _Page, one: BoardRow, *, is_lead: bool) -> str:
    board = page.board
    if board.row is None:
        return f'<td class="num main"><a class="v" href="{_games_of(page, one)}">{one.games}</a></td>'
    text = shown_text(
        board.row, one.value, precision_ms=one.precision_ms, decimals=board.decimals,
        games=board.games,
    )  # fmt: skip
    if is_lead and board.row.name == "time":
        text = f'<span class="visually-hidden">{text}</span>{led(text)}'
    if not page.parts:
        address = _games_of(page, one) if board.is_average else replay_address(_replay_of(one))
        return f'<td class="num main"><a class="v" data-main href="{address}">{text}</a></td>'
    cells = [f'<td class="num main"><span class="v">{text}</span></td>']
    for number, (level, mark) in enumerate(page.parts):
        part = one.parts[level]
        text = shown_text(board.row, part.value, precision_ms=part.precision_ms)
        link = f'<a{"" if number else " data-main"} href="{replay_address(part.replay_id)}">{text}</a>'
        cells.append(f'<td class="num cell-part">{mark}{link}</td>')
    return "".join(cells)


def _games_of(page: _Page, one: BoardRow) -> str:
    return str(escape(page.board.row_games.html_url(one.player.pk)))


def _replay_of(one: BoardRow) -> int:
    assert one.replay_id is not None  # noqa: S101 - only sums have none
    return one.replay_id


# --- the chosen columns -----------------------------------------------------------------------------------------------

#: Makes the cell of a row; the text is the label of the column.
_Cell: TypeAlias = Callable[[_Page, str, BoardRow], str]


def _gap(page: _Page, _label: str, one: BoardRow) -> str:
    return f'<td class="cell-gap">{page.board.gap(one)}</td>'


def _bv(_page: _Page, label: str, one: BoardRow) -> str:
    return f'<td class="num cell-bv" data-label="{label}">{NO_VALUE if one.bv is None else one.bv}</td>'


def _bvs(_page: _Page, label: str, one: BoardRow) -> str:
    text = NO_VALUE if one.bvs is None else value_text(BY_NAME["bvs"], one.bvs)
    return f'<td class="num cell-bvs" data-label="{label}">{text}</td>'


def _completion(_page: _Page, label: str, one: BoardRow) -> str:
    text = NO_VALUE if one.completion is None else percent(one.completion)
    return f'<td class="num cell-completion" data-label="{label}">{text}</td>'


def _style(_page: _Page, _label: str, one: BoardRow) -> str:
    return f'<td class="cell-style">{escape(one.style)}</td>'


def _trend(page: _Page, label: str, one: BoardRow) -> str:
    return f'<td class="cell-trend" data-label="{label}">{page.board.trend(one)}</td>'


def _date(page: _Page, _label: str, one: BoardRow) -> str:
    day: str = when_in(page.zone, one.shown_at)
    if page.board.first_games:
        day = f'<a data-main href="{replay_address(_replay_of(one))}">{day}</a>'
    return f'<td class="num cell-date">{day}</td>'


def _age(page: _Page, label: str, one: BoardRow) -> str:
    return f'<td class="num cell-age" data-label="{label}">{escape(page.board.age(one))}</td>'


def _film(page: _Page, _label: str, one: BoardRow) -> str:
    replay_id, text = _replay_of(one), escape(page.board.film_label(one))
    return (
        f'<td class="cell-film"><a class="pb-play" href="{replay_address(replay_id)}"'
        f' data-embed="{address_of("replay-embed", replay_id)}" aria-label="{text}" title="{text}">'
        f"{icon('play')}</a></td>"
    )


_CELLS: Final[Mapping[str, _Cell]] = {
    "gap": _gap, "bv": _bv, "bvs": _bvs, "completion": _completion, "style": _style, "trend": _trend, "date": _date,
    "age": _age, "film": _film,
}  # fmt: skip
