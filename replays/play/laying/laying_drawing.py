"""The still drawing of a laid board, for pages without a script."""

from __future__ import annotations

from itertools import groupby

from django.utils.html import format_html
from django.utils.safestring import SafeString

from analysis.multiplayer.laying import Area, Laying
from replays.play.laying.selectors import LaidBoard


def laid_svg(board: LaidBoard, title: str) -> SafeString:
    """Return SVG in units of a cell; only numbers are written into the markup."""
    rows, columns = board.mines.shape
    return format_html(
        '<svg class="laid" viewBox="-0.2 -0.2 {}.4 {}.4" role="img" aria-label="{}">'
        '<path class="ground" d="M0 0h{}v{}h-{}z"/><path class="mines" d="{}"/><path class="edges" d="{}"/></svg>',
        columns, rows, title, columns, rows, columns,
        _mines(board), _edges(board.laying, board.areas),
    )  # fmt: skip


def _mines(board: LaidBoard) -> str:
    """Mines beside each other in a row are one rectangle."""
    parts = []
    for row, line in enumerate(board.mines.tolist()):
        column = 0
        for is_mine, run in groupby(line):
            length = len(list(run))
            if is_mine:
                parts.append(f"M{column} {row}h{length}v1h-{length}z")
            column += length
    return "".join(parts)


def _edges(laying: Laying, areas: list[Area]) -> str:
    across = {area.left for area in areas} | {laying.columns}
    down = {area.top for area in areas} | {laying.rows}
    lines = [f"M{column} 0v{laying.rows}" for column in sorted(across)]
    return "".join(lines + [f"M0 {row}h{laying.columns}" for row in sorted(down)])
