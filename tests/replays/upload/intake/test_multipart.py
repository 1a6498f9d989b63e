from __future__ import annotations

from io import BytesIO

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from analysis.limits import MAX_PART_HEADER_BYTES
from replays.models import Replay
from replays.upload.intake.multipart import Utf8Headers
from tests.replays.games import game_file

BOUNDARY = b"xYzZY"


def converted(body: bytes, size: int = 64 * 1024) -> bytes:
    stream = Utf8Headers(BytesIO(body), BOUNDARY)
    found = b""
    while piece := stream.read(size):
        found += piece
    return found


def part(headers: bytes, content: bytes) -> bytes:
    return b"--" + BOUNDARY + b"\r\n" + headers + b"\r\n\r\n" + content + b"\r\n"


def body(*parts: bytes) -> bytes:
    return b"".join(parts) + b"--" + BOUNDARY + b"--\r\n"


def file_headers(name: bytes) -> bytes:
    return b'Content-Disposition: form-data; name="file"; filename="' + name + b'"\r\nContent-Type: image/x'


@given(st.binary(max_size=300), st.integers(1, 50))
def test_contents_are_not_changed(content: bytes, size: int) -> None:
    whole = body(part(b'Content-Disposition: form-data; name="a"', content), part(file_headers(b"b"), content * 3))
    assert converted(whole, size) == whole
    assert converted(content, size) == content


@given(st.lists(st.sampled_from([b"\r", b"\n", b"--", BOUNDARY, b"--" + BOUNDARY, b"\r\n\r\n", b"\xb4\xf2", b"x"])))
def test_the_result_does_not_depend_on_read_sizes(pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    at_once = converted(whole)
    assert all(converted(whole, size) == at_once for size in (1, 2, 3, 7))


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("扫雷 38.82.avf".encode("gbk"), "扫雷 38.82.avf"),
        ("扫雷.avf".encode(), "扫雷.avf"),
        ("\xe9t\xe9.avf".encode("latin-1"), "été.avf"),
        (b"plain.avf", "plain.avf"),
    ],
)
def test_names_are_converted_to_utf8_and_contents_are_not_changed(name: bytes, shown: str) -> None:
    content = bytes(range(256)) * 3
    found = converted(body(part(file_headers(name), content)), 10)
    assert found == body(part(file_headers(shown.encode()), content))


def test_headers_without_an_end_are_not_changed() -> None:
    whole = b"--" + BOUNDARY + b"\r\n" + b"\xb4\xf2" * MAX_PART_HEADER_BYTES
    assert converted(whole, 100) == whole


def test_an_empty_part_does_not_affect_others() -> None:
    first = b"--" + BOUNDARY + b"\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n"
    found = converted(first + body(part(file_headers("雷".encode("gbk")), b"content")))
    assert found == first + body(part(file_headers("雷".encode()), b"content"))


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/upload/", "/api/v1/replays/"])
def test_no_file_is_lost_for_its_name(owner_client: Client, path: str) -> None:
    names = ["雷神.avf".encode("gbk"), "\xe9t\xe9.avf".encode("latin-1"), b"plain.avf"]
    fields = [part(file_headers(name), game_file(number)) for number, name in enumerate(names)]
    if path == "/upload/":
        fields = [field.replace(b'name="file"', b'name="files"') for field in fields]
    kind = f"multipart/form-data; boundary={BOUNDARY.decode()}"
    response = owner_client.generic("POST", path, body(*fields), content_type=kind)
    assert response.status_code in {200, 202, 302}, response.content
    assert set(Replay.objects.values_list("original_name", flat=True)) == {"雷神.avf", "été.avf", "plain.avf"}
