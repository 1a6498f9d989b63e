"""The flags of countries: our own drawings, else the small pictures of the package ``django-countries``."""

from __future__ import annotations

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from django.conf import settings


@cache
def drawings() -> dict[str, str]:
    """The flags that we draw exactly, by country in upper case: what is inside the symbols of ``static/web/flags.svg``."""
    file = settings.BASE_DIR / "players" / "static" / "web" / "flags.svg"
    return dict(re.findall(r'<symbol id="([A-Z]{2})" viewBox="0 0 18 12">(.*)</symbol>', file.read_text()))


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
