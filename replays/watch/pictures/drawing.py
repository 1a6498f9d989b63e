"""Drawing with Pillow: the cells of a board, the card of a replay, the picture of a moment.

Cells are drawn once for a size and then copied as arrays, so that a picture takes the same time whatever the board shows.
Pictures are the same for everybody, so their words are English; only what the font can draw is written.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Final

import font_roboto
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageColor, ImageDraw, ImageFont

from analysis.board import MINE, BoardFacts
from players.web.share import CARD_SIZE

#: The largest board in the picture of a moment, px.
_MOMENT_SIZE: Final = (1200, 1000)
_CAPTION: Final = 44
_CARD_BOARD: Final = (720, 550)
_CARD_MARGIN: Final = 40
_CELL_SIZES: Final = range(3, 65)
#: Smaller cells have no digits, only colours.
_LEAST_WITH_DIGITS: Final = 9
#: Cells are drawn so many times larger and then reduced, which makes their edges smooth.
_OVERSIZE: Final = 4

#: What a cell is drawn as: 0 to 8 a number, ``MINE`` a mine, and these.
CLOSED, FLAG, QUESTION, WRONG_FLAG, HIT_MINE = 10, 11, 12, 13, 14
_FACES: Final = 15
_FACE_OF_FILM: Final = np.array([CLOSED, FLAG, QUESTION, 0], np.uint8)
_OPEN_IN_FILM: Final = 3

_BACKGROUND, _TEXT, _SOFT, _ACCENT = "#f4f5f7", "#151a22", "#465061", "#2450d0"
_OPEN_COLOUR, _CLOSED_COLOUR, _LINE_COLOUR, _DARK, _RED = "#f7f8fa", "#cfd5de", "#c3cad4", "#1d222b", "#c9331f"
_NUMBERS: Final = ("", "#2450d0", "#1a7738", "#c9331f", "#2b2f8f", "#8a2a20", "#14747b", "#1d222b", "#76808d")
#: The 16 colours of a picture, so that a pixel takes 4 bits: those above that differ enough, and what smooth edges of
#: texts and of the commonest numbers have between them and the ground.
_COLOURS: Final = (
    _OPEN_COLOUR, _CLOSED_COLOUR, _LINE_COLOUR, _DARK, _SOFT, *_NUMBERS[1:7],
    "#8ea4e4", "#88b898", "#e0968c", "#818892", "#bcc0c8",
)  # fmt: skip


def shown_faces(film_faces: NDArray[np.uint8], facts: BoardFacts, *, over: bool) -> NDArray[np.uint8]:
    """Compute the face to draw for each cell of ``film_faces`` (0 closed, 1 flag, 2 question mark, 3 open).

    ``over``: the game has ended, so its mines are shown; flags are those that the player set, after a win too.
    """
    faces = _FACE_OF_FILM[film_faces]
    opened = film_faces == _OPEN_IN_FILM
    faces[opened] = facts.numbers[opened]
    mines = facts.numbers == MINE
    faces[opened & mines] = HIT_MINE
    if over:
        faces[(film_faces == 1) & ~mines] = WRONG_FLAG
        faces[mines & ~opened & (film_faces != 1)] = MINE
    return faces


def draw_moment(faces: NDArray[np.uint8], cursor: tuple[float, float] | None, caption: str) -> bytes:
    """A PNG of the board with the cursor at a point (in cells) and a line below."""
    size = cell_size(faces.shape, _MOMENT_SIZE)
    board = _board(faces, size)
    if cursor is not None:
        draw_cursor(board, cursor[0] * size, cursor[1] * size, max(size, 12))
    image = Image.new("RGB", (max(board.width, 320), board.height + _CAPTION), _BACKGROUND)
    image.paste(board, ((image.width - board.width) // 2, 0))
    font = _font(20)
    text = _fitting(caption, font, image.width - 24)
    ImageDraw.Draw(image).text((12, board.height + _CAPTION // 2), text, font=font, fill=_SOFT, anchor="lm")
    return _png(image)


def draw_card(faces: NDArray[np.uint8], *, title: str, name: str, large: str, lines: Iterable[str]) -> bytes:
    """A PNG of ``CARD_SIZE``: the board on the right; on the left the title, the name, a large number, lines below.

    A name with a character that the font lacks is left out.
    """
    image = Image.new("RGB", CARD_SIZE, _BACKGROUND)
    board = _board(faces, cell_size(faces.shape, _CARD_BOARD))
    left = CARD_SIZE[0] - _CARD_MARGIN - _CARD_BOARD[0]
    image.paste(board, (left + (_CARD_BOARD[0] - board.width) // 2, (CARD_SIZE[1] - board.height) // 2))
    pen = ImageDraw.Draw(image)
    width = left - 2 * _CARD_MARGIN
    shown_name = name if is_drawable(name) else ""
    place = 70
    for text, px, colour, room in (
        ("Sweepbook", 34, _ACCENT, 66), (title, 34, _SOFT, 60), (shown_name, 44, _TEXT, 84), (large, 84, _TEXT, 120),
        *((line, 32, _SOFT, 48) for line in lines),
    ):  # fmt: skip
        if text:
            pen.text((_CARD_MARGIN, place), _fitting(text, _font(px), width), font=_font(px), fill=colour, anchor="lt")
            place += room
    return _png(image)


def is_drawable(text: str) -> bool:
    """Return whether the font has every character of ``text``; it draws the same box for each missing one."""
    font = _font(32)
    missing = bytes(font.getmask("\U0010ffff"))
    return all(char.isprintable() and bytes(font.getmask(char)) != missing for char in text)


def _fitting(text: str, font: ImageFont.FreeTypeFont, width: float) -> str:
    """``text``, cut at its end so that it is at most ``width`` px wide."""
    if font.getlength(text) <= width:
        return text
    while text and font.getlength(f"{text}...") > width:
        text = text[:-1]
    return f"{text}..."


@lru_cache(maxsize=16)
def _font(px: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(font_roboto.RobotoMedium, px)


def _png(image: Image.Image) -> bytes:
    out = io.BytesIO()
    reduced(image).save(out, "PNG", optimize=True, bits=4)
    return out.getvalue()


def reduced(image: Image.Image) -> Image.Image:
    """The picture in the 16 colours, as indices of the palette."""
    return image.quantize(palette=_palette(), dither=Image.Dither.NONE)


def caption_row(text: str, width: int, height: int) -> NDArray[np.uint8]:
    """A line of small text on the ground of a picture, as indices of the palette."""
    image = Image.new("RGB", (width, height), _OPEN_COLOUR)
    font = _font(13)
    ImageDraw.Draw(image).text((6, height // 2), _fitting(text, font, width - 12), font=font, fill=_DARK, anchor="lm")
    return np.asarray(reduced(image))


@lru_cache(maxsize=1)
def _palette() -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in _COLOURS for part in ImageColor.getrgb(colour)])
    return image


# --- the board --------------------------------------------------------------------------------------------------------


def cell_size(shape: tuple[int, ...], room: tuple[int, int]) -> int:
    """The largest size of cells, px, with which a board of (rows, columns) fits into ``room``."""
    rows, columns = shape
    size: int = min(room[0] // columns, room[1] // rows)
    return min(max(size, _CELL_SIZES[0]), _CELL_SIZES[-1])


def _board(faces: NDArray[np.uint8], size: int) -> Image.Image:
    rows, columns = faces.shape
    cells = sprites(size)[faces]  # row, column, y, x, colour
    pixels = cells.swapaxes(1, 2).reshape(rows * size, columns * size, 3)
    return Image.fromarray(np.ascontiguousarray(pixels))


@lru_cache(maxsize=len(_CELL_SIZES))
def sprites(size: int) -> NDArray[np.uint8]:
    """Every face, shape (faces, size, size, 3)."""
    return np.stack([np.asarray(_cell(face, size)) for face in range(_FACES)])


def _cell(face: int, size: int) -> Image.Image:
    side = size * _OVERSIZE
    is_open = face <= MINE or face == HIT_MINE
    ground = _RED if face == HIT_MINE else _OPEN_COLOUR if is_open else _CLOSED_COLOUR
    image = Image.new("RGB", (side, side), ground)
    pen = ImageDraw.Draw(image)
    if size < _LEAST_WITH_DIGITS:
        colour = _small_colour(face)
        if colour:
            pen.rectangle((side // 4, side // 4, 3 * side // 4, 3 * side // 4), fill=colour)
        return image.resize((size, size), Image.Resampling.BOX)
    pen.rectangle((0, 0, side - 1, side - 1), outline=_LINE_COLOUR, width=_OVERSIZE // 2)
    middle = side / 2
    if 1 <= face < len(_NUMBERS):
        pen.text((middle, middle), str(face), font=_font(round(side * 0.72)), fill=_NUMBERS[face], anchor="mm")
    elif face == QUESTION:
        pen.text((middle, middle), "?", font=_font(round(side * 0.72)), fill=_TEXT, anchor="mm")
    elif face in (MINE, HIT_MINE):
        pen.ellipse((side * 0.25, side * 0.25, side * 0.75, side * 0.75), fill=_DARK)
        for across, down in ((0.12, 0), (0, 0.12)):
            pen.line((side * (0.5 - 3 * across), side * (0.5 - 3 * down), side * (0.5 + 3 * across), side * (0.5 + 3 * down)), fill=_DARK, width=side // 10)  # fmt: skip
    elif face in (FLAG, WRONG_FLAG):
        pen.line((side * 0.42, side * 0.2, side * 0.42, side * 0.8), fill=_DARK, width=max(1, side // 14))
        pen.polygon(((side * 0.42, side * 0.2), (side * 0.78, side * 0.36), (side * 0.42, side * 0.52)), fill=_RED)
        if face == WRONG_FLAG:
            for top, bottom in ((0.15, 0.85), (0.85, 0.15)):
                pen.line((side * 0.15, side * top, side * 0.85, side * bottom), fill=_DARK, width=max(1, side // 14))
    return image.resize((size, size), Image.Resampling.LANCZOS)


def _small_colour(face: int) -> str:
    if face < len(_NUMBERS):
        return _NUMBERS[face]
    return {MINE: _DARK, HIT_MINE: _DARK, FLAG: _RED, WRONG_FLAG: _DARK, QUESTION: _TEXT}.get(face, "")


#: The outline of the cursor, in twentieths of its size.
_CURSOR: Final = ((0, 0), (0, 15), (3.6, 11.8), (6.2, 17.4), (8.8, 16.2), (6.2, 10.8), (11, 10.8))


#: Ink and outline of the cursor: as colours, and as indices of the palette.
_INKS: Final = (_DARK, "#ffffff")
CURSOR_INKS: Final = (_COLOURS.index(_DARK), _COLOURS.index(_OPEN_COLOUR))


def draw_cursor(
    image: Image.Image, x: float, y: float, size: float, inks: tuple[str, str] | tuple[int, int] = _INKS
) -> None:  # fmt: skip
    points = [(x + across * size / 20, y + down * size / 20) for across, down in _CURSOR]
    pen = ImageDraw.Draw(image)
    pen.polygon(points, fill=inks[0])
    for one, other in pairwise([*points, points[0]]):
        pen.line((one, other), fill=inks[1], width=2)
