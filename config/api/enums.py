"""Enumerations of the schema: one component for each set of choices, whoever uses it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from typing import Any, Final

from analysis.recording import Level
from analysis.statistics import RANKED, STORED
from players.leaderboards.boards import CORPSE_STATISTICS, ON_LEVEL, STYLES
from players.leaderboards.pages.export import TYPES
from players.web.statistic_names import public_names
from replays.browse.lists.filters import SORTS

Schema = dict[str, Any]

#: Components that no model and no single parameter names well.
NAMED: Final[dict[str, Collection[str]]] = {
    "BoardLevelEnum": tuple(ON_LEVEL),
    "CorpseStatisticEnum": public_names(CORPSE_STATISTICS),
    "ExportFormatEnum": tuple(TYPES),
    "LevelEnum": tuple(Level),
    "RankedStatisticEnum": public_names(RANKED),
    "ReplaySortEnum": SORTS,
    "StoredStatisticEnum": public_names(STORED),
    "StyleFilterEnum": STYLES,
}
_BY_CHOICES: Final = {frozenset(map(str, choices)): name for name, choices in NAMED.items()}
_REFERENCE: Final = "#/components/schemas/"


def share_enums(schema: Schema) -> None:
    """Let every parameter with choices refer to the component of these choices, and make those that are missing."""
    components = schema["components"]["schemas"]
    _rename(schema, components)
    by_choices = {frozenset(one["enum"]): name for name, one in components.items() if "enum" in one}
    uses = list(_parameter_enums(schema))
    sets_of_name = defaultdict(set)
    for parameter, _operation, values in uses:
        sets_of_name[parameter].add(frozenset(values["enum"]))
    for parameter, operation, values in uses:
        choices = frozenset(values["enum"])
        if choices not in by_choices:
            alone = f"{_camel(parameter)}Enum"
            is_free = len(sets_of_name[parameter]) == 1 and alone not in components
            name = _BY_CHOICES.get(choices) or (alone if is_free else f"{_camel(operation)}{alone}")
            components[name] = {"type": "string", "enum": values["enum"]}
            by_choices[choices] = name
        _refer(values, by_choices[choices])
    schema["components"]["schemas"] = dict(sorted(components.items()))


def _parameter_enums(schema: Schema) -> Iterator[tuple[str, str, Schema]]:
    """Yield the name of each parameter with choices, its operation, and the schema that has the choices."""
    for methods in schema["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", ()):
                values = parameter["schema"]
                values = values.get("items", values)
                if "enum" in values:
                    yield parameter["name"], operation["operationId"], values


def _refer(values: Schema, name: str) -> None:
    """Put a reference to ``name`` in place of the choices of ``values``."""
    del values["enum"], values["type"]
    if values:  # a default; nothing may stand beside a reference in OpenAPI 3.0
        values["allOf"] = [{"$ref": _REFERENCE + name}]
    else:
        values["$ref"] = _REFERENCE + name


def _rename(schema: Schema, components: Schema) -> None:
    """Give components that have the choices of a name of ours that name."""
    new_names = {
        name: _BY_CHOICES[choices]
        for name, one in components.items()
        if (choices := frozenset(map(str, one.get("enum", ())))) in _BY_CHOICES
    }
    for old, new in new_names.items():
        components[new] = components.pop(old)
    references = {_REFERENCE + old: _REFERENCE + new for old, new in new_names.items()}
    for one in _objects(schema):
        if one.get("$ref") in references:
            one["$ref"] = references[one["$ref"]]


def _objects(value: object) -> Iterator[Schema]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for inner in value if isinstance(value, list) else ():
        yield from _objects(inner)


def _camel(name: str) -> str:
    return "".join(part.title() for part in name.split("_"))
