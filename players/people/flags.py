"""The pictures of flags of the package ``django-countries``, of which nothing else is used."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

#: The size of the pictures in pixels.
WIDTH: Final = 16
HEIGHT: Final = 11


@cache
def flag_files() -> Path:
    """The folder of the pictures; found without importing the package, which wants Django's settings."""
    spec = find_spec("django_countries")
    assert spec is not None  # noqa: S101 - a requirement of the site
    assert spec.submodule_search_locations  # noqa: S101 - it is a package
    return Path(spec.submodule_search_locations[0]) / "static" / "flags"


@cache
def flagged_countries() -> frozenset[str]:
    """The countries that have a picture, in upper case."""
    return frozenset(file.stem.upper() for file in flag_files().glob("[a-z][a-z].gif"))
