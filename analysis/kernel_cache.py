"""The cache of compiled kernels: one is compiled again when its file, or any file that this one imports, has changed.

numba's own cache checks only the file of the kernel.  A kernel that calls a kernel of another file, or uses its
constants, would not be compiled again after a change there.  ``analysis/__init__.py`` names the classes below to numba,
which puts a kernel into the first place that it can write to.
"""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

from numba.core.caching import InTreeCacheLocator, UserProvidedCacheLocator, UserWideCacheLocator

_ROOT = Path(__file__).resolve().parent.parent
_IMPORT = re.compile(
    r"^\s*(?:from\s+(analysis[\w.]*)\s+import\s+(\([^)]*\)|.*)|import\s+(analysis[\w.]*))", re.MULTILINE
)


class _WithImports:
    """Stamps a kernel with its file and all that it imports."""

    _py_file: str

    def get_source_stamp(self) -> Any:
        """Return the stamp that numba compares with that of a compiled kernel."""
        return source_stamp(Path(self._py_file), _ROOT)


class NamedFolder(_WithImports, UserProvidedCacheLocator):
    """The folder ``NUMBA_CACHE_DIR``, if it is set."""


class BesideTheSource(_WithImports, InTreeCacheLocator):
    """The ``__pycache__`` beside the file."""


class HomeFolder(_WithImports, UserWideCacheLocator):
    """The cache folder of the operating system's user, for source folders that are not writable."""


@cache
def source_stamp(path: Path, root: Path) -> str:
    """A text that changes with the file ``path`` and every file below ``root`` that it imports, directly or not."""
    digest = hashlib.sha256()
    for file in sorted(_with_imports(path, root)):
        digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()


def _with_imports(path: Path, root: Path) -> set[Path]:
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file not in found:
            found.add(file)
            waiting += imported_files(file, root)
    return found


@cache
def imported_files(path: Path, root: Path) -> tuple[Path, ...]:
    """The files of ``analysis`` that the file ``path`` imports."""
    names: set[str] = set()
    for source, members, module in _IMPORT.findall(path.read_text()):
        names.add(source or module)
        names.update(f"{source}.{member}" for member in re.findall(r"\w+", members) if source)
    candidates = [root / name.replace(".", "/") for name in names]
    files = [file for stem in candidates for file in (stem.with_suffix(".py"), stem / "__init__.py")]
    return tuple(file for file in files if file.is_file())
