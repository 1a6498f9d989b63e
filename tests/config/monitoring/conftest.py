from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from config.monitoring.log_lines import JsonFormatter


class Lines(logging.Handler):
    """The lines that a site with ``LOG_FORMAT=json`` would have written."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(JsonFormatter())
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))

    def of(self, logger: str) -> list[dict[str, Any]]:
        found = [json.loads(text) for text in self.texts]
        return [one for one in found if one["logger"] == logger]


@pytest.fixture
def lines() -> Iterator[Lines]:
    handler, root, ours = Lines(), logging.getLogger(), logging.getLogger("sweepbook")
    levels = root.level, ours.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    ours.setLevel(logging.INFO)
    yield handler
    root.removeHandler(handler)
    root.setLevel(levels[0])
    ours.setLevel(levels[1])
