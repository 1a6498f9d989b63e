"""First views of a site with demo games: bytes, paints, layout shifts and elements.

    make bench-pages

It runs under pytest for the site (its static files collected and compressed, as ``make run`` serves them) and the browser
of ``tests/e2e``, each page in a fresh profile, and only prints: what must hold is in ``tests/e2e/test_first_view.py``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from players.models import User
from tests.e2e.conftest import Visit
from tests.e2e.conftest import browser as browser
from tests.e2e.conftest import tolerated as tolerated
from tests.e2e.conftest import visit as visit
from tests.e2e.demo_pages import demo_pages, sign_in_by_cookie
from tests.e2e.page_measures import first_view
from tests.e2e.site import Site
from tests.e2e.test_first_view import SIZES
from tests.e2e.test_first_view import asgi_site as asgi_site
from tests.e2e.test_first_view import static_root as static_root
from tests.replays.conftest import store as store

_GAMES = 640  # as on the site that `make run` fills
_OWN_GAMES = 5_000
pytestmark = pytest.mark.slow(why="measures")


def test_pages(asgi_site: Site, visit: Visit, owner: User, store: Path) -> None:
    pages = demo_pages(owner, _GAMES, _OWN_GAMES)
    print(
        f"\n{'':<42}{'requests':>8}{'bytes':>9}{'without film and board':>24}{'to paint':>9}{'first':>7}{'largest paint, ms':>18}{'shift':>8}{'elements':>9}"
    )
    for name, address in pages.items():
        for visitor in [owner] if name == "outcome of an upload" else [None, owner]:
            for size, (width, height) in SIZES.items():
                page = visit("about:blank", width=width, height=height)
                if visitor:
                    sign_in_by_cookie(page, visitor, asgi_site.url)
                view = first_view(page, address)
                page.context.close()
                title = f"{name}, {'account' if visitor else 'guest'}, {size}"
                requests = sum(answer.requests for answer in view.answers.values())
                print(
                    f"{title:<42}{requests:8}{view.travelled:9,}{view.still:24,}{view.before_paint:9,}{view.fcp_ms:7.0f}{view.lcp_ms:18.0f}{view.shift:8.4f}{view.nodes:9,}"
                )
