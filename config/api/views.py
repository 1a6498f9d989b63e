from __future__ import annotations

import threading
from typing import ClassVar, Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.translation import get_language, gettext, override
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework import serializers
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from analysis import limits
from analysis.limits import MAX_REPLAY_BYTES
from players.web.api import PublicView, Values
from players.web.parameters import DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, api_values, choice
from players.web.problems import PROBLEMS
from replays.odds.positions.budget import POSITION_LIMIT
from replays.upload.intake.selectors import MAX_STATUSES

#: The names of the addresses that the index links to, under the words of its ``links``.
_LINKS: Final = {
    "start": "api-start",
    "changes": "api-changes",
    "docs": "api-docs",
    "errors": "api-errors",
    "schema": "api-schema",
    "events": "api-events",
    "data": "api-data",
    "leaderboards": "api-leaderboards",
    "players": "api-players",
    "probability": "api-probability",
    "record_holders": "api-record-holders",
    "records": "api-records",
    "replays": "api-replays",
    "replay_status": "api-replay-status",
    "search": "api-search",
    "solver": "api-solver-stages",
    "statistics": "api-statistics",
}


class IndexSerializer(serializers.Serializer[Values]):
    """The index of the API."""

    name = serializers.CharField(help_text="Name of the site's software.")
    version = serializers.CharField(help_text="Version of the API, as in the schema.")
    links = serializers.DictField(child=serializers.CharField(), help_text="Addresses to begin with.")


class IndexView(PublicView):
    """The index."""

    @extend_schema(operation_id="index", tags=["index"], responses={200: IndexSerializer})
    def get(self, request: Request) -> Response:
        """List the addresses to begin with.

        `start` explains how to use them, `schema` describes all of them.
        """
        links = {word: reverse(name) for word, name in _LINKS.items()}
        return Response(
            IndexSerializer(
                {"name": "Sweepbook", "version": settings.SPECTACULAR_SETTINGS["VERSION"], "links": links}
            ).data
        )


class SchemaView(SpectacularAPIView):
    """The OpenAPI schema, as YAML or JSON: made once a process, language and format, which takes seconds."""

    _LANGUAGE: Final = choice("lang", [code for code, _name in settings.LANGUAGES])
    #: The generator must not run twice at once.  Nobody waits: one such page is worked on at a time (``config.http.lanes``).
    _making = threading.Lock()
    _made: ClassVar[dict[tuple[str, str], bytes]] = {}

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: object, **kwargs: object) -> HttpResponse:
        """The schema."""
        language = api_values([self._LANGUAGE], request.query_params)["lang"] or get_language()
        renderer = request.accepted_renderer
        with self._making, override(language):
            content = self._made.get((language, renderer.format)) or self._make(language, renderer)
        response = HttpResponse(content, content_type=request.accepted_media_type)
        response["Content-Disposition"] = f'inline; filename="sweepbook.{renderer.format}"'
        response["Content-Language"] = language
        return response

    def _make(self, language: str, renderer: BaseRenderer) -> bytes:
        schema = self.generator_class(urlconf=self.urlconf).get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
        self._made[language, renderer.format] = content = force_bytes(renderer.render(schema, renderer_context={}))
        return content


@require_safe
def documentation(request: HttpRequest) -> HttpResponse:
    return render(request, "api/docs.html", {"schema": reverse("api-schema")})


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    context = {
        "site": settings.SITE_URL,
        "version": settings.SPECTACULAR_SETTINGS["VERSION"],
        "page_size": DEFAULT_PAGE_SIZE,
        "max_page_size": MAX_PAGE_SIZE,
        "max_statuses": MAX_STATUSES,
        "max_files": limits.UPLOAD_MAX_FILES,
        "max_file_bytes": MAX_REPLAY_BYTES,
        "max_archive_bytes": limits.ARCHIVE_MAX_BYTES,
        "quota_files": settings.UPLOAD_QUOTA_FILES,
        "quota_mb": settings.UPLOAD_QUOTA_MB,
        "position_rate": POSITION_LIMIT.rate,
    }
    return render(request, "api/start.html", context)


@require_safe
def errors(request: HttpRequest) -> HttpResponse:
    """The table of the codes of problems, each with an anchor that the ``type`` of a problem links to."""
    rows = [
        {"code": code, "status": int(kind.status), "phrase": kind.status.phrase, "advice": gettext(kind.advice)}
        for code, kind in PROBLEMS.items()
    ]
    return render(request, "api/errors.html", {"rows": rows})
