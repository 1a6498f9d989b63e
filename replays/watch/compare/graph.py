"""The split graph: by how much the first game was ahead at equal progress, as SVG."""

from __future__ import annotations

from typing import Final

import numpy as np
from django.utils.html import format_html
from django.utils.safestring import SafeString

from analysis.film.progress import Floats, Splits

_WIDTH: Final = 1000
_HEIGHT: Final = 200
_MARGIN: Final = 8


def split_graph(found: Splits, title: str, description: str) -> SafeString:
    """Progress to the right; up where the first game is ahead.  A scale is beside it, as text."""
    across, down = graph_points(found)
    zero = _HEIGHT / 2
    line = _path(across, down)
    first, second = (_area(across, side(down, zero), zero) for side in (np.minimum, np.maximum))
    return format_html(
        '<svg class="splits" viewBox="0 0 {width} {height}" preserveAspectRatio="none" role="img" aria-label="{title}. {description}">'
        '<path class="first" d="{first}"/><path class="second" d="{second}"/><path class="zero" d="M0 {zero}H{width}"/>'
        '<path class="line" d="{line}"/><path class="now" d="" data-now /></svg>',
        width=_WIDTH, height=_HEIGHT, title=title, description=description, first=first, second=second, zero=zero, line=line,
    )  # fmt: skip


def graph_points(found: Splits) -> tuple[Floats, Floats]:
    most = float(np.max(np.abs(found.lead), initial=0.0)) or 1.0
    across = found.done / (float(found.done[-1]) or 1.0) * _WIDTH
    return across, _HEIGHT / 2 - found.lead / most * (_HEIGHT / 2 - _MARGIN)


def _path(across: Floats, down: Floats) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(across.tolist(), down.tolist(), strict=True))


def _area(across: Floats, down: Floats, zero: float) -> str:
    return f"{_path(across, down)}L{float(across[-1]):.1f} {zero}L0 {zero}z"
