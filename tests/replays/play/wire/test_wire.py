"""The messages of live play: every value comes back, everything else is refused, and the description is true."""

from __future__ import annotations

import random
import re
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.live.live_game import KINDS as KINDS_OF_GAMES
from replays.play import wire
from replays.play.rooms import hub
from replays.play.solo.unranked_reasons import SENTENCES
from replays.play.wire.client_messages import CLIENT_KINDS
from replays.play.wire.message import Message, layout_of
from replays.play.wire.rows import EVENT_KINDS
from replays.play.wire.server_messages import SERVER_KINDS
from tests.effort import amount, examples
from tests.replays.play.wire.strategies import messages

DESCRIPTION = Path(__file__).parents[4] / "docs" / "play-protocol.md"
PLAY = DESCRIPTION.parents[1] / "replays" / "play"
KINDS = [*CLIENT_KINDS.values(), *SERVER_KINDS.values()]
EXAMPLES = re.findall(r"^    ((?:[0-9a-f]{2} )+) +(\w+\(.*\))$", DESCRIPTION.read_text(), re.MULTILINE)


def decode(data: bytes) -> Message:
    return wire.decode_client(data) if data[0] in CLIENT_KINDS else wire.decode_server(data)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(data=st.data())
def test_round_trip(kind: type[Message], data: st.DataObject) -> None:
    message = data.draw(messages(kind))
    coded = message.encode()
    assert coded[0] == kind.type_byte
    assert decode(coded) == message


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@settings(max_examples=examples(40))
@given(data=st.data())
def test_every_beginning_and_every_longer_message_is_refused(kind: type[Message], data: st.DataObject) -> None:
    coded = data.draw(messages(kind)).encode()
    for end in range(1, min(len(coded), 200)):
        with pytest.raises(wire.WireError):
            decode(coded[:end])
    with pytest.raises(wire.WireError):
        decode(coded + b"\0")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00",
        b"\xff",
        b"\x88\x01\x01\x01",  # of the server
        b"\x08\x80\x00\x01",  # padded
        b"\x08\xff\xff\xff\xff\x10\x01",  # 2**32 and more
        b"\x08\x80\x80\x80\x80\x80\x01\x01",  # six bytes
        b"\x08\x01" + b"\xff" * 7 + b"\x10",  # 2**53 and more
        b"\x08\x01" + b"\x80" * 9 + b"\x01",
        b"\x01\x02\xc3\x28\x00\x00\x00",  # no UTF-8
        b"\x01\x03\xed\xa0\x80\x00\x00\x00",  # half of a surrogate pair
        b"\x01\x00\x00\x00\x05abcde",  # a game of five bytes
        b"\x13\x01\x01\x00\x00\x00\x00",  # an event of kind 0
        b"\x13\x01\x01\x00\x0f\x00\x00",  # of kind 15
        b"\x13\x01\x01\x00\x08\x00\x00",  # of a kind that files have and hands do not
        b"\x13\x01\x01\x00\x0c\x00\x00",
        b"\x13\x01\xff\xff\xff\xff\x0f" + bytes(100),  # more events than bytes
        b"\x13\x01\x01\x00\x01\xff\xff\xff\xff\x0f\x00",  # -2**31
        b"\x01\xe9\x07" + b"t" * 1001 + b"\x00\x00\x00",  # a ticket that is too long
        wire.Input(1, (wire.Event(0, 1, 0, 0),) * 4100).encode(),  # more than 16 KiB
    ],
    ids=range(20),
)
def test_what_a_client_may_not_send(data: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode_client(data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x01\x00\x00\x00\x00",  # of a client
        b"\x92\x01\x00\x00\x02\x05\x00\x00\x00",  # the same cell twice
        b"\x92\x01\x00\x00\x01\x05\x0c",  # there is no face 12
        b"\x92\x01\x00\x00\x02\xff\xff\xff\xff\x0f\x00\x01\x00",  # a cell above 2**32
        b"\x8f\x02\x00\x00",  # neither true nor false
        b"\xa2\x01\x01\x01\x01\x05\x00\x00",  # there is no move 5
        b"\xa2\x01\x01\x01\x01\x01\x00\x01\x01\x00",  # a cell below 0
    ],
    ids=range(8),
)
def test_what_the_server_does_not_send(data: bytes) -> None:
    with pytest.raises(wire.WireError):
        wire.decode_server(data)


@pytest.mark.parametrize(
    "message",
    [
        wire.Pong(-1, 0),
        wire.Pong(2**32, 0),
        wire.Pong(0, 2**53),
        wire.Start(b"short"),
        wire.New(1, 1, "x" * 2001),
        wire.New(1, 1, "\ud800"),
        wire.Input(1, (wire.Event(0, 0, 0, 0),)),
        wire.Input(1, (wire.Event(0, 1, 2**31, 0),)),
        wire.Faces(1, (wire.Face(4, 0), wire.Face(3, 0))),
        wire.Faces(1, (wire.Face(4, 12),)),
        wire.Over(256, 0, False, "", bytes(32), bytes(16), 0, b"", 0, 0, 0, 0, 0),
        wire.History(1, 1, (wire.Move(1, 1, 1, (wire.Face(1, 1),)),)),
        wire.Moves(1, 1, (wire.Move(1, 9, 1),)),
    ],
    ids=range(13),
)
def test_values_that_do_not_fit_are_not_written(message: Message) -> None:
    with pytest.raises(wire.WireError):
        message.encode()


@pytest.mark.long(
    beside="tests/replays/play/wire/test_wire.py::test_every_beginning_and_every_longer_message_is_refused"
)
def test_damaged_messages_are_read_or_refused_in_bounded_memory() -> None:
    """Bytes changed, inserted, deleted and doubled, in both directions; whatever is read is written as it was."""
    random_ = random.Random(15)
    seeds = [bytes.fromhex(line) for line, _message in EXAMPLES]
    seeds.append(wire.Input(9, tuple(wire.Event(i, 1, i - 50, 50 - i) for i in range(100))).encode())
    seeds.append(wire.Snapshot(1, 2, wire.pack(bytes(500)), wire.pack(bytes(1000))).encode())
    read = refused = 0
    tracemalloc.start()
    for _ in range(amount(long=300_000, usual=20_000)):
        damaged = _damaged(random_, random_.choice(seeds))
        for decode_one in (wire.decode_client, wire.decode_server):
            try:
                message = decode_one(damaged)
            except wire.WireError:
                refused += 1
            else:
                read += 1
                assert message.encode() == damaged
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000
    assert min(read, refused) > 1_000


def _damaged(random_: random.Random, seed: bytes) -> bytes:
    data = bytearray(seed)
    for _ in range(random_.randint(1, 4)):
        at = random_.randrange(len(data) + 1)
        kind = random_.randrange(5)
        if kind == 0 and at < len(data):
            data[at] = random_.choice((0, 1, 0x7F, 0x80, 0xFF, random_.randrange(256)))
        elif kind == 1:
            data[at:at] = random_.randbytes(random_.randint(1, 9))
        elif kind == 2:
            del data[at : at + random_.randint(1, 5)]
        elif kind == 3:
            data[at:at] = data[at : at + random_.randint(1, 20)]
        elif at < len(data):
            data[at] ^= 1 << random_.randrange(8)
    return bytes(data)


def test_packed_cells_are_unpacked_to_exactly_their_size() -> None:
    cells = bytes(range(14)) * 100
    packed = wire.pack(cells)
    assert wire.unpack(packed, len(cells)) == cells
    bomb = wire.pack(bytes(50_000_000))
    for data, size in (
        (packed, 1399),
        (packed, 1401),
        (packed[:-3], 1400),
        (packed + b"x", 1400),
        (b"\xff", 1),
        (bomb, 9),
    ):
        tracemalloc.start()
        with pytest.raises(wire.WireError):
            wire.unpack(data, size)
        assert tracemalloc.get_traced_memory()[1] < 200_000
        tracemalloc.stop()


# --- the description ---


def test_the_description_names_every_field_of_every_message() -> None:
    rows = re.findall(r"^\| ([0-9A-F]{2}) \| (\w+) \| (.*) \|$", DESCRIPTION.read_text(), re.MULTILINE)
    assert rows == [
        (
            f"{kind.type_byte:02X}",
            kind.__name__,
            ", ".join(f"{name} {codec.word}" for name, codec in layout_of(kind)) or "-",
        )
        for kind in KINDS
    ]


def section(title: str) -> set[str]:
    """The codes in the first column of the tables below a heading of the description."""
    _before, _title, rest = DESCRIPTION.read_text().partition(f"\n### {title}\n")
    firsts = re.findall(r"^\| ([^|]+) \|", re.split(r"\n##+ ", rest)[0], re.MULTILINE)
    return {code for first in firsts for code in re.findall(r"`(\w+)`", first)}


def test_the_description_lists_every_reason() -> None:
    assert section("`Over.reason`") == set(SENTENCES)


def test_the_description_lists_every_code_of_an_error() -> None:
    said = re.compile(r"""(?:\.fail|\brefuse|\bRefused|_error|TicketError)\([^"\n]*"([a-z_]+)\"""")
    files = [file for folder in ("sockets", "solo", "rooms") for file in (PLAY / folder).rglob("*.py")]
    files = [file for file in files if "players.web.problems" not in file.read_text()]  # those refuse requests
    codes = {code for file in files for code in said.findall(file.read_text())}
    codes |= set(hub._REASONS)
    assert {"ticket_used", "no_game", "taken_over", "kicked"} <= codes
    assert section("`Error.code`") == codes


def test_events_are_those_that_a_game_records() -> None:
    assert EVENT_KINDS == KINDS_OF_GAMES


@pytest.mark.parametrize(("line", "text"), EXAMPLES, ids=[text.partition("(")[0] for _line, text in EXAMPLES])
def test_the_examples_of_the_description(line: str, text: str) -> None:
    message: Any = decode(bytes.fromhex(line))
    assert repr(message) == text
    assert message.encode() == bytes.fromhex(line)


def test_there_are_examples_of_both_directions() -> None:
    first_bytes = {bytes.fromhex(line)[0] for line, _text in EXAMPLES}
    assert first_bytes & set(CLIENT_KINDS)
    assert first_bytes & set(SERVER_KINDS)
