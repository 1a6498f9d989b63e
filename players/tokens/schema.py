"""The OpenAPI schema says which scope of a token each operation needs."""

from __future__ import annotations

from typing import Any

from players.tokens.scopes import required_scope
from players.web.schema import ApiSchema


class ScopeSchema(ApiSchema):
    """Adds ``x-token-scope`` to each operation."""

    def get_extensions(self) -> dict[str, Any]:
        scope = required_scope(self.view, self.method)
        return super().get_extensions() | ({"x-token-scope": scope.value} if scope else {})
