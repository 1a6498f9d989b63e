"""Letters on their way: a real mail server gets them, and one that refuses or hangs holds no page."""

from __future__ import annotations

import logging
import os
import re
import socket
import ssl
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import environ
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.core.mail import send_mail
from django.test import Client
from pytest_django import Settings

from players.accounts import mail_backend
from players.models import User
from tests.conftest import PASSWORD
from tests.services import free_port, wait_until

pytestmark = pytest.mark.django_db

SENDER = "Sweepbook <letters@sweepbook.example>"
_ACCOUNT = ("site", "its password")


class Inbox:
    """Keeps what the server takes."""

    def __init__(self) -> None:
        self.letters: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.encrypted: list[bool] = []

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802 - the name is aiosmtpd's
        self.encrypted.append(session.ssl is not None)
        self.recipients += envelope.rcpt_tos
        self.letters.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 OK"

    def wait(self) -> EmailMessage:
        """The first letter, once it has arrived."""
        wait_until(lambda: self.letters, seconds=60, every=0.02, what="a letter")
        return self.letters[0]


class Refusing(Inbox):
    async def handle_RCPT(self, *_: Any) -> str:  # noqa: N802
        return "550 no such mailbox"


class Server(Controller):
    """A server that remembers its connections: if it stopped before they are closed, a later test would be blamed."""

    def __init__(self, inbox: Inbox, **options: Any) -> None:
        super().__init__(inbox, **options)
        self.sockets: list[Any] = []

    def factory(self) -> SMTP:
        sockets = self.sockets

        class Connection(SMTP):
            def connection_made(self, transport: Any) -> None:
                super().connection_made(transport)
                sockets.append(transport.get_extra_info("socket"))

        return Connection(self.handler, **self.SMTP_kwargs)

    def are_closed(self) -> bool:
        return all(one.fileno() < 0 for one in self.sockets)


@contextmanager
def mail_server(inbox: Inbox, **options: Any) -> Iterator[int]:
    """A mail server on this machine; yields its port."""
    port = free_port()
    server = Server(inbox, hostname="127.0.0.1", port=port, **options)
    server.start()
    try:
        yield port
        wait_until(server.are_closed, seconds=60, every=0.02, what="the end of all connections")
    finally:
        server.stop()


def use(settings: Settings, url: str, seconds: int = 30) -> None:
    """Let the settings be those of a site with ``EMAIL_URL=url``."""
    for name, value in environ.Env.email_url_config(url).items():
        setattr(settings, name, value)
    settings.EMAIL_BACKEND = "players.accounts.mail_backend.BackgroundEmailBackend"
    settings.EMAIL_TIMEOUT, settings.DEFAULT_FROM_EMAIL = seconds, SENDER
    settings.SITE_URL = "https://sweepbook.example"


@pytest.fixture(autouse=True)
def _none_waits() -> Iterator[None]:
    """Wait until no letter of a test is under way any more."""
    yield
    for _ in range(mail_backend.MOST_WAITING):
        assert mail_backend._room.acquire(timeout=60)
    mail_backend._room.release(mail_backend.MOST_WAITING)


def ask_for_password(email: str, language: str = "en") -> Any:
    headers = {"Accept-Language": language, "Host": "localhost:6666"}
    return Client().post("/password-reset/", {"email": email}, headers=headers)


@pytest.mark.parametrize(
    ("language", "subject", "greeting"),
    [("en", "Your Sweepbook password", "Hello owner"), ("zh-hans", "你的 Sweepbook 密码", "owner，你好")],
)
def test_a_letter_arrives_as_it_was_written(
    owner: User, settings: Settings, language: str, subject: str, greeting: str
) -> None:
    with mail_server(inbox := Inbox()) as port:
        use(settings, f"smtp://127.0.0.1:{port}")
        assert ask_for_password(owner.email, language).headers["Location"] == "/password-reset/sent/"
        letter = inbox.wait()
    assert inbox.recipients == [owner.email]
    assert inbox.encrypted == [False]
    assert (letter["From"], letter["To"], letter["Subject"]) == (SENDER, owner.email, subject)
    assert letter["Date"]
    assert letter["Message-ID"]
    text = letter.get_content().replace("\r\n", "\n")
    assert greeting in text
    link = re.search(r"^https://sweepbook\.example(/\S+)$", text, re.MULTILINE)
    assert link is not None
    assert "6666" not in text
    visitor = Client()
    form = visitor.get(link[1], follow=True).request["PATH_INFO"]
    visitor.post(form, {"password1": "a new and long one", "password2": "a new and long one"})
    owner.refresh_from_db()
    assert owner.check_password("a new and long one")


def test_a_sign_up_is_confirmed_by_its_letter(db: None, settings: Settings) -> None:
    with mail_server(inbox := Inbox()) as port:
        use(settings, f"smtp://127.0.0.1:{port}")
        data = {"username": "ada", "email": "ada@example.org", "password1": PASSWORD, "password2": PASSWORD}
        assert Client().post("/sign-up/", data).headers["Location"] == "/account/email/sent/"
        letter = inbox.wait()
    assert inbox.recipients == ["ada@example.org"]
    assert "https://sweepbook.example/account/email/" in letter.get_content()


# --- TLS ---


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A key and a certificate of ``localhost`` that nobody has signed, in one file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    made = tmp_path_factory.mktemp("tls") / "server.pem"
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    made.write_bytes(private + built.public_bytes(serialization.Encoding.PEM))
    return made


@pytest.fixture
def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


def log_in(_server: SMTP, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    return AuthResult(success=(data.login.decode(), data.password.decode()) == _ACCOUNT)


def test_with_tls_a_letter_and_the_password_of_the_site_travel_encrypted(
    owner: User, settings: Settings, tls: ssl.SSLContext, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    options = {"tls_context": tls, "require_starttls": True, "authenticator": log_in, "auth_required": True}
    with mail_server(inbox := Inbox(), **options) as port:
        use(settings, f"smtp+tls://site:its%20password@localhost:{port}")
        ask_for_password(owner.email)
        inbox.wait()
    assert inbox.encrypted == [True]


def test_a_certificate_that_nobody_vouches_for_gets_no_letter(
    owner: User, settings: Settings, tls: ssl.SSLContext, logged: Callable[[], str]
) -> None:
    with mail_server(inbox := Inbox(), tls_context=tls) as port:
        use(settings, f"smtp+tls://localhost:{port}")
        assert ask_for_password(owner.email).status_code == 302
        wait_until(lambda: "could not be sent" in logged(), seconds=60, every=0.02)
    assert inbox.letters == []
    assert "CERTIFICATE_VERIFY_FAILED" in logged()


# --- servers in trouble ---


@pytest.fixture
def logged(caplog: pytest.LogCaptureFixture) -> Callable[[], str]:
    """Return a function that gives the log so far."""
    caplog.set_level(logging.INFO)
    return lambda: caplog.text


def test_a_server_that_refuses_is_logged_and_no_error_of_the_page(
    owner: User, settings: Settings, logged: Callable[[], str]
) -> None:
    with mail_server(inbox := Refusing()) as port:
        use(settings, f"smtp://127.0.0.1:{port}")
        assert ask_for_password(owner.email).headers["Location"] == "/password-reset/sent/"
        wait_until(lambda: "no such mailbox" in logged(), seconds=60, every=0.02)
    assert inbox.letters == []


def test_no_page_waits_for_a_server_that_hangs(
    owner: User, settings: Settings, logged: Callable[[], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server takes the connection and says nothing: the page is there while the letter is not settled yet."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        use(settings, f"smtp://127.0.0.1:{silent.getsockname()[1]}", seconds=1)
        under_way: list[bool] = []
        deliver = mail_backend.BackgroundEmailBackend._deliver

        def noticed(backend: Any, letters: Any) -> None:
            deliver(backend, letters)
            under_way.append(False)

        monkeypatch.setattr(mail_backend.BackgroundEmailBackend, "_deliver", noticed)
        assert ask_for_password(owner.email).headers["Location"] == "/password-reset/sent/"
        assert under_way == [], "the page waited for the mail server"
        wait_until(lambda: under_way, seconds=60, every=0.02, what="the end of the time limit")
    assert "TimeoutError" in logged() or "timed out" in logged()


def test_an_outage_keeps_no_more_letters_than_a_restart_can_wait_for(
    settings: Settings, logged: Callable[[], str]
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        use(settings, f"smtp://127.0.0.1:{silent.getsockname()[1]}", seconds=1)
        sent = [send_mail("s", "t", None, ["a@example.org"]) for _ in range(mail_backend.MOST_WAITING + 3)]
    assert sum(sent) == mail_backend.MOST_WAITING
    assert logged().count("dropped") == 3


def test_a_site_with_a_mail_server_sends_beside_its_pages(tmp_path: Path) -> None:
    """The settings are read in a process of their own."""
    code = (
        "from django.conf import settings as s;"
        "print(s.EMAIL_BACKEND, s.EMAIL_TIMEOUT, s.EMAIL_USE_TLS, s.EMAIL_IS_SENT, s.EMAIL_HOST_PASSWORD)"
    )
    environment = os.environ | {"EMAIL_URL": "smtp+tls://me:a%3Db@mail.example:587", "DATA_DIR": str(tmp_path)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [
        "players.accounts.mail_backend.BackgroundEmailBackend", "10", "True", "True", "a=b",
    ]  # fmt: skip
