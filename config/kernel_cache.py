"""Where numba keeps compiled kernels: a folder for exactly this state of the code.

numba's own cache looks at the one file that a kernel stands in.  A kernel that calls another file's kernel, or uses its
constants, would stay as it was compiled before an update, and an entry that refers to a name which has moved cannot even
be read.  So the folder is named after the text of everything that can get into a kernel.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterable
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
_PLACE = _ROOT / "analysis" / "kernels" / "__pycache__"
_PREFIX = "numba-"
_VARIABLE = "NUMBA_CACHE_DIR"
_IMPORT = re.compile(rb"^\s*(?:from|import)\s+(analysis[\w.]*)", re.MULTILINE)


def choose() -> None:
    """Tell numba, before it is imported, and processes that we start.  A folder that the user named stays."""
    chosen = os.environ.get(_VARIABLE, "")
    if not chosen or chosen.startswith(str(_PLACE / _PREFIX)):
        os.environ[_VARIABLE] = str(_PLACE / (_PREFIX + fingerprint(_ROOT)))


def prune() -> None:
    """Remove the folders of earlier states of the code, unless a process may still be filling them."""
    yesterday = time.time() - 24 * 60 * 60
    for folder in _PLACE.glob(_PREFIX + "*"):
        if str(folder) != os.environ.get(_VARIABLE) and folder.stat().st_mtime < yesterday:
            shutil.rmtree(folder, ignore_errors=True)  # another process may be doing the same


def fingerprint(root: Path) -> str:
    """A short text that changes with every file that has kernels and every file that those import."""
    digest = hashlib.sha256()
    for path in sorted(_with_imports(root, _files_with_kernels(root))):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _files_with_kernels(root: Path) -> Iterable[Path]:
    return (path for path in (root / "analysis").rglob("*.py") if b"numba" in path.read_bytes())


def _with_imports(root: Path, files: Iterable[Path]) -> set[Path]:
    found: set[Path] = set()
    waiting = list(files)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        found.add(path)
        for name in _IMPORT.findall(path.read_bytes()):
            module = root / name.decode().replace(".", "/")
            waiting += [file for file in (module.with_suffix(".py"), module / "__init__.py") if file.is_file()]
    return found
