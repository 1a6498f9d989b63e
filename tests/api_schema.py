"""The schema of the API, made once in a process: that takes seconds, and each of thirty tests would do it again."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from django.test import Client


def api_schema() -> dict[str, Any]:
    """Return the schema as a guest gets it; the caller may change it."""
    found: dict[str, Any] = json.loads(_source())
    return found


@cache
def _source() -> bytes:
    answer = Client().get("/api/v1/schema", headers={"accept": "application/json"})
    assert answer.status_code == 200
    return answer.content
