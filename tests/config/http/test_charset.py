from __future__ import annotations

from itertools import product

import pytest
from django.test import Client

from tests.cases import check_each


def test_a_codec_that_makes_no_text_is_refused(client: Client) -> None:
    def is_refused(path: str, charset: str) -> None:
        body_type = f"application/x-www-form-urlencoded; charset={charset}"
        response = client.generic("POST", path, b"a=b", content_type=body_type)
        assert response.status_code == 400
        assert "no charset of that name" in response.content.decode("ascii")

    paths, charsets = ("/upload/", "/api/v1/replays/", "/sign-in/"), ("hex", "rot13", "undefined", "nope", "\u0416")
    check_each(is_refused, product(paths, charsets))


@pytest.mark.django_db
def test_others_are_taken(client: Client) -> None:
    name = 'Content-Disposition: form-data; name="login"'
    body = f"--b\r\n{name}\r\n\r\n\u96f7\r\n--b--\r\n".encode("gbk")
    response = client.generic("POST", "/sign-in/", body, content_type="multipart/form-data; boundary=b; charset=GBK")
    assert "\u96f7" in response.content.decode()
