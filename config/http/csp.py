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
    "frame-src": "'self'",  # the viewer of a game, which boards load on demand
    "manifest-src": "'self'",
    "form-action": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'none'",
}


def _header(directives: dict[str, str]) -> str:
    return "; ".join(f"{name} {sources}" for name, sources in directives.items())


_HEADER = _header(_POLICY)
_FRAMED = _header(_POLICY | {"frame-ancestors": "*"})


class ContentSecurityPolicyMiddleware:
    """Sets a policy that allows scripts and styles of this site only, none of them inside of a page.

    A header that the view has set itself is not changed.  Views that are exempt from ``X-Frame-Options``
    (``xframe_options_exempt``) may be shown in frames of other sites.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        framed = getattr(response, "xframe_options_exempt", False)
        response.headers.setdefault("Content-Security-Policy", _FRAMED if framed else _HEADER)
        return response
