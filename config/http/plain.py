from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.views.decorators.http import require_safe

#: Filters and cursors make endless addresses of the same replays; accounts are nobody's business.
_ROBOTS = """User-agent: *
Disallow: /account/
Disallow: /admin/
Disallow: /search/
Disallow: /staff/
Disallow: /upload/
Disallow: /replays/*/file
Disallow: /replays/*.rawvf
Disallow: /replays/*/rzini/
Disallow: /*?*cursor=
"""


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse(_ROBOTS, content_type="text/plain; charset=utf-8")


@require_safe
def favicon(request: HttpRequest) -> HttpResponse:
    return redirect(static("web/logo.svg"), permanent=True)
