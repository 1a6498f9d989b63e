from __future__ import annotations

from drf_spectacular.authentication import SessionScheme
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request


class CsrfFailed(PermissionDenied):
    """A request that writes with a session cookie, but without the token that only pages of this site have (403)."""

    default_code = "csrf_failed"


class ApiSessionAuthentication(SessionAuthentication):
    """The session of a browser; a missing form token has an error of its own, to tell it from a missing right."""

    def enforce_csrf(self, request: Request) -> None:
        """Raises :class:`CsrfFailed`."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied as error:
            raise CsrfFailed(str(error.detail)) from error


class ApiSessionScheme(SessionScheme):  # type: ignore[no-untyped-call]  # it registers itself
    target_class = "players.web.authentication.ApiSessionAuthentication"
