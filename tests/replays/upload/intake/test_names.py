from __future__ import annotations

import pytest

from replays.upload.intake.names import FALLBACK_FILE_NAME, file_name


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("game.avf", "game.avf"),
        ("王嘉宁.avf", "王嘉宁.avf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\games\\game.avf", "game.avf"),
        ("folder/", "folder"),
        ("a\x00b\r\n\x1b[31m.avf", "ab[31m.avf"),
        ("\u202efva.exe", "fva.exe"),
        ("bad\udc80.avf", "bad\ufffd.avf"),
        ("<script>alert(1)</script>.avf", "script>.avf"),
        ("", FALLBACK_FILE_NAME),
        ("..", FALLBACK_FILE_NAME),
        ("/", FALLBACK_FILE_NAME),
        ("\x00", FALLBACK_FILE_NAME),
    ],
)
def test_a_file_name_is_a_plain_name(raw: str, shown: str) -> None:
    assert file_name(raw) == shown


def test_a_long_file_name_is_cut_before_its_suffix() -> None:
    assert file_name("x" * 1000 + ".avf") == "x" * 251 + ".avf"
