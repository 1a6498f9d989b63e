from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.urls import is_valid_path

_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class ApiSlashMiddleware:
    """Serves requests to the API that write as if their address had its last slash.

    Django would redirect them, and clients repeat a redirected POST as GET: an upload would be lost, and the answer be
    a list with status 200.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.method not in _SAFE_METHODS and _lacks_slash(request.path_info):
            request.path_info += "/"
            request.path += "/"
        return self._get_response(request)


def _lacks_slash(path: str) -> bool:
    return path.startswith("/api/") and not is_valid_path(path) and bool(is_valid_path(f"{path}/"))
