"""The page of a replay on the largest board: small, drawn with pictures, cached."""

from __future__ import annotations

import io
import struct
import xml.etree.ElementTree as ElementTree
import zlib
from base64 import b64decode
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.test import Client
from numpy.typing import NDArray

from analysis.board import MINE, BoardFacts, board_facts
from analysis.limits import MAX_SIDE
from analysis.recording import Board
from replays.browse.lists import replay_page
from replays.models import Replay
from replays.watch.film.board_masks import png
from replays.watch.film.board_svg import LARGE_CELLS, board_svg, board_text
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import largest_game

MAX_PAGE_BYTES = 300_000


def pixels_of(data: bytes) -> NDArray[np.bool_]:
    """The pixels of a PNG of one bit a pixel without filters, whose checksums are verified."""
    stream = io.BytesIO(data)
    assert stream.read(8) == b"\x89PNG\r\n\x1a\n"
    chunks = {}
    while head := stream.read(8):
        size, kind = struct.unpack(">L4s", head)
        content = stream.read(size)
        assert stream.read(4) == struct.pack(">L", zlib.crc32(kind + content))
        chunks[kind] = content
    width, height = struct.unpack(">2L", chunks[b"IHDR"][:8])
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not lines[:, 0].any()
    return np.unpackbits(lines[:, 1:], axis=1, count=width).astype(np.bool_)


def facts_of(seed: int, density: float, shape: tuple[int, int] = (MAX_SIDE, MAX_SIDE)) -> BoardFacts:
    return board_facts(Board((np.random.default_rng(seed).random(shape) < density).astype(np.uint8)))


@pytest.mark.parametrize("shape", [(1, 1), (3, 8), (7, 9), (255, 255)])
def test_a_picture_has_the_pixels(shape: tuple[int, int]) -> None:
    pixels = np.random.default_rng(1).random(shape) < 0.5
    assert np.array_equal(pixels_of(png(pixels)), pixels)


def test_the_drawing_shows_every_cell() -> None:
    """Each mask, reduced to a pixel a cell, is the cells of its kind."""
    facts = facts_of(1, 0.2, (64, 65))
    drawing = ElementTree.fromstring(board_svg(facts, "title", "description"))  # noqa: S314 - our own
    masks = {}
    for mask in drawing.iter("mask"):
        data = mask[0].attrib["href"].removeprefix("data:image/png;base64,")
        pixels = pixels_of(b64decode(data))
        step = pixels.shape[0] // 64
        assert pixels.shape == (64 * step, 65 * step)
        masks[mask.attrib["id"]] = pixels[step // 2 :: step, step // 2 :: step]
    for number in range(1, 9):
        cells = facts.numbers == number
        assert np.array_equal(masks.get(f"board-t{number}", np.zeros_like(cells)), cells)
    assert np.array_equal(masks["board-closed"], facts.numbers == MINE)
    assert np.array_equal(masks["board-mine"], facts.numbers == MINE)
    assert np.array_equal(masks["board-island"], facts.island_id > 0)
    openings = sum(masks[f"board-o{number}"].astype(int) for number in range(1, 7))
    assert np.array_equal(openings, (facts.opening_id > 0).astype(int))
    assert drawing.attrib["aria-label"] == "title. description"
    used = {path.attrib["mask"] for path in drawing.iter("path") if "mask" in path.attrib}
    assert used == {f"url(#{name})" for name in masks}


@pytest.mark.parametrize("density", [0.0, 0.02, 0.1, 0.2, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("shape", [(255, 255), (50, 50), (10, 250)])
def test_no_board_is_large_in_bytes(shape: tuple[int, int], density: float) -> None:
    facts = facts_of(1, density, shape)
    assert len(board_svg(facts, "", "")) + len(board_text(facts)) < MAX_PAGE_BYTES - 70_000


def test_digits_are_drawn_up_to_the_limit() -> None:
    assert "<text" in board_svg(facts_of(1, 0.2, (LARGE_CELLS // 50, 50)), "", "")
    assert "<text" not in board_svg(facts_of(1, 0.2, (LARGE_CELLS // 50 + 1, 50)), "", "")


@pytest.mark.django_db
def test_the_page_of_the_largest_board(ingest: Ingest, client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    row = ingest(largest_game())
    assert row.status == Replay.Status.DONE, row.reject_params
    first = client.get(row.get_absolute_url())
    assert first.status_code == 200
    assert len(first.content) <= MAX_PAGE_BYTES
    page = Document(first.content.decode())
    assert board_text(board_facts(row.board_object())) in "".join(page.words)

    def drawn_again(*_arguments: Any) -> Any:
        raise AssertionError("the board is not cached")

    monkeypatch.setattr(replay_page, "board_svg", drawn_again)
    assert client.get(row.get_absolute_url()).status_code == 200
    cache.clear()
    with pytest.raises(AssertionError):
        client.get(row.get_absolute_url())


@pytest.mark.django_db
def test_probabilities_of_the_largest_board_are_not_computed(ingest: Ingest, client: Client) -> None:
    row = ingest(largest_game())
    body = client.get(f"/api/v1/replays/{row.pk}/position/?event=1").json()
    assert (body["too_wide"], body["mine"]) == (True, None)
    assert len(body["rows"]) == MAX_SIDE
