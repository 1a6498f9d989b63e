"""Sockets in a browser: the policy of the pages, the messages, and the client of live play."""

from __future__ import annotations

from tests.e2e.conftest import Visit
from tests.e2e.site import Site

_DIAL = """([origin, where]) => new Promise((resolve) => {
  let done = () => resolve("policy");
  document.addEventListener("securitypolicyviolation", () => done());
  const socket = new WebSocket(origin + where, ["sweepbook.play.1"]);
  socket.onopen = () => { resolve("open"); socket.close(); };
  socket.onerror = () => setTimeout(() => resolve("refused"), 100);
})"""


def test_pages_may_open_sockets_of_their_own_site_only(asgi_site: Site, visit: Visit, tolerated: list[str]) -> None:
    """``connect-src 'self'`` covers ws: of the same host and port, and no other."""
    tolerated += ["Content Security Policy", "violates", "WebSocket connection"]
    page = visit("/")
    assert page.evaluate(_DIAL, [asgi_site.socket_url, "/ws/nothing/"]) == "refused"  # by the site, not by the policy
    assert page.evaluate(_DIAL, [asgi_site.socket_url.replace("localhost", "127.0.0.1"), "/ws/nothing/"]) == "policy"
