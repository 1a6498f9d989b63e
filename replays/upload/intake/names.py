"""Names of uploaded files, without direction overrides, which make ``gpj.exe`` look like ``exe.jpg``."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Final

from players.db.text import storable_text
from players.models import MAX_NAME_CHARS

FALLBACK_FILE_NAME = "replay"
_DIRECTION_OVERRIDES = frozenset("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_MAX_SUFFIX_CHARS = 16

#: Paths of files that macOS, Windows or a NAS puts into folders and archives.  The page's script uses it, too.
SYSTEM_FILE: Final = (
    r"(^|[/\\])((__MACOSX|\.Spotlight-V100|\.Trashes|\.fseventsd|\$RECYCLE\.BIN|@eaDir)[/\\]|"
    r"(\._[^/\\]*|\.DS_Store|\.localized|Thumbs\.db|ehthumbs(_vista)?\.db|desktop\.ini)$)"
)
_IS_SYSTEM_FILE: Final = re.compile(SYSTEM_FILE, re.IGNORECASE)


def is_system_file(path: str) -> bool:
    """Return whether the name says that an operating system, and no player, made the file."""
    return _IS_SYSTEM_FILE.search(path) is not None


def file_name(raw: str) -> str:
    """The last component of the path ``raw`` as a name to show; never empty."""
    last = raw.replace("\\", "/").rstrip("/").rpartition("/")[2]
    name = storable_text("".join(char for char in last if char not in _DIRECTION_OVERRIDES), limit=len(last))
    if name.strip(". ") == "":
        return FALLBACK_FILE_NAME
    return _cut(name)


def _cut(name: str) -> str:
    """``name`` cut to ``MAX_NAME_CHARS``, with its suffix."""
    if len(name) <= MAX_NAME_CHARS:
        return name
    suffix = PurePosixPath(name).suffix[:_MAX_SUFFIX_CHARS]
    return name[: MAX_NAME_CHARS - len(suffix)] + suffix
