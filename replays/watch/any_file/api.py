from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from players.tokens.scopes import Scope
from players.web.api import ProblemSerializer, PublicView
from players.web.json_bodies import refuse_unknown
from players.web.problems import CONTENT_TYPE
from replays.watch.any_file.in_memory import keep_in_memory
from replays.watch.any_file.selectors import WATCH_LIMIT, count_file, unreadable, watched_file
from replays.watch.any_file.serializers import FileToWatchSerializer, WatchedFileSerializer, file_values

_PROBLEMS = {
    (400, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "There is no file, or the form cannot be read."),
    (413, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "The file is too large."),
    (422, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "It is no replay, or it is damaged, or takes too long."),
    (429, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Too many files in a while."),
    (503, CONTENT_TYPE): OpenApiResponse(ProblemSerializer, "Many files wait, or the site is getting ready; Retry-After says when to try again."),
}  # fmt: skip


class WatchFileView(PublicView):
    """Any file."""

    permission_classes = [AllowAny]
    token_scopes = {"POST": Scope.READ}  # it changes nothing
    parser_classes = [MultiPartParser]
    rate_limits = {"POST": (WATCH_LIMIT,)}
    needs_kernels = True

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """Keep the file in memory: who asks is known from the form already, if it is a session."""
        keep_in_memory(request)
        return super().initialize_request(request, *args, **kwargs)

    @extend_schema(
        operation_id="watch_file",
        request={"multipart/form-data": FileToWatchSerializer},
        responses={200: WatchedFileSerializer, **_PROBLEMS},
    )
    def post(self, request: Request) -> Response:
        """Analyse a replay file without uploading it.

        With its film, its numbers and the findings of the file alone.  Nothing is stored; luck and the review come with
        an upload.
        """
        count_file(request)
        refuse_unknown([*request.POST, *request.FILES], ("file",))
        file = request.FILES.get("file")
        if file is None:
            raise unreadable("no_file", code="no_file")
        values = WatchedFileSerializer(file_values(watched_file(file.read()))).data
        return Response(values, headers={"Cache-Control": "no-store"})
