"""The schema leaves nothing to guess: every gap is listed here by its place."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.conf import settings
from django.test import Client

from config.api.examples import examples
from config.api.field_words import PATH_PARAMETERS, PROPERTIES
from config.api.openapi import operations
from tests.api_schema import api_schema

pytestmark = pytest.mark.django_db
_LONGEST_SUMMARY: Final = 70


@pytest.fixture
def schema() -> dict[str, Any]:
    return api_schema()


def gaps(schema: dict[str, Any]) -> Iterator[str]:
    """Yield what ``schema`` does not say."""
    tags = {one["name"] for one in schema.get("tags", ()) if one.get("description")}
    for _path, operation in operations(schema):
        name = operation["operationId"]
        summary = operation.get("summary", "")
        if not 0 < len(summary) <= _LONGEST_SUMMARY or summary.endswith("."):
            yield f"{name}: summary"
        if len(operation.get("tags", ())) != 1 or operation["tags"][0] not in tags:
            yield f"{name}: tag"
        if not has_example(operation):
            yield f"{name}: example"
        for parameter in operation.get("parameters", ()):
            if not parameter.get("description"):
                yield f"{name}: description of {parameter['name']}"
        for code, response in operation["responses"].items():
            if not response.get("description") and code >= "300":
                yield f"{name}: description of {code}"
    for name, component in schema["components"]["schemas"].items():
        if component.get("type") == "object" and not component.get("description"):
            yield f"{name}: description"
        for field, values in component.get("properties", {}).items():
            if not values.get("description") and not refers_to_object(values, schema):
                yield f"{name}.{field}: description"


def has_example(operation: dict[str, Any]) -> bool:
    """Return whether a request or an answer is shown; an operation without parameters that answers bytes has neither."""
    contents = [operation.get("requestBody", {}).get("content", {})]
    contents += [response.get("content", {}) for response in operation["responses"].values()]
    shown = any("example" in one for content in contents for one in content.values())
    return shown or any("example" in one for one in operation.get("parameters", ()))


def refers_to_object(values: dict[str, Any], schema: dict[str, Any]) -> bool:
    """Return whether ``values`` is nothing but a reference to an object, whose description is shown in its place."""
    name = values.get("$ref", "").rpartition("/")[2]
    return bool(name) and "properties" in schema["components"]["schemas"][name]


def test_the_schema_has_no_gaps(schema: dict[str, Any]) -> None:
    found = list(gaps(schema))
    assert not found, "\n".join(found)


def test_each_gap_is_found(schema: dict[str, Any]) -> None:
    operation = schema["paths"]["/api/v1/players/"]["get"]
    operation |= {"summary": "", "tags": ["unknown"]}
    for parameter in operation["parameters"]:
        del parameter["description"]
        parameter.pop("example", None)
    del operation["responses"]["200"]["content"]["application/json"]["example"]
    del schema["components"]["schemas"]["PlayerRef"]["properties"]["name"]["description"]
    del schema["components"]["schemas"]["PlayerPage"]["description"]
    assert set(gaps(schema)) == {
        "players_list: summary", "players_list: tag", "players_list: example", "PlayerRef.name: description",
        "PlayerPage: description",
    } | {f"players_list: description of {parameter['name']}" for parameter in operation["parameters"]}  # fmt: skip


def test_the_version_and_the_server_are_named(schema: dict[str, Any], client: Client) -> None:
    assert schema["info"]["version"] == client.get("/api/v1/").json()["version"] == "1.0.0"
    assert [server["url"] for server in schema["servers"]] == [settings.SITE_URL]


def test_choices_have_one_component_each(schema: dict[str, Any]) -> None:
    components = schema["components"]["schemas"]
    choices = [frozenset(map(str, one["enum"])) for one in components.values() if "enum" in one]
    assert len(set(choices)) == len(choices)


def test_no_word_is_kept_that_nothing_uses(schema: dict[str, Any]) -> None:
    fields = {field for one in schema["components"]["schemas"].values() for field in one.get("properties", {})}
    assert set(PROPERTIES) <= fields
    parts = {one["name"] for _path, operation in operations(schema) for one in operation.get("parameters", ())}
    assert set(PATH_PARAMETERS) <= parts
    assert set(examples()) == {operation["operationId"] for _path, operation in operations(schema)}
