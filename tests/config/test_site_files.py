"""The sockets of `make run`: in private folders, by paths that follow from DATA_DIR alone."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from config.site import files


@pytest.fixture
def links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that everybody may write into."""
    folder = tmp_path / "links"
    folder.mkdir()
    monkeypatch.setattr(files, "_LINKS", folder)
    return folder


def sockets_of(data_dir: Path) -> list[Path]:
    return [files.broker_socket(data_dir), files.database_socket_folder(data_dir) / files.DATABASE_SOCKET]


def test_sockets_are_in_the_folders_of_their_servers(links: Path) -> None:
    data_dir = Path("/srv/sweepbook/var")
    assert [path.parent for path in sockets_of(data_dir)] == [data_dir / "broker", data_dir / "database"]


@pytest.mark.parametrize("name", ["d" * 80, "with space", "one,two", "50%", "why?", "雷"])
def test_a_long_or_odd_path_is_reached_by_a_link(name: str, tmp_path: Path, links: Path) -> None:
    data_dir = tmp_path / name / "var"
    files.prepare(data_dir)
    for path, folder in zip(sockets_of(data_dir), ("broker", "database"), strict=True):
        assert path.parent.parent == links
        assert path.parent.readlink() == data_dir / folder
    files.prepare(data_dir)
    assert len(list(links.iterdir())) == 2
    assert stat.S_IMODE((data_dir / "broker").stat().st_mode) == 0o700


def test_no_folder_has_the_sockets_of_another(tmp_path: Path, links: Path) -> None:
    folders = [Path("/srv/a/var"), Path("/srv/b/var"), tmp_path / ("d" * 80), tmp_path / ("e" * 80)]
    assert len({path for data_dir in folders for path in sockets_of(data_dir)}) == 2 * len(folders)


def test_a_link_of_somebody_else_is_refused(tmp_path: Path, links: Path) -> None:
    """Whoever else may write into the folder could lead the site to a database of their own."""
    data_dir, theirs = tmp_path / ("d" * 80), tmp_path / "theirs"
    theirs.mkdir()
    link = files.database_socket_folder(data_dir)
    link.symlink_to(theirs)
    with pytest.raises(FileExistsError, match="in the way"):
        files.prepare(data_dir)
    link.unlink()
    link.mkdir()
    with pytest.raises(FileExistsError, match="in the way"):
        files.prepare(data_dir)
    link.rmdir()
    files.prepare(data_dir)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a link away")
def test_a_right_link_of_somebody_else_is_refused_too(tmp_path: Path, links: Path) -> None:
    """They could change it later."""
    data_dir = tmp_path / ("d" * 80)
    files.prepare(data_dir)
    os.chown(files.database_socket_folder(data_dir), 65534, 65534, follow_symlinks=False)
    with pytest.raises(FileExistsError, match="in the way"):
        files.prepare(data_dir)


def test_a_socket_without_a_server_is_not_listened_to(tmp_path: Path) -> None:
    assert not files.listens(tmp_path / "missing")
    (tmp_path / "file").touch()
    assert not files.listens(tmp_path / "file")
