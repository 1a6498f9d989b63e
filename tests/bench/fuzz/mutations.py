"""From valid files to hostile ones.  Input number ``i`` of a seed number is always the same bytes."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from analysis.limits import MAX_REPLAY_BYTES
from tests.bench.fuzz.seeds import SMALL_BYTES, Seed, heads

NOISE = "noise"
_MAX_BYTES = MAX_REPLAY_BYTES + 16
_CUT_EVERY = 4  # one input in so many is the next cut of a small file, until all have been cut at every byte
_BIG_ONE_IN = 400  # chance that a repetition fills the allowed size
_HEADER_BYTES = 300
_NUMBERS = (
    b"\xff", b"\xff\xff", b"\xff\xff\xff", b"\xff\xff\xff\xff", b"\xff" * 8, b"\0", b"\0\0", b"\0\0\0\0", b"\x7f\xff",
    b"\x80\0", b"\x7f\xff\xff\xff", b"\x80\0\0\0", b"\0\x0f\x42\x40", b"\x01", b"\0\x01", b"\0\0\0\x01", b"\x10\0\0\0",
)  # fmt: skip
_WORDS = (
    b"0", b"-1", b"255", b"256", b"65536", b"2147483648", b"-2147483649", b"99999999999999999999999", b"1e308", b"nan",
    b"inf", b"0x10", b"1_000", b"1.0000000000000000000001", "١٢".encode(), b"\xff\xfe", b"", b" ", b"9" * 900, b"0.00-1",
    b"+5", b"\0", b"24:60:60", b"30.2.2023", b"*" * 300, b"Width: 255\n", b"Board:\n", b"Events:\n", b"W255H255M65000|",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Hostile:
    """One input: its bytes, the format that it comes from, and how it was made."""

    number: int
    format: str
    way: str
    data: bytes


class Mill:
    """Makes inputs out of ``seeds``."""

    def __init__(self, seeds: Sequence[Seed], seed: int) -> None:
        self._seeds = tuple(seeds)
        self._seed = seed
        self._small = [one for one in self._seeds if len(one.data) <= SMALL_BYTES]
        self._cuts = [(one, at) for one in self._small for at in range(len(one.data))]
        random.Random(seed).shuffle(self._cuts)
        self._by_format = {
            name: [one for one in self._seeds if one.format == name] for name in sorted({s.format for s in self._seeds})
        }

    @property
    def cuts(self) -> int:
        """Number of inputs until every small file is cut at every byte: all cuts times :data:`_CUT_EVERY`."""
        return len(self._cuts) * _CUT_EVERY

    def make(self, number: int) -> Hostile:
        """Input ``number``, from 0."""
        turn, rest = divmod(number, _CUT_EVERY)
        if rest == 0 and turn < len(self._cuts):
            one, at = self._cuts[turn]
            return Hostile(number, one.format, f"{one.name} cut at {at}", one.data[:at])
        source = random.Random(f"{self._seed}/{number}")
        if source.random() < 0.08:
            return self._noise(number, source)
        one = self._choose(source)
        data, ways = bytearray(one.data), []
        for _ in range(source.choice((1, 1, 1, 2, 2, 3, 5))):
            way = source.choice(_WAYS)
            way(data, source, self._choose(source).data)
            ways.append(way.__name__.strip("_"))
        return Hostile(number, one.format, f"{one.name}: {', '.join(ways)}", bytes(data[:_MAX_BYTES]))

    def _choose(self, source: random.Random) -> Seed:
        """Each format as often; small files more often than large ones, for they cost less."""
        group = self._by_format[source.choice(list(self._by_format))]
        return min((source.choice(group) for _ in range(2)), key=lambda one: len(one.data))

    def _noise(self, number: int, source: random.Random) -> Hostile:
        noise = source.randbytes(source.choice((0, 1, 7, 60, 300, 4_000)))
        if source.random() < 0.3:
            return Hostile(number, NOISE, "noise", noise)
        one = self._choose(source)
        head = source.choice(heads(one.data))
        return Hostile(number, one.format, f"{len(head)} bytes of {one.name}, then noise", head + noise)


Way = Callable[[bytearray, random.Random, bytes], None]


def _place(data: bytearray, source: random.Random) -> int:
    """Any place, half of the time in the header."""
    end = len(data) if source.random() < 0.5 else min(len(data), _HEADER_BYTES)
    return source.randrange(end + 1)


def _span(data: bytearray, source: random.Random) -> tuple[int, int]:
    begin = _place(data, source)
    return begin, min(len(data), begin + source.choice((1, 2, 3, 8, 40, 500)))


def _flip_bits(data: bytearray, source: random.Random, _other: bytes) -> None:
    for _ in range(source.choice((1, 1, 2, 8)) if data else 0):
        data[min(_place(data, source), len(data) - 1)] ^= 1 << source.randrange(8)


def _write_number(data: bytearray, source: random.Random, _other: bytes) -> None:
    begin, number = _place(data, source), source.choice(_NUMBERS)
    data[begin : begin + len(number)] = number


def _write_word(data: bytearray, source: random.Random, _other: bytes) -> None:
    """Another word for a run of digits: text formats, and the texts inside binary ones."""
    begin = _place(data, source)
    while begin < len(data) and not 48 <= data[begin] <= 57:
        begin += 1
    end = begin
    while end < len(data) and 48 <= data[end] <= 57:
        end += 1
    data[begin:end] = source.choice(_WORDS)


def _write_byte(data: bytearray, source: random.Random, _other: bytes) -> None:
    begin = _place(data, source)
    data[begin : begin + 1] = bytes([source.randrange(256)])


def _cut(data: bytearray, source: random.Random, _other: bytes) -> None:
    del data[_place(data, source) :]


def _remove(data: bytearray, source: random.Random, _other: bytes) -> None:
    begin, end = _span(data, source)
    del data[begin:end]


def _insert_noise(data: bytearray, source: random.Random, _other: bytes) -> None:
    begin = _place(data, source)
    data[begin:begin] = source.randbytes(source.choice((1, 2, 5, 100)))


def _splice(data: bytearray, source: random.Random, other: bytes) -> None:
    """Our beginning with the end of another file."""
    data[_place(data, source) :] = other[source.randrange(len(other) + 1) :]


def _transplant(data: bytearray, source: random.Random, other: bytes) -> None:
    begin, end = _span(data, source)
    taken = source.randrange(len(other) + 1)
    data[begin:end] = other[taken : taken + source.choice((1, 4, 32, 400))]


def _repeat(data: bytearray, source: random.Random, _other: bytes) -> None:
    begin, end = _span(data, source)
    times = source.choice((2, 3, 50, 1_000))
    if source.random() < 1 / _BIG_ONE_IN:
        times = _MAX_BYTES // max(1, end - begin)
    room = max(0, _MAX_BYTES - len(data))
    data[begin:begin] = (data[begin:end] * times)[:room]


def _exchange(data: bytearray, source: random.Random, _other: bytes) -> None:
    (a, b), (c, d) = sorted((_span(data, source), _span(data, source)))
    if b <= c:
        data[a:d] = data[c:d] + data[b:c] + data[a:b]


_WAYS: tuple[Way, ...] = (
    _flip_bits, _flip_bits, _write_number, _write_number, _write_word, _write_byte, _cut, _remove, _insert_noise,
    _splice, _transplant, _repeat, _exchange,
)  # fmt: skip
