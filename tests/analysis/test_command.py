"""``python -m analysis``: every number of files, in four layouts."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from analysis import formats
from analysis.__main__ import main
from analysis.analyse import analyse
from analysis.formats import rawvf
from analysis.luck import luck_of
from analysis.recording import Level, Mode
from analysis.statistics import ANALYSED, LUCK
from tests.replays.games import avf_file, game_file, recording

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two games, one of them in a folder below, and a file that is no replay."""
    (tmp_path / "one.avf").write_bytes(avf_file(seed=1))
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "two.rawvf").write_bytes(game_file(seed=2, level=Level.EXPERT))
    (tmp_path / "readme.txt").write_text("Not a replay.", encoding="utf-8")
    return tmp_path


def test_json_has_the_analysed_numbers_by_their_public_names(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--format", "ndjson", "--luck", str(folder)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["file"] for line in lines] == [str(folder / "below" / "two.rawvf"), str(folder / "one.avf")]
    read = formats.read((folder / "below" / "two.rawvf").read_bytes())
    values = analyse(read).values | luck_of(read).values
    assert lines[0]["statistics"] == {row.public: values[row.name] for row in (*ANALYSED, *LUCK)}
    assert (lines[0]["level"], lines[0]["player"], lines[0]["result"]) == ("expert", "Ada Bot", "won")


def test_csv_has_the_same_numbers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["--format", "ndjson", "--rzini", str(folder)])
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    main(["--format", "csv", "--rzini", str(folder)])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    for row, of_json in zip(rows, objects, strict=True):
        for name, value in of_json["statistics"].items():
            assert row[name] == ("" if value is None else str(value)), name
        assert of_json["statistics"]["rzini"] >= 1


def test_the_table_names_every_statistic(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(folder / "one.avf")]) == 0
    words = {line.split(maxsplit=1)[0] for line in capsys.readouterr().out.splitlines() if line}
    assert words >= {row.public for row in ANALYSED} | {"player", "game_hash"}


def test_columns_of_arbiter(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other_rules = rawvf.write(replace(recording(seed=3), mode=Mode.NO_GUESS))
    (folder / "three.rawvf").write_bytes(other_rules)
    assert formats.read(other_rules).mode is Mode.NO_GUESS
    main(["--format", "arbiter", str(folder)])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["mode"] for row in rows] == ["3", "1"]
    values = analyse(formats.read(avf_file(seed=1))).values
    assert (rows[1]["Day"], rows[1]["Month"], rows[1]["Year"]) == ("4", "5", "2024")
    assert rows[1]["Time"] == f"{values['time']:.2f}"
    assert rows[1]["BBBV"] == str(values["bv"])
    assert rows[1]["Leff"] == str(values["lce"])
    assert sum(int(rows[1][f"cell{number}"]) for number in range(9)) == 8 * 8 - 10


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_printed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [str(folder / name) for name in ("readme.txt", "missing.avf", "one.avf")]
    assert main(["--format", "ndjson", *names]) == 1
    printed = capsys.readouterr()
    assert [json.loads(line)["file"] for line in printed.out.splitlines()] == [names[2]]
    assert [line.partition(": ")[0] for line in printed.err.splitlines()] == names[:2]


def test_a_name_is_no_formula_for_a_spreadsheet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "formula.rawvf").write_bytes(game_file(player="=HYPERLINK(1)"))
    main(["--format", "csv", str(tmp_path)])
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    assert row["player"] == "'=HYPERLINK(1)"


def test_it_runs_without_django(folder: Path) -> None:
    """Run the command in a process that cannot import the site's framework."""
    code = "import sys; sys.modules['django'] = None; from analysis.__main__ import main; sys.exit(main(sys.argv[1:]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder / "one.avf")], cwd=ROOT, capture_output=True, check=False, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
