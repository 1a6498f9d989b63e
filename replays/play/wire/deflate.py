"""Boards in messages are packed by raw deflate (RFC 1951), which browsers unpack with ``DecompressionStream``."""

from __future__ import annotations

import zlib

from replays.play.wire.codecs import WireError


def pack(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(data) + packer.flush()


def unpack(packed: bytes, size: int) -> bytes:
    """The ``size`` bytes that were packed; no more memory than that is used.  Raises ``WireError``."""
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        data = unpacker.decompress(packed, size + 1)
    except zlib.error as error:
        raise WireError("the cells cannot be unpacked") from error
    if len(data) != size or not unpacker.eof or unpacker.unused_data:
        raise WireError("the cells do not fit the board")
    return data
