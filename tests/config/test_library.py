"""The examples of ``docs/library.md`` run as they are written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.replays.games import avf_file

PAGE = Path(__file__).resolve().parents[2] / "docs" / "library.md"


def test_the_examples_run_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "game.avf"
    file.write_bytes(avf_file())
    names: dict[str, object] = {"file": str(file)}
    printed = []
    for number, example in enumerate(re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)):
        exec(compile(example, f"example {number + 1}", "exec"), names)  # noqa: S102 - our own page
        printed.append(capsys.readouterr().out)
    assert printed[0].startswith("Ada Bot FL won")
    assert "0.333" in printed[1]
    assert "Fraction(1, 3)" in printed[1]
    assert "Scores(" in printed[3]
    assert all(printed)
