"""A board (minefield) as SVG: numbers, mines, openings and islands.

A cell is one unit.  All things of one kind are one element (a path of unit squares, a text with a list of coordinates),
so an Expert board has about 15 KB, 3 KB compressed.  Boards of more than ``LARGE_CELLS`` cells have pictures in place
of paths, and dots in the colours of the numbers in place of digits, which nobody could read at that size: 255 x 255 cells
have about 100 KB.  Only integers and pictures are written into the markup.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from numpy.typing import NDArray

from analysis.board import MINE, BoardFacts
from replays.watch.film.board_masks import masked, masked_dots

#: Classes ``o1`` to ``o6`` of the style sheet, which openings take in turn.
OPENING_COLOURS = 6
MAX_NUMBER = 8
#: The largest board with digits.
LARGE_CELLS = 2_500
#: Baseline of a digit, from the top of its cell.
_DIGIT_BASELINE = 0.74


def board_svg(facts: BoardFacts, title: str, description: str, cell_px: int = 0) -> SafeString:
    """The drawing of ``facts``; ``title`` and ``description`` are for screen readers.

    It fills the width that it gets; with ``cell_px`` its cells are at most so many CSS pixels wide.
    """
    rows, columns = facts.numbers.shape
    large = is_large(facts)
    return format_html(
        '<svg class="board{kind}"{size} viewBox="-0.1 -0.1 {width}.2 {height}.2" role="img" aria-label="{title}. {description}">'
        "<title>{title}</title><desc>{description}</desc>"
        '<path class="ground" d="M0 0h{width}v{height}h-{width}z"/>{layers}'
        '<path class="lines" d="{lines}"/><path class="edge" d="M0 0h{width}v{height}h-{width}z"/>'
        '<g class="digits">{digits}</g>{mines}</svg>',
        kind=" large" if large else "", size=format_html(' width="{}"', cell_px * columns) if cell_px else "", width=columns, height=rows, title=title, description=description,
        layers=_layers(facts, masked if large else _path), lines=_grid(rows, columns),
        digits=_dots(facts.numbers) if large else _digits(facts.numbers),
        mines=masked_dots("mine", facts.numbers == MINE) if large else _mines(facts.numbers),
    )  # fmt: skip


def is_large(facts: BoardFacts) -> bool:
    return facts.numbers.size > LARGE_CELLS


def board_text(facts: BoardFacts) -> str:
    """The board as lines of text: ``*`` a mine, ``.`` a zero, else the number; without blanks if it is large."""
    symbols = np.array([".", "1", "2", "3", "4", "5", "6", "7", "8", "*"])
    return "\n".join(("" if is_large(facts) else " ").join(line) for line in symbols[facts.numbers])


def _squares(cells: Iterable[tuple[int, int]]) -> str:
    return "".join(f"M{column} {row}h1v1h-1z" for row, column in cells)


def _cells(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    return [(int(row), int(column)) for row, column in np.argwhere(mask)]


def _path(name: str, mask: NDArray[np.bool_]) -> SafeString:
    cells = _cells(mask)
    return format_html('<path class="{}" d="{}"/>', name, _squares(cells)) if cells else SafeString("")


def _layers(facts: BoardFacts, area: Callable[[str, NDArray[np.bool_]], SafeString]) -> SafeString:
    opening = facts.opening_id
    colour = np.where(opening > 0, (opening - 1) % OPENING_COLOURS + 1, 0).astype(np.int32)
    border = np.where((colour == 0) & (facts.numbers != MINE), _spread(colour), 0)
    openings = [
        area(f"o{number}{suffix}", layer == number)
        for layer, suffix in ((colour, ""), (border, " border"))
        for number in range(1, OPENING_COLOURS + 1)
    ]
    return format_html(
        '{}{}<g class="openings">{}</g>',
        area("closed", facts.numbers == MINE),
        area("island", facts.island_id > 0),
        format_html_join("", "{}", ((path,) for path in openings)),
    )


def _spread(colour: NDArray[np.int32]) -> NDArray[np.int32]:
    """For each cell the highest colour of itself and its eight neighbours, 0 if they have none."""
    rows, columns = colour.shape
    padded = np.pad(colour, 1)
    shifted = [padded[dy : dy + rows, dx : dx + columns] for dy in range(3) for dx in range(3)]
    highest: NDArray[np.int32] = np.max(np.stack(shifted), axis=0)
    return highest


def _grid(rows: int, columns: int) -> str:
    across = (f"M0 {row}h{columns}" for row in range(1, rows))
    down = (f"M{column} 0v{rows}" for column in range(1, columns))
    return "".join([*across, *down])


def _digits(numbers: NDArray[np.uint8]) -> SafeString:
    return format_html_join("", '<text class="t{}" x="{}" y="{}">{}</text>', _digit_runs(numbers))


def _dots(numbers: NDArray[np.uint8]) -> SafeString:
    dots = (masked_dots(f"t{number}", numbers == number) for number in range(1, MAX_NUMBER + 1))
    return format_html_join("", "{}", ((dot,) for dot in dots))


def _digit_runs(numbers: NDArray[np.uint8]) -> Iterator[tuple[int, str, str, str]]:
    for number in range(1, MAX_NUMBER + 1):
        cells = _cells(numbers == number)
        if cells:
            across = " ".join(f"{column}.5" for _, column in cells)
            down = " ".join(f"{row + _DIGIT_BASELINE:g}" for row, _ in cells)
            yield number, across, down, str(number) * len(cells)


def _mines(numbers: NDArray[np.uint8]) -> SafeString:
    cells = _cells(numbers == MINE)
    if not cells:
        return SafeString("")
    dots = "".join(f"M{column}.5 {row}.5h0" for row, column in cells)
    spikes = "".join(
        f"M{column}.5 {row}.18v.64M{column}.18 {row}.5h.64M{column}.28 {row}.28l.44 .44M{column}.72 {row}.28l-.44 .44"
        for row, column in cells
    )
    return mark_safe(f'<path class="spikes" d="{spikes}"/><path class="mine" d="{dots}"/>')  # noqa: S308 - integers only
