"""The encoding, with the examples of the document; and where the client has its knowledge from."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from tests.replays.play.stranger import wire
from tests.replays.play.stranger.board import deduce

HERE = Path(__file__).parent
DOCUMENT = HERE.parents[3] / "docs" / "play-protocol.md"
EXAMPLES = {
    "01 01 74 00 00 00": wire.Hello("t", 0, 0, b""),
    "08 07 e8 07": wire.Pong(7, 1000),
    "11 18 01 02 7b 7d": wire.New(24, 1, "{}"),
    "13 ac 02 02 05 01 05 90 03 00 02 00 00": wire.Input(300, (wire.Event(5, 1, -3, 200), wire.Event(0, 2, 0, 0))),
    "14": wire.Leave(),
    "21 01 81 7d 02": wire.Open(1, 16001, 2),
    "24 80 10 ff 01": wire.Cursor(2048, 255),
    "88 02 90 4e 0c": wire.Ping(2, 10000, 12),
    "8f 01 0b 74 69 63 6b 65 74 5f 75 73 65 64 00": wire.Error(True, "ticket_used", ""),
    "92 01 02 05 00 01 08": wire.Faces(1, (wire.Face(5, 0), wire.Face(1, 8))),
    "a2 01 09 02 03 01 0a 02 00 01 13 00 04 02 05 00": wire.Moves(
        1, 9, (wire.Move(3, 1, 10, (wire.Changed(0, 1), wire.Changed(-10, 0))), wire.Move(4, 2, 5, ()))
    ),
    "a3 01 07 03 00": wire.Answer(1, 7, 3, 0),
    "a6 01 01 02 03 e6 9d 8e 04 01 ac 02 00 01": wire.Players(1, (wire.PlayerRow(2, "李", 4, 1, 300, 0, True),)),
    "ab 03": wire.Here(3),
}


def test_the_client_knows_nothing_of_the_site() -> None:
    known = {*sys.stdlib_module_names, "websockets", "pytest"}
    for file in [one for one in HERE.glob("*.py") if one.name != "conftest.py"]:
        for node in ast.walk(ast.parse(file.read_text())):
            names = [one.name for one in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or "."] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                assert name.partition(".")[0] in known or name.startswith("tests.replays.play.stranger"), (file, name)


@pytest.mark.parametrize("frame", EXAMPLES)
def test_examples_of_the_document(frame: str) -> None:
    assert f"    {frame}  " in DOCUMENT.read_text()
    assert wire.encode(EXAMPLES[frame]) == bytes.fromhex(frame)
    assert wire.decode(bytes.fromhex(frame)) == EXAMPLES[frame]


@pytest.mark.parametrize(
    "frame", ["", "ab", "ab 83 00", "ab ff ff ff ff 7f", "ab 03 00", "8f 02 00 00", "92 01 02 05 00"]
)
def test_what_the_document_does_not_allow(frame: str) -> None:
    with pytest.raises(wire.BadMessage):
        wire.decode(bytes.fromhex(frame))


def test_an_unknown_type_is_passed_over() -> None:
    assert wire.decode(b"\xfe123") is None


def test_what_single_numbers_tell() -> None:
    assert deduce([1, 1, 10, 10], 1, 4) == (set(), {2})
    assert deduce([1, 10, 1, 10], 1, 4) == ({3}, {1})
