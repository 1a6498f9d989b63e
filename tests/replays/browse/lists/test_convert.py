"""``manage.py convert``: any format to RawVF, nothing lost on disk."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from analysis import formats
from analysis.analyse import analyse
from analysis.formats import rawvf
from analysis.limits import MAX_REPLAY_BYTES
from tests.bench.fuzz.seeds import own_seeds

SEEDS = {seed.name: seed.data for seed in own_seeds()}
AVF, EVFS = SEEDS["short avf"], SEEDS["short evfs"]


def convert(*paths: Path, **options: object) -> tuple[int, str, str]:
    """Exit status, output, errors."""
    out, err = StringIO(), StringIO()
    try:
        call_command("convert", *map(str, paths), stdout=out, stderr=err, **options)
    except SystemExit as ended:
        return int(ended.code or 0), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "a.avf").write_bytes(AVF)
    (tmp_path / "in" / "deep" / "b.mvf").write_bytes(SEEDS["short mvf 2007"])
    return tmp_path / "in"


def test_a_file_is_written_beside_itself(folder: Path) -> None:
    assert convert(folder / "a.avf") == (0, "1 written, 0 already there, 0 failed\n", "")
    assert (folder / "a.rawvf").read_bytes() == rawvf.write(formats.read(AVF))
    assert (folder / "a.avf").read_bytes() == AVF


def test_subfolders_are_created_below_the_output(folder: Path, tmp_path: Path) -> None:
    status, text, errors = convert(folder, output=tmp_path / "out", verbosity=2)
    assert (status, errors) == (0, "")
    assert f"{folder / 'a.avf'} -> {tmp_path / 'out' / 'a.rawvf'}" in text
    assert sorted(path.relative_to(tmp_path / "out") for path in (tmp_path / "out").rglob("*.rawvf")) == [
        Path("a.rawvf"),
        Path("deep/b.rawvf"),
    ]


def test_a_second_run_changes_nothing(folder: Path, tmp_path: Path) -> None:
    convert(folder, output=tmp_path / "out")
    assert convert(folder, output=tmp_path / "out") == (0, "0 written, 2 already there, 0 failed\n", "")


def test_a_file_that_differs_is_replaced_only_with_overwrite(folder: Path) -> None:
    (folder / "a.rawvf").write_text("mine")
    status, _text, errors = convert(folder / "a.avf")
    assert status == 1
    assert "exists with different content" in errors
    assert (folder / "a.rawvf").read_text() == "mine"
    assert convert(folder / "a.avf", overwrite=True)[0] == 0
    assert rawvf.recognises((folder / "a.rawvf").read_bytes())


def test_two_sources_never_share_a_target(folder: Path, tmp_path: Path) -> None:
    (folder / "a.mvf").write_bytes(SEEDS["short mvf 0.97"])
    status, text, errors = convert(folder, output=tmp_path / "out", overwrite=True)
    assert status == 1
    assert "2 written, 0 already there, 1 failed" in text
    assert "exists with different content" in errors


def test_an_unreadable_file_does_not_affect_others(folder: Path, tmp_path: Path) -> None:
    (folder / "c.avf").write_bytes(b"nonsense")
    (folder / "d.avf").write_bytes(b"")
    (folder / "e.avf").write_bytes(AVF[:100])
    (folder / "f.avf").write_bytes(bytes(MAX_REPLAY_BYTES + 1))
    status, text, errors = convert(folder, output=tmp_path / "out")
    assert (status, text) == (1, "2 written, 0 already there, 4 failed\n")
    assert len(errors.splitlines()) == 4
    for name, reason in (("c", "isn't a replay"), ("d", "empty"), ("e", "too early"), ("f", "limit")):
        assert any(f"{name}.avf: " in line and reason in line for line in errors.splitlines())


def test_a_set_becomes_numbered_files(tmp_path: Path) -> None:
    (tmp_path / "all.evfs").write_bytes(EVFS)
    assert convert(tmp_path / "all.evfs")[0] == 0
    made = sorted(tmp_path.glob("*.rawvf"))
    assert [path.name for path in made] == ["all-001.rawvf", "all-002.rawvf"]
    single = analyse(formats.read(SEEDS["short evf 4"]))
    assert analyse(formats.read(made[0].read_bytes())).values == single.values


def test_bad_arguments(tmp_path: Path, folder: Path) -> None:
    with pytest.raises(CommandError, match="does not exist"):
        convert(tmp_path / "nowhere")
    with pytest.raises(CommandError, match="is not a folder"):
        convert(folder, output=folder / "a.avf")
    (tmp_path / "empty").mkdir()
    assert convert(tmp_path / "empty")[0] == 1
