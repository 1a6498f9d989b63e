"""Layers of large boards: a rectangle in the colour of the style sheet, seen through a picture of one bit a pixel.

A path has ten bytes and more for each cell that it fills; such a picture has less than one, whatever the board is, and
as many cells as there are pixels.
"""

from __future__ import annotations

import struct
import zlib
from base64 import b64encode

import numpy as np
from django.utils.html import format_html
from django.utils.safestring import SafeString
from numpy.typing import NDArray

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_GREY, _ONE_BIT = 0, 1
#: Pixels of a cell in each direction, where only the one in the middle is filled.
_FINE = 3


def masked(name: str, cells: NDArray[np.bool_]) -> SafeString:
    """The area of ``cells`` in the colour of the CSS class ``name``; nothing without cells."""
    return _masked(name, cells, cells.shape)


def masked_dots(name: str, cells: NDArray[np.bool_]) -> SafeString:
    fine = np.zeros((cells.shape[0] * _FINE, cells.shape[1] * _FINE), np.bool_)
    fine[_FINE // 2 :: _FINE, _FINE // 2 :: _FINE] = cells
    return _masked(name, fine, cells.shape)


def _masked(name: str, pixels: NDArray[np.bool_], shape: tuple[int, ...]) -> SafeString:
    if not pixels.any():
        return SafeString("")
    return format_html(
        '<mask id="board-{id}"><image width="{width}" height="{height}" preserveAspectRatio="none"'
        ' image-rendering="pixelated" href="data:image/png;base64,{data}"/></mask>'
        '<path class="{name}" mask="url(#board-{id})" d="M0 0h{width}v{height}h-{width}z"/>',
        id=name.replace(" ", "-"), name=name, width=shape[1], height=shape[0], data=b64encode(png(pixels)).decode(),
    )  # fmt: skip


def png(pixels: NDArray[np.bool_]) -> bytes:
    """A PNG picture (ISO/IEC 15948) of one bit a pixel, white where ``pixels`` is true, else black."""
    height, width = pixels.shape
    lines = np.pad(np.packbits(pixels, axis=1), ((0, 0), (1, 0)))  # before each line the number of its filter: none
    header = struct.pack(">2L5B", width, height, _ONE_BIT, _GREY, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b""))
    return _SIGNATURE + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">L", len(data)) + kind + data + struct.pack(">L", zlib.crc32(kind + data))
