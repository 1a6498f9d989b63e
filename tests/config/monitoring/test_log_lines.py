"""Lines of logs: whatever is in a message stays one line, and no secret gets into it."""

from __future__ import annotations

import json
import logging
import sys

import pytest

from config.monitoring.log_lines import JsonFormatter, LineFormatter, masked
from players.web import log_fields

SECRET = "Zx9" * 12
#: Messages as libraries and mistakes of ours might write them.
LEAKS = (
    f"Authorization: Bearer swb_{SECRET}",
    f"headers {{'authorization': 'Token {SECRET}'}}",
    f"Authorization: Basic {SECRET}",
    f"Cookie: sessionid={SECRET}; csrftoken={SECRET}",
    f"Set-Cookie: sessionid={SECRET}; Path=/",
    f"{{'Cookie': 'theme=dark; sessionid={SECRET}'}}",
    f"csrfmiddlewaretoken={SECRET}&x=1",
    f"GET /replays/?token={SECRET}&size=1",
    f"play_guest={SECRET}",
    f"ticket={SECRET}",
    f"{{'password': '{SECRET}'}}",
    f"{{'password1': '{SECRET}', 'password2': '{SECRET}'}}",
    f"SECRET_KEY={SECRET}",
    f"Not Found: /accounts/password/reset/key/1-{SECRET}/",
    f"Internal Server Error: /accounts/confirm-email/{SECRET}/",
    f"Error 111 connecting to redis://:{SECRET}@localhost:6379/0",
    f"postgres://site:{SECRET}@db/sweepbook",
    f"swb_{SECRET}",
)


def record(message: str, *args: object, error: bool = False) -> logging.LogRecord:
    info = sys.exc_info() if error else None
    return logging.LogRecord("a.logger", logging.WARNING, "file.py", 1, message, args, info)


@pytest.mark.parametrize("text", LEAKS)
def test_a_secret_is_masked(text: str) -> None:
    assert SECRET in text
    for formatter in (JsonFormatter(), LineFormatter()):
        assert SECRET not in formatter.format(record("%s", text))


@pytest.mark.parametrize("text", LEAKS)
def test_a_secret_in_a_traceback_is_masked(text: str) -> None:
    try:
        raise ValueError(text)
    except ValueError:
        made = record("It failed", error=True)
        for formatter in (JsonFormatter(), LineFormatter()):
            line = formatter.format(made)
            assert "ValueError" in line
            assert SECRET not in line


@pytest.mark.parametrize(
    "text",
    [
        "Replay 7 took more than 2.0 s of processor time.",
        "The broker cannot be reached (Error 111 connecting to localhost:6379); 3 replays wait for the sweep.",
        "Not Found: /replays/7/",
        "https://example.org/replays/7/",
    ],
)
def test_other_text_stays(text: str) -> None:
    assert masked(text) == text


@pytest.mark.parametrize("text", ["a\nERROR b: forged", "a\r\nb", "a\x00b", "\ud800", "雷", "\u2028", '"}{"level":"x'])
def test_a_message_is_one_object_on_one_line(text: str) -> None:
    line = JsonFormatter().format(record("%s", text))
    assert len(line.splitlines()) == 1
    line.encode("ascii")
    found = json.loads(line)
    assert (found["message"], found["level"], found["logger"]) == (text, "WARNING", "a.logger")


def test_the_fields_of_the_activity_are_in_every_line() -> None:
    fields, token = log_fields.begin(request_id="r1")
    log_fields.note(replay=7)
    assert fields == {"request_id": "r1", "replay": 7}
    found = json.loads(JsonFormatter().format(record("text")))
    assert (found["request_id"], found["replay"]) == ("r1", 7)
    assert found["time"].endswith("+00:00")
    log_fields.end(token)
    log_fields.note(replay=8)
    assert "replay" not in json.loads(JsonFormatter().format(record("text")))


def test_the_web_server_writes_no_line_of_its_own_for_a_request() -> None:
    """It would have the query."""
    assert not logging.getLogger("uvicorn.access").isEnabledFor(logging.INFO)
    assert logging.getLogger("uvicorn.error").propagate


def test_a_long_message_is_cut() -> None:
    assert len(JsonFormatter().format(record("x" * 1_000_000))) < 20_000
