"""Sockets in a browser: the policy of the pages, the messages, and the client of live play."""

from __future__ import annotations

import datetime
import json
import re
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from hypothesis import Phase, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page
from pytest_django import Settings

from replays.play import wire
from replays.play.wire.message import Message, layout_of
from tests.e2e.conftest import Visit
from tests.e2e.site import Site, running_site
from tests.effort import examples
from tests.replays.play.sockets.conftest import echo_routes as echo_routes
from tests.replays.play.sockets.conftest import echo_site as echo_site
from tests.replays.play.wire.strategies import messages
from tests.replays.play.wire.test_wire import KINDS
from tests.services import wait_until

_DIAL = """([origin, where]) => new Promise((resolve) => {
  let done = () => resolve("policy");
  document.addEventListener("securitypolicyviolation", () => done());
  const socket = new WebSocket(origin + where, ["sweepbook.play.1"]);
  socket.onopen = () => { resolve("open"); socket.close(); };
  socket.onerror = () => setTimeout(() => resolve("refused"), 100);
})"""


def test_a_page_opens_a_socket_of_its_site(echo_site: Site, visit: Visit) -> None:
    """``connect-src 'self'`` covers ws: of the same host and port."""
    assert visit("/").evaluate(_DIAL, [echo_site.socket_url, "/ws/play/room/"]) == "open"


@pytest.mark.long(beside="tests/e2e/test_sockets.py::test_a_page_opens_a_socket_of_its_site")
def test_pages_may_open_sockets_of_their_own_site_only(asgi_site: Site, visit: Visit, tolerated: list[str]) -> None:
    """A refusal by the site and one by the policy are told apart."""
    tolerated += ["Content Security Policy", "violates", "WebSocket connection"]
    page = visit("/")
    assert page.evaluate(_DIAL, [asgi_site.socket_url, "/ws/nothing/"]) == "refused"  # by the site, not by the policy
    assert page.evaluate(_DIAL, [asgi_site.socket_url.replace("localhost", "127.0.0.1"), "/ws/nothing/"]) == "policy"


@pytest.mark.long(beside="tests/e2e/test_sockets.py::test_a_page_opens_a_socket_of_its_site")
def test_pages_over_https_may_open_encrypted_sockets_only(
    browser: Browser, settings: Settings, echo_routes: None, transactional_db: None, tmp_path: Path
) -> None:
    """With ``HTTPS=1``, as behind a proxy: wss: of the same host is covered by 'self', and the origin is https."""
    settings.HTTPS = settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    with running_site(_certificate(tmp_path / "site.pem")) as site:
        context = browser.new_context(ignore_https_errors=True)
        page = context.new_page()
        page.goto(f"{site.url}/")
        assert page.evaluate(_DIAL, [site.socket_url, "/ws/play/room/"]) == "open"
        assert page.evaluate(_DIAL, [site.socket_url.replace("wss:", "ws:"), "/ws/play/room/"]) == "policy"
        assert page.evaluate(_DIAL, [site.socket_url.replace("localhost", "127.0.0.1"), "/ws/play/room/"]) == "policy"
        context.close()


def _certificate(path: Path) -> Path:
    """A certificate for localhost, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    encoding = serialization.Encoding.PEM
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path.write_bytes(private + certificate.public_bytes(encoding))
    return path


# --- the messages in the browser ---

_TWIN = """async (hexes) => {
  const { decode, encode } = await import("/static/play/wire.js");
  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const bytes = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const one = (text) => {
    try {
      const message = decode(bytes(text));
      return { message, again: message && hex(encode(message)) };
    } catch (error) {
      return { refused: error.constructor.name };
    }
  };
  return JSON.stringify(hexes.map(one), (name, value) => (value instanceof Uint8Array ? hex(value) : value));
}"""


def twin(page: Page, coded: list[bytes]) -> list[dict[str, Any]]:
    """Decode and encode each message in the browser: return the message and its bytes again, or the error."""
    found: list[dict[str, Any]] = json.loads(page.evaluate(_TWIN, [data.hex() for data in coded]))
    return found


def plain(value: Any) -> Any:
    """Convert a value to the form that the browser has."""
    if isinstance(value, Message):
        fields = {name: plain(getattr(value, name)) for name, _codec in layout_of(type(value))}
        return {"type": type(value).__name__.lower(), **fields}
    if isinstance(value, bytes):
        return value.hex()
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value


_MORE_OF_EACH = pytest.param(
    examples(60),
    marks=pytest.mark.long(beside="tests/e2e/test_sockets.py::test_the_browser_reads_and_writes_the_same_bytes"),
)


@pytest.mark.parametrize("of_each", [5, _MORE_OF_EACH])
def test_the_browser_reads_and_writes_the_same_bytes(visit: Visit, of_each: int) -> None:
    """Every message, in both directions: read here as Python wrote it, written again byte by byte."""
    page = visit("/robots.txt")

    @hypothesis_settings(max_examples=of_each, database=None, phases=[Phase.generate])
    @given(st.tuples(*(messages(kind) for kind in KINDS)))
    def check(every: tuple[Message, ...]) -> None:
        coded = [message.encode() for message in every]
        for message, data, found in zip(every, coded, twin(page, coded), strict=True):
            assert found == {"message": plain(message), "again": data.hex()}

    check()


@pytest.mark.long(beside="tests/e2e/test_sockets.py::test_the_browser_reads_and_writes_the_same_bytes")
def test_the_browser_refuses_what_is_cut_and_ignores_unknown_types(visit: Visit) -> None:
    page = visit("/robots.txt")
    whole = wire.Faces(300, (wire.Face(5, 0), wire.Face(600, 8))).encode()
    cut = [whole[:end] for end in range(1, len(whole))] + [whole + b"\0", b"\x88\x80\x00\x01\x01", b"\xa9\x01\xff", b""]
    assert twin(page, cut) == [{"refused": "WireError"}] * len(cut)
    assert twin(page, [b"\xbb\x01\x02"]) == [{"message": None, "again": None}]


@pytest.mark.long(beside="tests/e2e/test_sockets.py::test_the_browser_reads_and_writes_the_same_bytes")
def test_the_browser_unpacks_boards(visit: Visit) -> None:
    page = visit("/robots.txt")
    cells = bytes(range(14)) * 1000
    unpacked = page.evaluate(
        """async (packed) => {
          const { unpack } = await import("/static/play/wire.js");
          return Array.from(await unpack(Uint8Array.from(packed)));
        }""",
        list(wire.pack(cells)),
    )
    assert bytes(unpacked) == cells


# --- the client ---

_CLIENT = """async () => {
  const { connect } = await import("/static/play/socket.js");
  window.states = [];
  window.messages = [];
  window.client = connect({
    purpose: "room",
    target: { room: "one" },
    hello: () => ({ epoch: 7, number: 1 }),
    onState: (state) => states.push(state),
    onMessage: (message) => messages.push(message),
  });
}"""


def wait_for(page: Page, expression: str) -> None:
    """Until ``expression`` is true; the browser's own waiting needs eval, which the policy of the site forbids."""
    wait_until(lambda: page.evaluate(expression), seconds=20, what=expression)


def test_the_client_connects_answers_pings_and_connects_again(echo_site: Site, visit: Visit) -> None:
    page = visit("/")
    page.evaluate(_CLIENT)
    wait_for(page, "messages.length && client.lag() !== null")
    first = page.evaluate("messages[0]")
    assert first["type"] == "wait"
    assert re.fullmatch(r"hello Guest \d{4} 7", first["reason"])
    assert [state["state"] for state in page.evaluate("states")] == ["connecting", "open"]
    assert page.evaluate("states[1].name") in first["reason"]
    assert page.evaluate("client.send({type: 'open', own: 1, cell: 5, epoch: 1})") is True
    wait_for(page, "messages.some(({type}) => type === 'answer')")
    # A fault of the site closes the socket; the client waits, asks for another ticket and is the same guest.
    page.evaluate("client.send({type: 'leave'})")
    wait_for(page, "states.filter(({state}) => state === 'open').length === 2")
    waiting = next(state for state in page.evaluate("states") if state["state"] == "waiting")
    assert waiting["code"] == 1011
    assert waiting["reason"] == "server_error"
    assert 250 <= waiting["ms"] <= 500
    wait_for(page, "messages.filter(({type}) => type === 'wait').length === 2")
    assert page.evaluate("messages.filter(({type}) => type === 'wait')")[1] == first
    page.evaluate("client.close()")
    assert page.evaluate("states.at(-1)") == {"state": "closed", "problem": None, "code": 1000, "reason": ""}
    assert page.evaluate("client.send({type: 'resync'})") is False


@pytest.mark.long(beside="tests/e2e/test_sockets.py::test_the_client_connects_answers_pings_and_connects_again")
def test_the_client_gives_up_where_it_is_not_wanted(echo_site: Site, visit: Visit, tolerated: list[str]) -> None:
    """A refused ticket and a final close code are told, and not tried again."""
    tolerated.append("status of 400")
    page = visit("/")
    page.evaluate(_CLIENT.replace('room: "one"', 'room: "forbidden"'))
    wait_for(page, "states.at(-1)?.state === 'closed'")
    assert page.evaluate("states.at(-1)") == {"state": "closed", "problem": None, "code": 4403, "reason": "forbidden"}
    page.evaluate(_CLIENT.replace('room: "one"', "room: ''"))
    wait_for(page, "states.at(-1)?.state === 'closed'")
    closed = page.evaluate("states.at(-1)")
    assert (closed["code"], closed["reason"], closed["problem"]["status"]) == (400, "bad_request", 400)


@pytest.mark.long(beside="tests/e2e/test_sockets.py::test_the_client_connects_answers_pings_and_connects_again")
def test_the_client_waits_for_a_site_that_does_not_answer(visit: Visit, tolerated: list[str]) -> None:
    """The first waits are half to all of 0.5, 1, 2 … seconds."""
    tolerated.append("Failed to load resource")
    page = visit("/")
    page.route("**/api/v1/play/tickets/", lambda route: route.abort())
    page.evaluate(_CLIENT)
    wait_for(page, "states.filter(({state}) => state === 'waiting').length === 3")
    waits = [state["ms"] for state in page.evaluate("states") if state["state"] == "waiting"]
    assert all(limit / 2 <= wait <= limit for wait, limit in zip(waits, (500, 1000, 2000), strict=True))
    page.evaluate("client.close()")
