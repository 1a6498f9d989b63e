"""Drawing a clip: every cell is copied as palette indices, so that a frame takes about a millisecond."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from analysis.film import Film
from analysis.film.moments import cursor_after, events_until, faces_after
from replays.watch.pictures.drawing import (
    CURSOR_INKS,
    caption_row,
    cell_size,
    draw_cursor,
    reduced,
    shown_faces,
    sprites,
)

#: Room of the board, px: an Expert board has cells of 16 px.
_BOARD: Final = (480, 400)
_LINE: Final = 24
_FRAME_MS: Final = 50
MOST_FRAMES: Final = 400
#: Pillow keeps the frames until it writes them, a byte a pixel: larger boards have fewer frames.
_MOST_PIXELS: Final = 40_000_000
#: The last frame stays so long before the clip begins again.
_REST_MS: Final = 1_000


def draw_clip(film: Film, from_ms: int, to_ms: int, line: str) -> bytes:
    """A GIF of the film from ``from_ms`` to ``to_ms`` after the opening, with ``line`` below; what follows the end is left out."""
    size = cell_size((film.board.rows, film.board.columns), _BOARD)
    width, height = film.board.columns * size, film.board.rows * size
    begin, end = min(from_ms, film.time_ms), min(to_ms, film.time_ms)
    most = max(1, min(MOST_FRAMES, _MOST_PIXELS // (width * height)))
    step = max(_FRAME_MS, 10 * -(-(end - begin) // (10 * most)))
    times = [*range(begin, end, step), end]
    text = caption_row(line, width, _LINE)
    frames = _frames(film, times, size, text)
    first = next(frames)
    out = io.BytesIO()
    first.save(
        out, "GIF", save_all=True, append_images=frames, duration=[step] * (len(times) - 1) + [_REST_MS], loop=0, optimize=False
    )  # fmt: skip
    return out.getvalue()


def _frames(film: Film, times: list[int], size: int, text: NDArray[np.uint8]) -> Iterator[Image.Image]:
    for time_ms in times:
        over = time_ms >= film.time_ms
        events = len(film.events) if over else events_until(film, time_ms)
        faces = shown_faces(faces_after(film, events), film.facts, over=over)
        board = Image.fromarray(np.vstack([_board(faces, size), text]))
        x, y = cursor_after(film, events)
        draw_cursor(board, x * size, y * size, max(size, 12), CURSOR_INKS)
        board.putpalette(_palette_bytes())
        yield board


def _board(faces: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    rows, columns = faces.shape
    return _index_sprites(size)[faces].swapaxes(1, 2).reshape(rows * size, columns * size)


@lru_cache(maxsize=64)
def _index_sprites(size: int) -> NDArray[np.uint8]:
    return np.stack([np.asarray(reduced(Image.fromarray(cell))) for cell in sprites(size)])


@lru_cache(maxsize=1)
def _palette_bytes() -> bytes:
    palette = reduced(Image.new("RGB", (1, 1))).getpalette() or []
    return bytes(palette)
