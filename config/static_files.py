"""Storage of collected static files: our scripts and styles are minified, then all get hashed names and are compressed.

Our scripts import each other by these names: none meets one of another version, and each may be cached for ever.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from django.apps import apps
from rjsmin import jsmin
from whitenoise.storage import CompressedManifestStaticFilesStorage

#: The apps whose files are written here; those of packages come minified, or are seen by staff alone.
_APPS: Final = ("players", "replays")
#: How a script names another.  Django's own patterns fail on scripts of packages, and take half a minute to read them.
_NAMED: Final = re.compile(r'(?P<matched>"(?P<url>\.{1,2}/[^"]+\.js)")')

_BLANK: Final = r"(?:\s|/\*(?:[^*]|\*(?!/))*\*/)"
#: What separates the words of a style sheet; texts in quotes stay as they are.  A space before ":" has a meaning.
_STYLE_SPACE: Final = re.compile(rf"""("[^"]*"|'[^']*')|{_BLANK}*([{{}};,]){_BLANK}*|{_BLANK}+""")


class StaticFilesStorage(CompressedManifestStaticFilesStorage):
    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        """``paths``: the collected files by name, each with the storage that it comes from and its name there."""
        if not dry_run:
            ours = [name for name, (source, _name) in paths.items() if _is_ours(source)]
            scripts, styles = ([name for name in ours if name.endswith(end)] for end in (".js", ".css"))
            for name in scripts:
                minify(Path(self.path(name)), jsmin)
            for name in styles:
                minify(Path(self.path(name)), short_style)
            paths = paths | {name: (self, name) for name in scripts + styles}  # what is hashed is read from there
            self._patterns |= {name: [(_NAMED, '"%(url)s"')] for name in scripts}
        yield from super().post_process(paths, dry_run=dry_run, **options)


def minify(file: Path, shorten: Callable[[str], str]) -> None:
    """Write it without comments and white space; nothing is renamed.  A file that is minified already is not written."""
    text = file.read_text(encoding="utf-8")
    short = shorten(text)
    if short != text:
        file.write_text(short, encoding="utf-8")


def short_style(text: str) -> str:
    """Return a style sheet without comments, and without white space where it separates nothing."""
    return _STYLE_SPACE.sub(lambda found: found[1] or found[2] or " ", text).strip()


def _is_ours(source: Any) -> bool:
    return any(Path(source.location).is_relative_to(apps.get_app_config(label).path) for label in _APPS)
