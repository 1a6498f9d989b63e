from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

from django.conf import settings

from replays.browse.data.tars import FOLDER, INDEX, Month, read_months
from replays.models import file_store

_NAME: Final = re.compile(r"\d{8}T\d{6}Z", re.ASCII)


def dumps_root() -> Path:
    root: Path = settings.DUMP_DIR
    return root


def dump_folders(root: Path) -> list[Path]:
    """Return the newest first."""
    if not root.is_dir():
        return []
    return sorted((path for path in root.iterdir() if _NAME.fullmatch(path.name)), reverse=True)


def dumps(root: Path) -> list[dict[str, Any]]:
    """Return the index of each dump, the newest first."""
    return [json.loads((path / INDEX).read_bytes()) for path in dump_folders(root)]


def months(root: Path) -> list[Month]:
    """Return the archives of replay files, the newest first."""
    return read_months(root / FOLDER)[::-1]


def digest_of_dumped(root: Path, folder: str, name: str) -> str | None:
    """Return the SHA-256 of the file ``name`` of a dump, or of the archives of replay files; None if they list no such file.

    No other file below ``root`` has an address.
    """
    index = root / folder / INDEX
    if not (folder == FOLDER or _NAME.fullmatch(folder)) or not index.is_file():
        return None
    if name == INDEX:
        return file_store.digest_of_file(index)
    if folder == FOLDER:
        found = read_months(index.parent)
        return {one.name: one.sha256 for one in found}.get(name) or {one.index: one.index_sha256 for one in found}.get(
            name
        )
    listed = json.loads(index.read_bytes())["files"]
    return {one["name"]: one["sha256"] for one in listed}.get(name)
