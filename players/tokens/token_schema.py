from __future__ import annotations

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension

from players.tokens.scopes import Scope, required_scope
from players.tokens.token_authentication import TokenAuthentication
from players.web.schema import ApiSchema


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # of drf-spectacular
    target_class = TokenAuthentication
    name = "tokenAuth"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        scopes = "; ".join(str(scope.label) for scope in Scope)
        return {
            "type": "http",
            "scheme": "bearer",
            "bearerFormat": "swb_ and 64 hexadecimal digits",
            "description": f"A token of the account page. Its scopes: {scopes}. `x-token-scope` says which one an operation needs.",
        }


class ScopeSchema(ApiSchema):
    """Adds ``x-token-scope`` to each operation, and takes tokens away from those that no token may use."""

    def get_auth(self) -> list[dict[str, Any]]:
        ways: list[dict[str, Any]] = super().get_auth()
        named = required_scope(self.view, self.method) is not None
        return [way for way in ways if named or TokenScheme.name not in way]

    def get_extensions(self) -> dict[str, Any]:
        scope = required_scope(self.view, self.method)
        return super().get_extensions() | ({"x-token-scope": scope.value} if scope else {})
