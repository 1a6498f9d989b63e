"""Values of JSON bodies have the types that the schema names; those of forms are texts."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from rest_framework import serializers

from players.models import User
from players.web.api import Values
from players.web.json_bodies import JsonBody
from tests.api_schema import api_schema


class Body(JsonBody[Values]):
    word = serializers.CharField(required=False)
    kind = serializers.ChoiceField(["0", "a"], required=False)
    whole = serializers.IntegerField(required=False, allow_null=True)
    number = serializers.FloatField(required=False)
    flag = serializers.BooleanField(required=False)
    words = serializers.ListField(child=serializers.CharField(), required=False)
    kinds = serializers.ListField(child=serializers.ChoiceField(["0", "a"]), required=False)


RIGHT = {"word": "0", "kind": "0", "whole": 3, "number": 3, "flag": False, "words": ["a"]}


def test_right_types_are_taken() -> None:
    given = Body(data=RIGHT)
    assert given.is_valid(), given.errors
    assert given.validated_data == RIGHT
    assert Body(data={"whole": None}).is_valid()


WRONG: dict[str, list[object]] = {
    "word": [0, 1.5, True, [], {}],
    "kind": [0, True, ["a"]],
    "whole": ["3", True, 1.5, [3]],
    "number": ["3", True, [3.0]],
    "flag": ["true", "on", 1, 0, 1.0, [True]],
    "words": ["a", 1, {"0": "a"}],
}


def test_wrong_types_are_refused() -> None:
    for name, value in ((name, value) for name, values in WRONG.items() for value in values):
        given = Body(data={name: value})
        assert not given.is_valid(), (name, value)
        assert set(given.errors) == {name}, (name, value)


@pytest.mark.parametrize("value", ["b", 0, ""])
def test_what_may_be_chosen_is_named(value: object) -> None:
    given = Body(data={"kind": value, "kinds": ["a", value]})
    assert not given.is_valid()
    assert "Choose one of: 0, a." in str(given.errors["kind"])
    assert "Choose one of: 0, a." in str(given.errors["kinds"])


@pytest.mark.parametrize("form", [False, True])
def test_unknown_fields_are_named(form: bool) -> None:
    given = Body(data=QueryDict("word=a&wrd=b") if form else {"word": "a", "wrd": "b"})
    assert not given.is_valid()
    assert set(given.errors) == {"wrd"}
    assert Body(data=QueryDict("word=a&csrfmiddlewaretoken=x")).is_valid()


def test_not_all_of_very_many_unknown_fields_are_told() -> None:
    given = Body(data={str(number) + "x" * 1_000: 1 for number in range(100)})
    assert not given.is_valid()
    assert len(str(given.errors)) < 2_000


def test_the_place_in_a_list_is_told() -> None:
    given = Body(data={"words": ["a", 1]})
    assert not given.is_valid()
    assert set(given.errors["words"]) == {1}


def test_values_of_forms_are_texts() -> None:
    given = Body(data=QueryDict("whole=3&number=2.5&flag=on&words=a&words=b"))
    assert given.is_valid(), given.errors
    assert given.validated_data == {"whole": 3, "number": 2.5, "flag": True, "words": ["a", "b"]}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "body", "field"),
    [
        ("/api/v1/probability/", {"rows": [".1"], "mines": "1"}, "mines"),
        ("/api/v1/play/tickets/", {"purpose": "solo", "level": 5}, "level"),
        ("/api/v1/play/rooms/", {"name": 5}, "name"),
        ("/api/v1/play/rooms/", {"name": "Ours", "nmae": 5}, "nmae"),
        ("/api/v1/me/known-files/", {"sha256": [], "hash": []}, "hash"),
    ],
)
def test_addresses_of_the_api(client: Client, address: str, body: Values, field: str) -> None:
    client.force_login(User.objects.create_user("ada"))
    response = client.post(address, body, content_type="application/json")
    assert response.status_code == 400
    assert set(response.json()["errors"]) == {field}


def _below(cls: Any) -> set[Any]:
    return {cls} | {found for one in cls.__subclasses__() for found in _below(one)}


@pytest.mark.django_db
def test_every_serializer_of_a_body_is_one() -> None:
    """The bodies that the schema names, but for uploads, which are forms."""
    schema = api_schema()
    bodies = {
        content["schema"]["$ref"].rsplit("/", 1)[-1]
        for operations in schema["paths"].values()
        for operation in operations.values()
        for kind, content in operation.get("requestBody", {}).get("content", {}).items()
        if kind == "application/json" and "$ref" in content["schema"]
    }
    strict = {cls.__name__.removesuffix("Serializer") for cls in _below(JsonBody)}
    assert len(bodies) > 7
    names = {name.removeprefix("Patched") for name in bodies}
    assert {name for name in names if not {name, name.removesuffix("Request")} & strict} == set()
