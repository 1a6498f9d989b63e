"""Every API view says which scope its methods need, and tokens without it are refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.views import APIView

from players.models import User
from players.tokens.scopes import Scope, required_scope
from players.tokens.services import token_create
from replays.models import Replay
from tests.cases import check_each_on_site
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db

#: What stands for each argument of an address.
ARGUMENTS = {
    "int:pk": "1", "uuid:pk": "01234567-89ab-cdef-0123-456789abcdef", "str:level": "expert", "statistic:statistic": "time",
    "int:n": "60", "slug:slug": "a-room", "int:epoch": "1", "str:name": "progress", "int:other": "1", "str:kind": "csv",
    "int:event": "40",
}  # fmt: skip


def routes(
    patterns: list[URLPattern | URLResolver] | None = None, prefix: str = "/"
) -> Iterator[tuple[str, URLPattern]]:
    for entry in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(entry, URLResolver):
            yield from routes(entry.url_patterns, prefix + str(entry.pattern))
        else:
            yield prefix + str(entry.pattern), entry


def api_views() -> dict[str, type[APIView]]:
    found = {}
    for route, entry in routes():
        view = getattr(entry.callback, "cls", None)
        if isinstance(view, type) and issubclass(view, APIView):
            address = route
            for argument, value in ARGUMENTS.items():
                address = address.replace(f"<{argument}>", value)
            assert "<" not in address, f"{route} has an argument that this test does not know"
            found[address] = view
    return found


VIEWS = api_views()
METHODS = [(address, method) for address, view in VIEWS.items() for method in ("get", "post", "put", "patch", "delete")
           if hasattr(view, method) and method in view.http_method_names]  # fmt: skip


def client_with(user: User, *scopes: Scope) -> Client:
    _token, key = token_create(user, "script", scopes)
    return Client(headers={"authorization": f"Bearer {key}"})


def test_the_site_has_api_views() -> None:
    assert ("/api/v1/replays/", "post") in METHODS


def test_every_method_needs_its_scope(staff: User) -> None:
    with_one = {scope: client_with(staff, scope) for scope in Scope}
    with_others = {scope: client_with(staff, *(other for other in Scope if other != scope)) for scope in Scope}

    def needs_its_scope(address: str, method: str) -> None:
        wanted = required_scope(VIEWS[address](), method.upper())
        assert wanted is not None, "a view that writes names its scope in token_scopes"
        refused = getattr(with_others[wanted], method)(address)
        assert refused.status_code == 403
        if "json" in refused.headers["Content-Type"]:  # the documentation is a page
            assert f"“{wanted.value}”" in json.loads(refused.content)["detail"]
        assert getattr(with_one[wanted], method)(address).status_code not in {401, 403}

    check_each_on_site(needs_its_scope, METHODS)


def test_a_view_that_names_no_scope_takes_no_token() -> None:
    assert required_scope(APIView(), "POST") is None
    assert required_scope(None, "DELETE") is None


def test_a_token_has_no_power_of_staff(staff: User, ingest: Any) -> None:
    hidden = ingest(game_file())
    Replay.objects.filter(pk=hidden.pk).update(status=Replay.Status.REJECTED)
    address = f"/api/v1/replays/{hidden.pk}/"
    session = Client()
    session.force_login(staff)
    assert session.get(address).status_code == 200
    assert client_with(staff, *Scope).get(address).status_code == 404
    assert client_with(staff, *Scope).delete(address).status_code == 404


def test_a_body_is_not_read_for_a_token_without_upload(owner: User) -> None:
    from replays.upload.intake.permissions import sender_problem

    for scopes, may in (([Scope.READ], False), ([Scope.UPLOAD], True)):
        _token, key = token_create(owner, "script", scopes)
        environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/upload/", "HTTP_AUTHORIZATION": f"Bearer {key}",
                   "wsgi.input": BytesIO(), "SERVER_NAME": "x", "SERVER_PORT": "80"}  # fmt: skip
        assert (sender_problem(environ) is None) is may


def test_the_form_of_pages_takes_no_token(owner: User) -> None:
    client = client_with(owner, *Scope)
    client.post("/upload/", {"files": SimpleUploadedFile("a", game_file())})
    assert not Replay.objects.exists()
    assert client.get("/account/").status_code == 302


def test_the_schema_says_it(client: Client) -> None:
    schema = json.loads(client.get("/api/v1/schema", headers={"accept": "application/vnd.oai.openapi+json"}).content)
    assert schema["components"]["securitySchemes"]["tokenAuth"]["scheme"] == "bearer"
    operations = schema["paths"]["/api/v1/replays/"]
    assert operations["get"]["x-token-scope"] == "read"
    assert operations["post"]["x-token-scope"] == "upload"
    assert {"tokenAuth": []} in operations["post"]["security"]
    assert all("x-token-scope" in one for of in schema["paths"].values() for one in of.values())
