"""The Content-Security-Policy header."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

Handler = Callable[[HttpRequest], HttpResponse]

#: What a page may load, and from where: this site alone, nothing written into the page itself.
_POLICY = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "img-src": "'self' data:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}
#: The documentation of the API and the browsable API come from packages that write scripts and styles into the page.
_LOOSER_PATHS = ("/api/",)
_LOOSER = _POLICY | {"script-src": "'self' 'unsafe-inline'", "style-src": "'self' 'unsafe-inline'"}


def _header(policy: dict[str, str]) -> str:
    return "; ".join(f"{name} {sources}" for name, sources in policy.items())


class ContentSecurityPolicyMiddleware:
    """Sets a policy that allows scripts and styles of this site only (a looser one below ``_LOOSER_PATHS``).

    A header that the view has set itself is not changed.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        policy = _LOOSER if request.path.startswith(_LOOSER_PATHS) else _POLICY
        response.headers.setdefault("Content-Security-Policy", _header(policy))
        return response
