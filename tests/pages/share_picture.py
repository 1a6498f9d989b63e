"""Draw the picture of links to pages that have no game to show: ``python -m tests.pages.share_picture``."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import font_roboto
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from analysis.board import board_facts
from analysis.recording import Board
from players.web.share import CARD_SIZE
from replays.watch.pictures.drawing import FLAG, sprites

STATIC: Final = Path(__file__).resolve().parents[2] / "players/static/app"
PICTURE: Final = STATIC / "share.png"
_COLOURS: Final = 64
_GROUND, _TEXT, _SOFT = "#f4f5f7", "#151a22", "#465061"
_LOGO, _LEFT, _TOP = 208, 96, 132
_CELL: Final = 60
#: The two rows of cells at the lower edge, a board that was won with flags: "*" is a mine.
_BOARD: Final = ("....*......*..**....", "..*...*......*....*.")


def main() -> None:
    """Write the picture with the logo, the name and what the site is."""
    image = Image.new("RGB", CARD_SIZE, _GROUND)
    image.paste(_logo(), (_LEFT, _TOP), _rounded())
    pen = ImageDraw.Draw(image)
    for text, px, colour, place in (
        ("Sweepbook", 128, _TEXT, _TOP + 66),
        ("Minesweeper replays and leaderboards", 42, _SOFT, _TOP + 172),
    ):
        font = ImageFont.truetype(font_roboto.RobotoMedium, px)
        pen.text((_LEFT + _LOGO + 56, place), text, font=font, fill=colour, anchor="lm")
    image.paste(_cells(), (0, CARD_SIZE[1] - 2 * _CELL))
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


def _logo() -> Image.Image:
    return Image.open(STATIC / "icon-512.png").convert("RGB").resize((_LOGO, _LOGO), Image.Resampling.LANCZOS)


def _rounded() -> Image.Image:
    """The shape of the logo: a square with the corners of ``logo.svg``."""
    mask = Image.new("L", (4 * _LOGO, 4 * _LOGO))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, 4 * _LOGO - 1, 4 * _LOGO - 1), 4 * _LOGO * 7 // 32, fill=255)
    return mask.resize((_LOGO, _LOGO), Image.Resampling.LANCZOS)


def _cells() -> Image.Image:
    mines = np.array([[cell == "*" for cell in row] for row in _BOARD], np.uint8)
    faces = np.where(mines, FLAG, board_facts(Board(mines)).numbers)
    cells = sprites(_CELL)[faces].swapaxes(1, 2)
    return Image.fromarray(cells.reshape(2 * _CELL, -1, 3))


if __name__ == "__main__":
    main()
