"""The base of all messages: the layout is read from the annotations of a dataclass, in their order."""

from __future__ import annotations

from dataclasses import fields
from typing import ClassVar, Self, get_type_hints

from replays.play.wire.codecs import Codec, Reader, refuse


class Message:
    """A message; ``type_byte`` is its first byte.  Each field is annotated with its type and its codec."""

    __slots__ = ()
    type_byte: ClassVar[int]

    def encode(self) -> bytes:
        """Its bytes; raises ``WireError`` if a value does not fit."""
        out = bytearray((self.type_byte,))
        for name, codec in layout_of(type(self)):
            codec.write(out, getattr(self, name))
        return bytes(out)

    @classmethod
    def read(cls, data: bytes) -> Self:
        """The message that ``data`` is, all of it; its first byte has been looked at."""
        reader = Reader(data, 1)
        found = cls(*[codec.read(reader) for _name, codec in layout_of(cls)])
        if reader.at != reader.length:
            refuse("the message is too long")
        return found


_layouts: dict[type[Message], tuple[tuple[str, Codec], ...]] = {}


def layout_of(kind: type[Message]) -> tuple[tuple[str, Codec], ...]:
    """The fields of a message with their codecs, in the order of the bytes."""
    found = _layouts.get(kind)
    if found is None:
        hints = get_type_hints(kind, include_extras=True)
        found = tuple((field.name, hints[field.name].__metadata__[0]) for field in fields(kind))  # type: ignore[arg-type]  # each message is a dataclass
        _layouts[kind] = found
    return found
