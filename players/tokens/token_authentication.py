from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from players.models import ApiToken, User
from players.tokens.scopes import Scope, required_scope
from players.tokens.selectors import token_of_key
from players.tokens.services import token_used
from players.web.banned import ban_refusal

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports this module, as the settings say

_SCHEMES: Final = frozenset({b"token", b"bearer"})


class ScopeMissing(PermissionDenied):
    """The token is valid, but not for this kind of requests (403)."""

    default_code = "scope_missing"


class BannedAccount(PermissionDenied):
    """The token is valid, but its account is banned (403)."""

    default_code = "banned"


class TokenAuthentication(BaseAuthentication):
    """``Authorization: Bearer KEY`` or ``Authorization: Token KEY``; the token must have the scope of the request.

    It is checked here and not by a permission, so that no view can be without the check.
    """

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        token = token_of_request(request)
        if token is None:
            return None
        view: APIView | None = (request.parser_context or {}).get("view")
        _require(token, required_scope(view, request.method or "GET"))
        match = request.resolver_match
        refusal = ban_refusal(token.user, request.method or "GET", None if match is None else match.url_name)
        if refusal:
            raise BannedAccount(refusal)
        token_used(token)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Token"


def token_of_request(request: Request | HttpRequest) -> ApiToken | None:
    """The token that a request carries; None without one.  Raises ``AuthenticationFailed`` if it is not valid."""
    words = get_authorization_header(request).split()  # type: ignore[arg-type]  # it reads META, which both have
    if not words or words[0].lower() not in _SCHEMES:
        return None
    if len(words) != 2 or not words[1].isascii():
        raise AuthenticationFailed(_("Send the token as “Authorization: Bearer <token>”."))
    token = token_of_key(words[1].decode("ascii"))
    if token is None:
        raise AuthenticationFailed(_("This token is unknown, expired or revoked."))
    token.user.is_without_staff_power = True  # of the account of this request alone; it is not saved
    return token


def has_scope(token: ApiToken, scope: Scope) -> bool:
    return scope in token.scopes.split()


def _require(token: ApiToken, scope: Scope | None) -> None:
    if scope is None:
        raise ScopeMissing(_("You can't do this with a token."))
    if not has_scope(token, scope):
        raise ScopeMissing(
            _("This token lacks the scope “%(wanted)s”; it has: %(scopes)s.")
            % {"wanted": scope.value, "scopes": token.scopes or "-"}
        )
