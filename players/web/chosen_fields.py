"""``?fields=id,statistics.time``: responses with chosen fields alone.

A serializer with :class:`ChosenFields` computes only these.  Since any field may be left out, its schema requires none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from rest_framework import serializers

from players.web.parameters import Parameter, list_pattern

#: The names of chosen fields; None: all.
Chosen = Collection[str] | None
#: The key of a serializer's context.
CONTEXT: Final = "fields"
_MOST: Final = 300


def fields_of(serializer: type[serializers.Serializer[Any]], inner: Mapping[str, Iterable[str]]) -> Parameter[Chosen]:
    """The parameter ``fields`` of an operation that answers with ``serializer``; ``inner``: names inside of its maps."""
    names = list(serializer().fields)
    dotted = [f"{name}.{one}" for name, ones in inner.items() for one in ones]
    known = {*names, *dotted}

    def parse(text: str) -> frozenset[str]:
        given = {part.strip() for part in text.split(",")}
        if unknown := sorted(given - known):
            raise ValueError(_("The field “%(name)s” doesn't exist.") % {"name": unknown[0]})
        return frozenset(given)

    patterns = [*names, *(rf"{name}\.({'|'.join(ones)})" for name, ones in inner.items())]
    examples = f"{names[0]},{dotted[0]}" if dotted else names[0]
    return Parameter[Chosen](
        "fields", parse, None, {"type": "string", "pattern": list_pattern(patterns, _MOST)},
        f"Only these fields, with commas between, as `{examples}`; without it all of them.",
    )  # fmt: skip


def chosen_inside(chosen: Chosen, name: str) -> Chosen:
    """The chosen names inside of the map ``name``; None: all of them."""
    if chosen is None or name in chosen:
        return None
    return {one.partition(".")[2] for one in chosen if one.startswith(f"{name}.")}


class ChosenFields(serializers.Serializer[Any]):
    """A serializer with the fields of its context's ``fields``; all without one."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        chosen: Chosen = self.context.get(CONTEXT)
        if chosen is None:
            return fields
        top = {name.partition(".")[0] for name in chosen}
        return {name: field for name, field in fields.items() if name in top}


class _NothingRequired(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]  # it registers itself
    target_class = ChosenFields
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Any) -> dict[str, Any]:
        schema: dict[str, Any] = auto_schema._map_serializer(  # type: ignore[no-untyped-call]
            self.target, direction, bypass_extensions=True
        )
        schema.pop("required", None)
        return schema
