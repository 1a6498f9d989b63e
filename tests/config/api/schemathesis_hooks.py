"""Hooks that tell Schemathesis about this API: ids that exist, and rules that JSON Schema cannot express."""

from __future__ import annotations

import os
from typing import Any

import schemathesis

#: Ids of a replay that is done and of a player, which both the site of the test has.
_KNOWN_ID = int(os.environ.get("SWEEPBOOK_KNOWN_ID", "1"))
#: Parameters that may be refused though each value alone fits the schema: a sort and sub-N need a level, a place is asked for by
#: player or by value, a snapshot by event or by time, two weeks begin on certain days, sums have no least 3BV, "me" and
#: uploads that are not done need an account, some statistics are not ranked on every level, and time zones and countries
#: are names of lists that change, an area has fewer mines than cells, and names may be claimed a few times a day.
_DEPENDENT = {
    "sort", "value", "event", "period", "min_3bv", "mines", "density", "non_field_errors", "__all__", "rows", "text", "statistic",
    "zone", "country", "name", "modulus", "sub", "from", "to", "cell", "area_mines",
}  # fmt: skip
#: Formulas have a grammar, and names no null characters, which JSON Schema cannot state.
_DEPENDENT |= {f"{name}.{place}" for name in ("formulas", "names", "rows") for place in range(20)}
#: Codes of refusals for reasons outside of the schema: cursors are signed, and what files hold is no matter of HTTP.
_OUTSIDE = {
    "bad_cursor", "no_file", "files_refused", "too_many_files", "ragged_rows", "too_many_mines", "no_cells",
    "impossible_position", "too_wide", "too_large", "too_many_rooms",
    "not_playable", "film_too_large", "unreadable_replay",
}  # fmt: skip


@schemathesis.hook
def map_path_parameters(ctx: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Every other id is one that exists."""
    number = (path_parameters or {}).get("id")
    if path_parameters and isinstance(number, int) and number % 2 == 0:
        return path_parameters | {"id": _KNOWN_ID}
    return path_parameters


@schemathesis.check
def valid_input_is_taken(ctx: Any, response: Any, case: Any) -> bool | None:
    """Check that input that fits the schema is refused only for reasons that a schema cannot state."""
    generation = case.meta.generation if case.meta else None
    if generation is None or not generation.mode.is_positive or response.status_code not in (400, 409, 413, 415, 422):
        return None
    problem = response.json()
    dependent = set(problem.get("errors", {})) and set(problem.get("errors", {})) <= _DEPENDENT
    assert problem["code"] in _OUTSIDE or dependent, f"valid input was refused: {problem}"
    return None


@schemathesis.check
def errors_are_problems(ctx: Any, response: Any, case: Any) -> bool | None:
    """Every error has the one form."""
    if response.status_code >= 400:
        assert response.headers["content-type"] == ["application/problem+json"], response.headers["content-type"]
        assert {"type", "title", "status", "detail", "code"} <= set(response.json())
    return None
