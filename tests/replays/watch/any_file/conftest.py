from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

PAGE = "/watch/"
API = "/api/v1/watch/"
#: Sends a file to one of both addresses.
Watch = Callable[..., Any]


@pytest.fixture
def watch(client: Client) -> Watch:
    def send(data: bytes, address: str = PAGE, name: str = "game.rawvf") -> Any:
        return client.post(address, {"file": SimpleUploadedFile(name, data)})

    return send
