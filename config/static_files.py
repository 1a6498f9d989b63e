"""Storage of collected static files: our scripts are minified, then all files get hashed names and are compressed.

Our scripts import each other by these names: none meets one of another version, and each may be cached for ever.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

#: The apps whose scripts are written here; those of packages come minified, or are seen by staff alone.
_APPS: Final = ("players", "replays")
#: How a script names another.  Django's own patterns fail on scripts of packages, and take half a minute to read them.
_NAMED: Final = re.compile(r'(?P<matched>"(?P<url>\.{1,2}/[^"]+\.js)")')


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """``paths``: the collected files by name, each with the storage that it comes from and its name there."""
        if not dry_run:
            ours = [name for name, (source, _name) in paths.items() if name.endswith(".js") and _is_ours(source)]
            for name in ours:
                minify_script(Path(self.path(name)))
            paths = paths | {name: (self, name) for name in ours}  # what is hashed is read from there
            self._patterns |= {name: [(_NAMED, '"%(url)s"')] for name in ours}
        yield from super().post_process(paths, dry_run=dry_run, **options)


def minify_script(script: Path) -> None:
    """Without comments and white space; nothing is renamed.  A file that is minified already is not written."""
    text = script.read_text(encoding="utf-8")
    short = jsmin(text)
    if short != text:
        script.write_text(short, encoding="utf-8")


def _is_ours(source: Any) -> bool:
    return any(Path(source.location).is_relative_to(apps.get_app_config(label).path) for label in _APPS)
