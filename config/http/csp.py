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
_HEADER = "; ".join(f"{name} {sources}" for name, sources in _POLICY.items())


class ContentSecurityPolicyMiddleware:
    """Sets a policy that allows scripts and styles of this site only, none of them inside of a page.

    A header that the view has set itself is not changed.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", _HEADER)
        return response
