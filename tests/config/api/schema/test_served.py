"""The API serves what programs do: `docs/api.md` has the list."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings

from tests.api_schema import api_schema
from tests.config.api.schema.test_examples import operations_by_id

#: An operation more needs a program that calls it.
MOST_OPERATIONS: Final = 75


@pytest.mark.django_db
def test_every_operation_is_named_where_programs_look() -> None:
    served = operations_by_id(api_schema())
    rows = re.findall(r"^\| .+ \| (.+) \|$", Path(settings.BASE_DIR, "docs/api.md").read_text(), re.M)
    named = re.findall(r"`(\w+)`", " ".join(rows))
    assert sorted(named) == sorted(served)
    assert len(served) <= MOST_OPERATIONS
