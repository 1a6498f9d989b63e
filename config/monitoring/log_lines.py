"""Lines of logs: text for people, or one JSON object each for programs (``LOG_FORMAT``), and neither with a secret.

Nothing of the site logs a secret on purpose.  Messages of libraries, and the paths of requests that failed, may hold one;
what looks like it is masked at the last moment.
"""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Final

from players.web import log_fields

_MOST_CHARS: Final = 16_000
_MASK: Final = "***"
#: Each with what is left of it.
_SECRETS: Final = (
    (re.compile(r"swb_[\w-]+"), f"swb_{_MASK}"),  # tokens of programs
    (re.compile(r"(?i)\b(bearer|token|basic)(\s+)[\w.~+/=:-]{16,}"), rf"\1\2{_MASK}"),
    (re.compile(r"(?i)(\b(?:set-)?cookie['\"]?\s*[:=]\s*['\"]?)[^\n'\"]+"), rf"\1{_MASK}"),
    (
        re.compile(
            r"(?i)((?:sessionid|csrf\w*|play_guest|passw\w*|token|ticket|secret\w*|api_?key|key|code|signature)['\"]?\s*[=:]\s*['\"]?)"
            r"[^\s&;,'\"]+"
        ),
        rf"\1{_MASK}",
    ),
    (re.compile(r"(?i)(/(?:key|confirm-email)/)[^/\s?'\"]+"), rf"\1{_MASK}"),  # links in letters
    (re.compile(r"(://)[^/\s@]*@"), rf"\1{_MASK}@"),  # a password in the address of a server
)


def masked(text: str) -> str:
    for pattern, rest in _SECRETS:
        text = pattern.sub(rest, text)
    return text


class LineFormatter(logging.Formatter):
    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        return masked(super().format(record))


class JsonFormatter(logging.Formatter):
    """One object a line: time, level, logger, message, and the fields of the activity (``players.web.log_fields``)."""

    def format(self, record: logging.LogRecord) -> str:
        values: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": masked(record.getMessage())[:_MOST_CHARS],
        }
        values |= log_fields.fields() | getattr(record, "fields", {})
        if record.exc_info:
            values["exception"] = masked(self.formatException(record.exc_info))[-_MOST_CHARS:]
        return json.dumps(values, default=str)
