"""A wrong Host header: 400 and one line in the log."""

from __future__ import annotations

import logging

import pytest
from django.test import Client


@pytest.mark.parametrize(
    ("address", "kind"), [("/", "text/plain; charset=utf-8"), ("/api/v1/players/", "application/problem+json")]
)
@pytest.mark.parametrize("host", ["evil.example", "a b", "x\r\nInjected: 1", "é" * 300])
def test_one_line_and_no_traceback(host: str, address: str, kind: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        response = Client(raise_request_exception=False).get(address, headers={"host": host})
    assert (response.status_code, response["Content-Type"]) == (400, kind)
    (record,) = caplog.records
    assert record.exc_info is None
    assert "\n" not in record.getMessage()
    assert ascii(host[:20])[1:-1] in record.getMessage()
    assert len(record.getMessage()) < 800
