"""The public names of statistics in addresses, parameters and the API.

The registry has them (``Statistic.public``).  Views and what they call use the names of the code (``Statistic.name``);
what is here turns one into the other at the edge.  Aliases are understood wherever a name is read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from django.urls import register_converter
from django.utils.translation import gettext as _
from rest_framework import serializers

from analysis.statistics import BY_ANY_NAME, BY_NAME, Statistic
from players.web.parameters import Parameter


def public_name(name: str) -> str:
    """Return the public name of the statistic ``name``; anything else, as ``sub40``, as it is."""
    row = BY_NAME.get(name)
    return name if row is None else row.public


def public_names(rows: Iterable[Statistic]) -> list[str]:
    return [row.public for row in rows]


def code_name(name: str) -> str:
    """Return the name in the code of the statistic that people call ``name``; any other word as it is."""
    row = BY_ANY_NAME.get(name)
    return name if row is None else row.name


class StatisticConverter:
    """The part ``<statistic:…>`` of an address; a word that is no statistic is left for the view to refuse."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return code_name(value)

    def to_url(self, value: str) -> str:
        return public_name(value)


register_converter(StatisticConverter, "statistic")


def statistic_choice(
    name: str, rows: Collection[Statistic], *, default: str | None = None, description: str = ""
) -> Parameter[str | None]:
    """A parameter that names one of ``rows``; its value, and ``default``, are names of the code."""
    public = public_names(rows)
    schema: dict[str, object] = {"type": "string", "enum": public}
    if default is not None:
        schema["default"] = public_name(default)

    def parse(text: str) -> str:
        row = BY_ANY_NAME.get(text.lower())
        if row is None or row not in rows:
            raise ValueError(_("Choose one of: %(choices)s.") % {"choices": ", ".join(public)})
        return row.name

    return Parameter(name, parse, default, schema, description)


class StatisticField(serializers.CharField):
    """The public name of a statistic."""

    def to_representation(self, value: object) -> str:
        return public_name(str(value))
