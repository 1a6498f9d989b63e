from __future__ import annotations

from typing import Any

from players.tokens.scopes import required_scope
from players.tokens.token_authentication import TokenScheme
from players.web.schema import ApiSchema


class ScopeSchema(ApiSchema):
    """Adds ``x-token-scope`` to each operation, and takes tokens away from those that no token may use."""

    def get_auth(self) -> list[dict[str, Any]]:
        ways: list[dict[str, Any]] = super().get_auth()
        named = required_scope(self.view, self.method) is not None
        return [way for way in ways if named or TokenScheme.name not in way]

    def get_extensions(self) -> dict[str, Any]:
        scope = required_scope(self.view, self.method)
        return super().get_extensions() | ({"x-token-scope": scope.value} if scope else {})
