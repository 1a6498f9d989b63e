"""The error responses of the API: problem details (RFC 9457), one form for everything under ``/api/``.

:data:`PROBLEMS` has every code that a response may carry; ``/api/v1/docs/errors/`` shows it, and the ``type`` of a
problem links to its row there.  A code never changes its meaning; new ones may be added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from players.web import log_fields

CONTENT_TYPE: Final = "application/problem+json"
API_PREFIX: Final = "/api/"
DOCUMENTATION_PATH: Final = "/api/v1/docs/errors/"


@dataclass(frozen=True, slots=True)
class ProblemType:
    """A row of the table of codes: the HTTP status, and what the client can do (English, translated when shown)."""

    status: HTTPStatus
    advice: str


PROBLEMS: Final[dict[str, ProblemType]] = {
    # --- the request ---
    "bad_parameter": ProblemType(
        HTTPStatus.BAD_REQUEST,
        _("“errors” names each parameter that is unknown or unreadable or that conflicts with another."),
    ),
    "bad_cursor": ProblemType(
        HTTPStatus.BAD_REQUEST,
        _("Pass next_cursor and previous_cursor on unchanged, with the parameters of the request that returned them."),
    ),
    "bad_request": ProblemType(
        HTTPStatus.BAD_REQUEST,
        _("The request body doesn't match the documentation. “errors” lists the fields we could identify."),
    ),
    "bad_host": ProblemType(HTTPStatus.BAD_REQUEST, _("The Host header must be the site's own hostname.")),
    "bad_charset": ProblemType(HTTPStatus.BAD_REQUEST, _("Use the UTF-8 encoding.")),
    "not_authenticated": ProblemType(
        HTTPStatus.UNAUTHORIZED, _("Send a token in the Authorization header, or sign in.")
    ),
    "bad_token": ProblemType(
        HTTPStatus.UNAUTHORIZED,
        _("The token was revoked, has expired or contains a typo. Create a new one on the account page."),
    ),
    "forbidden": ProblemType(HTTPStatus.FORBIDDEN, _("This account or token doesn't have permission to do this.")),
    "scope_missing": ProblemType(
        HTTPStatus.FORBIDDEN,
        _(
            "Create a token with the permission named in “detail”. In the schema, x-token-scope shows which one each operation needs."
        ),
    ),
    "banned": ProblemType(
        HTTPStatus.FORBIDDEN,
        _(
            "With a banned account, you can still read, export and delete your data, and appeal. The account page says why and for how long."
        ),
    ),
    "not_yours": ProblemType(HTTPStatus.FORBIDDEN, _("Only the replay's uploader and moderators can do this.")),
    "csrf_failed": ProblemType(
        HTTPStatus.FORBIDDEN,
        _(
            "Requests with a session cookie need the X-CSRFToken header; programs should use a token instead of a session."
        ),
    ),
    "player_merged": ProblemType(
        HTTPStatus.MOVED_PERMANENTLY, _("The Location header has the URL of the player this one was merged into.")
    ),
    "not_found": ProblemType(
        HTTPStatus.NOT_FOUND, _("The URL is unknown, or its content doesn't exist or isn't visible to you.")
    ),
    "gone": ProblemType(HTTPStatus.GONE, _("This was deleted and won't come back. Remove it from your copy.")),
    "changes_gone": ProblemType(HTTPStatus.GONE, _("Download everything again, then follow the changes from there.")),
    "unknown_board": ProblemType(HTTPStatus.NOT_FOUND, _("/api/v1/leaderboards/ lists all leaderboards.")),
    "method_not_allowed": ProblemType(HTTPStatus.METHOD_NOT_ALLOWED, _("The Allow header lists the allowed methods.")),
    "not_acceptable": ProblemType(HTTPStatus.NOT_ACCEPTABLE, _("Set the Accept header to application/json.")),
    "body_too_large": ProblemType(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("Send a smaller request. The “detail” field tells you the limit.")
    ),
    "unsupported_media_type": ProblemType(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _("Uploads are multipart/form-data, everything else application/json.")
    ),
    "too_many_requests": ProblemType(HTTPStatus.TOO_MANY_REQUESTS, _("Wait for the number of seconds in Retry-After.")),
    # --- uploads ---
    "no_file": ProblemType(HTTPStatus.BAD_REQUEST, _("Send at least one file, as “file” or “files”.")),
    "too_many_files": ProblemType(
        HTTPStatus.BAD_REQUEST, _("Send fewer files per request, or put them in an archive.")
    ),
    "files_refused": ProblemType(HTTPStatus.BAD_REQUEST, _("“receipts” gives the reason for each file.")),
    "quota_files": ProblemType(HTTPStatus.TOO_MANY_REQUESTS, _("Wait for the number of seconds in Retry-After.")),
    "quota_bytes": ProblemType(HTTPStatus.TOO_MANY_REQUESTS, _("Wait for the number of seconds in Retry-After.")),
    "quota_address": ProblemType(HTTPStatus.TOO_MANY_REQUESTS, _("Wait for the number of seconds in Retry-After.")),
    "quota_site": ProblemType(
        HTTPStatus.INSUFFICIENT_STORAGE, _("Nothing was saved. Wait for the number of seconds given in Retry-After.")
    ),
    "unreadable_replay": ProblemType(HTTPStatus.UNPROCESSABLE_ENTITY, _("“detail” says why. Nothing was saved.")),
    # --- positions ---
    "no_cells": ProblemType(HTTPStatus.BAD_REQUEST, _("Send at least one row with at least one cell.")),
    "bad_cell": ProblemType(HTTPStatus.BAD_REQUEST, _("“cells” gives the cell's row and column, counted from 0.")),
    "ragged_rows": ProblemType(HTTPStatus.BAD_REQUEST, _("Send rows of equal length.")),
    "too_many_mines": ProblemType(HTTPStatus.BAD_REQUEST, _("Send the number of mines on the whole board.")),
    "too_large": ProblemType(HTTPStatus.BAD_REQUEST, _("The “detail” field tells you the limit.")),
    "long_side": ProblemType(HTTPStatus.BAD_REQUEST, _("The “detail” field tells you the limit.")),
    "impossible_position": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        _("“cells” lists the numbers that contradict each other; rows and columns start at 0."),
    ),
    "too_wide": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("Open more cells first, or split the position into parts.")
    ),
    "too_hard": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("Open more cells first, or split the position into parts.")
    ),
    "busy": ProblemType(HTTPStatus.SERVICE_UNAVAILABLE, _("Wait for the number of seconds in Retry-After.")),
    # --- films ---
    "film_too_large": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        _("Get the same data in binary form from /replays/<id>/film and /replays/<id>/odds."),
    ),
    # --- live play ---
    "not_playable": ProblemType(HTTPStatus.UNPROCESSABLE_ENTITY, _("“detail” says why; “errors” names the fields.")),
    "too_many_rooms": ProblemType(HTTPStatus.CONFLICT, _("Close one of your rooms first.")),
    "room_closed": ProblemType(HTTPStatus.CONFLICT, _("You can still watch the games played there.")),
    "rooms_unavailable": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("Try again later. You can still play on your own.")
    ),
    # --- the site ---
    "server_error": ProblemType(HTTPStatus.INTERNAL_SERVER_ERROR, _("We've logged the error. Trying again may help.")),
    "getting_ready": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE,
        _("The site has just been installed or updated. Retry after the number of seconds in Retry-After."),
    ),
    "database_away": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("Nothing was saved. Try again after the number of seconds in Retry-After.")
    ),
    "store_away": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("Nothing was saved. Try again after the number of seconds in Retry-After.")
    ),
    "storage_full": ProblemType(HTTPStatus.INSUFFICIENT_STORAGE, _("Nothing was saved. Try again later.")),
}


class Refused(Exception):
    """A request that is refused.

    ``code``: of :data:`PROBLEMS`; the text: what is wrong, in the active language, "" for the advice of the code;
    ``retry_seconds``: when to try again; ``errors``: messages by field; ``more``: extension members of the problem;
    ``headers``: of the answer, besides the usual ones; ``status``: if it is not that of the code.
    """

    def __init__(
        self,
        code: str,
        text: str = "",
        retry_seconds: int | None = None,
        *,
        errors: Mapping[str, str] | None = None,
        more: Mapping[str, object] | None = None,
        headers: Mapping[str, str] | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(text)
        self.code, self.retry_seconds = code, retry_seconds
        self.errors, self.more, self.headers = errors or {}, more or {}, headers or {}
        self.http_status = int(status or PROBLEMS[code].status)

    def members(self) -> dict[str, object]:
        members: dict[str, object] = {
            "type": type_address(self.code),
            "title": HTTPStatus(self.http_status).phrase,
            "status": self.http_status,
            "detail": str(self) or gettext(PROBLEMS[self.code].advice),
            "code": self.code,
        }
        if self.errors:
            members["errors"] = dict(self.errors)
        return members | dict(self.more)

    def body(self) -> bytes:
        return json.dumps(self.members(), ensure_ascii=False).encode("utf-8", "replace")

    def response(self) -> HttpResponse:
        log_fields.note(problem=self.code)
        response = HttpResponse(self.body(), status=self.http_status, content_type=CONTENT_TYPE)
        if self.retry_seconds is not None:
            response["Retry-After"] = str(self.retry_seconds)
        return response


def type_address(code: str) -> str:
    """The URI of a problem type, which leads to its documentation; it does not depend on the Host header."""
    return f"{settings.SITE_URL}{DOCUMENTATION_PATH}#{code}"


def is_api(request: HttpRequest) -> bool:
    return request.path.startswith(API_PREFIX)
