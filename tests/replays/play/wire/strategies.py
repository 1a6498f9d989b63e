"""Messages with any values that fit."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from replays.play import wire
from replays.play.wire.codecs import Blob, Byte, Codec, Fixed, Flag, Rows, Sint, Text, Uint
from replays.play.wire.message import Message, layout_of
from replays.play.wire.rows import EVENT_KINDS, Events, MoveRows, RisingFaces

_UINTS = st.integers(0, 200) | st.integers(0, 2**32 - 1)
_SINTS = st.integers(-100, 100) | st.integers(-(2**31) + 1, 2**31 - 1)
_FACES = st.sampled_from((*range(9), wire.FACE_BLAST, wire.FACE_CLOSED, wire.FACE_FLAG, wire.FACE_QUESTION))
_CELLS = st.builds(wire.Face, st.integers(0, 250_000), _FACES)
_KINDS = st.integers(1, 4)


def messages(kind: type[Message]) -> st.SearchStrategy[Any]:
    """Messages of ``kind``."""
    fields = {name: values(codec) for name, codec in layout_of(kind)}
    if kind is wire.Hello:
        fields["game"] = st.just(b"") | st.binary(min_size=16, max_size=16)
    return st.builds(kind, **fields)


def values(codec: Codec) -> st.SearchStrategy[Any]:
    """Return a strategy for the values that ``codec`` writes."""
    if isinstance(codec, Uint):
        return st.integers(0, 200) | st.integers(0, codec.most)
    if isinstance(codec, Byte):
        return st.integers(codec.least, codec.most)
    if isinstance(codec, Text):
        # A character of UTF-8 has at most four bytes.
        return st.text(st.characters(codec="utf-8"), max_size=codec.most // 4)
    if isinstance(codec, Blob):
        return st.binary(max_size=min(codec.most, 300))
    if isinstance(codec, Rows):
        return st.lists(st.builds(codec.row, *map(values, codec.codecs)), max_size=20).map(tuple)
    return _others(codec)


def _others(codec: Codec) -> st.SearchStrategy[Any]:
    if isinstance(codec, Flag):
        return st.booleans()
    if isinstance(codec, Fixed):
        return st.binary(min_size=codec.smallest, max_size=codec.smallest)
    if isinstance(codec, Sint):
        return _SINTS
    if isinstance(codec, Events):
        kinds = st.sampled_from(sorted(EVENT_KINDS))
        return st.lists(st.builds(wire.Event, _UINTS, kinds, _SINTS, _SINTS), max_size=40).map(tuple)
    if isinstance(codec, RisingFaces):
        return st.lists(_CELLS, max_size=40, unique_by=lambda face: face.cell).map(sorted).map(tuple)
    assert isinstance(codec, MoveRows)
    opened = st.lists(_CELLS, max_size=20).map(tuple) if codec.opened else st.just(())
    return st.lists(
        st.builds(wire.Move, _UINTS, _KINDS, _UINTS.map(lambda cell: cell % 250_000), opened), max_size=20
    ).map(tuple)
