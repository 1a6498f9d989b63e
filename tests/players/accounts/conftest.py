"""Visitors who sign in, each from an address of their own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from tests.conftest import PASSWORD


@dataclass
class Person:
    """A browser at one address."""

    address: str = "192.0.2.1"
    client: Client = field(default_factory=Client)

    def post(self, path: str, data: dict[str, Any], **headers: str) -> Any:
        """Send a form."""
        return self.client.post(path, data, REMOTE_ADDR=self.address, headers=headers)

    def sign_in(self, name: str, password: str = PASSWORD, **headers: str) -> bool:
        """Try to sign in; whether it succeeded."""
        self.post("/sign-in/", {"login": name, "password": password}, **headers)
        return self.is_signed_in

    @property
    def is_signed_in(self) -> bool:
        """Whether the browser has the session of an account."""
        return "_auth_user_id" in self.client.session

    def sign_out(self) -> None:
        """End the session; cookies of the browser stay."""
        self.client.post("/sign-out/")


@pytest.fixture
def person() -> Person:
    return Person()
