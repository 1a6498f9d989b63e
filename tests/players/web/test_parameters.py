"""The one rule of parameters for pages and API: either case, given once, and other names of statistics."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from analysis.statistics import BY_NAME
from players.web.parameters import BadParameter, Parameter, api_values, choice, form_of, integer
from players.web.statistic_names import statistic_choice

LEVEL = choice("level", ("Expert", "custom"))
LEAST = Parameter("is__gte", float, None, {"type": "number"}, "", other_names=("isl__gte",))
SIZE = integer("size", least=1, most=9)
STATISTIC = statistic_choice("statistic", (BY_NAME["gzne"], BY_NAME["time"]), default="gzne")
PARAMETERS = (LEVEL, LEAST, SIZE, STATISTIC)


def both(text: str) -> tuple[dict[str, object], dict[str, object]]:
    """The values that a page and the API read in one query string."""
    query = QueryDict(text)
    return form_of(*PARAMETERS)(query).values(), api_values(PARAMETERS, query)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("level=eXPERT", "level", "Expert"), ("level=CUSTOM", "level", "custom"), ("is__gte=2", "is__gte", 2.0),
        ("isl__gte=2", "is__gte", 2.0), ("statistic=ZNE", "statistic", "gzne"), ("statistic=gzne", "statistic", "gzne"),
        ("", "statistic", "gzne"), ("is__gte=", "is__gte", None),
    ],
)  # fmt: skip
def test_both_read_the_same(text: str, name: str, value: object) -> None:
    assert [values[name] for values in both(text)] == [value, value]


@pytest.mark.parametrize("text", ["level=custom&level=custom", "is__gte=1&isl__gte=1", "size=1&size=", "size=1&size=2"])
def test_a_parameter_that_is_given_twice_is_refused(text: str) -> None:
    query, name = QueryDict(text), text.partition("=")[0]
    for read in (form_of(*PARAMETERS)(query).values, lambda: api_values(PARAMETERS, query)):
        with pytest.raises(BadParameter) as refused:
            read()
        assert list(refused.value.errors) == [name]


def test_blanks_alone_are_no_choice_of_the_api() -> None:
    query = QueryDict("level=+")
    assert form_of(*PARAMETERS)(query).values()["level"] is None
    with pytest.raises(BadParameter) as refused:
        api_values(PARAMETERS, query)
    assert list(refused.value.errors) == ["level"]
    assert "Expert, custom" in refused.value.errors["level"], "what may be chosen"


def test_pages_ignore_what_other_sites_add_however_often() -> None:
    query = QueryDict("utm=1&utm=2&size=3")
    assert form_of(*PARAMETERS)(query).values()["size"] == 3
    with pytest.raises(BadParameter) as refused:
        api_values(PARAMETERS, query)
    assert list(refused.value.errors) == ["utm"]
