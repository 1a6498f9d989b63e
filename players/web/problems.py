"""The error responses of the API: problem details (RFC 9457), one form for everything under ``/api/``.

:data:`PROBLEMS` has every code that a response may carry; ``/api/v1/docs/errors/`` shows it, and the ``type`` of a
problem links to its row there.  A code never changes its meaning; new ones may be added.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
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
    """A row of the table of codes: the HTTP status, a title, and what the client can do (English, translated when shown)."""

    status: HTTPStatus
    title: str
    advice: str


PROBLEMS: Final[dict[str, ProblemType]] = {
    # --- the request ---
    "bad_parameter": ProblemType(
        HTTPStatus.BAD_REQUEST, _("Invalid parameter"),
        _("“errors” names each parameter that is unknown or unreadable or that conflicts with another."),
    ),
    "bad_cursor": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The cursor doesn't belong to this list"),
        _("Pass next_cursor and previous_cursor on unchanged, with the parameters of the request that returned "
          "them."),
    ),
    "bad_request": ProblemType(
        HTTPStatus.BAD_REQUEST, _("Unreadable request"),
        _("The request body doesn't match the documentation. “errors” lists the fields we could identify."),
    ),
    "bad_host": ProblemType(
        HTTPStatus.BAD_REQUEST, _("Wrong host name"), _("The Host header must be the site's own hostname."),
    ),
    "bad_charset": ProblemType(
        HTTPStatus.BAD_REQUEST, _("Unknown charset"), _("Use the UTF-8 encoding."),
    ),
    "not_authenticated": ProblemType(
        HTTPStatus.UNAUTHORIZED, _("Account required"), _("Send a token in the Authorization header, or sign "
                                                              "in."),
    ),
    "bad_token": ProblemType(
        HTTPStatus.UNAUTHORIZED, _("Invalid token"),
        _("The token was revoked, has expired or contains a typo. Create a new one on the account page."),
    ),
    "forbidden": ProblemType(
        HTTPStatus.FORBIDDEN, _("Not allowed"), _("This account or token doesn't have permission to do this."),
    ),
    "scope_missing": ProblemType(
        HTTPStatus.FORBIDDEN, _("The token lacks a scope"),
        _("Create a token with the permission named in “detail”. In the schema, x-token-scope shows which one each "
          "operation needs."),
    ),
    "banned": ProblemType(
        HTTPStatus.FORBIDDEN, _("The account is banned"),
        _("With a banned account, you can still read, export and delete your data, and appeal. The account page says why and for how long."),
    ),
    "not_yours": ProblemType(
        HTTPStatus.FORBIDDEN, _("This replay isn't yours"), _("Only the replay's uploader and moderators can do this."),
    ),
    "csrf_failed": ProblemType(
        HTTPStatus.FORBIDDEN, _("The form token is missing"),
        _("Requests with a session cookie need the X-CSRFToken header; programs should use a token instead of a "
          "session."),
    ),
    "player_merged": ProblemType(
        HTTPStatus.MOVED_PERMANENTLY, _("This player's number has changed"),
        _("The Location header has the URL of the player this one was merged into."),
    ),
    "not_found": ProblemType(
        HTTPStatus.NOT_FOUND, _("Not found"),
        _("The URL is unknown, or its content doesn't exist or isn't visible to you."),
    ),
    "gone": ProblemType(
        HTTPStatus.GONE, _("Deleted"), _("This was deleted and won't come back. Remove it from your copy."),
    ),
    "changes_gone": ProblemType(
        HTTPStatus.GONE, _("We no longer have these changes"),
        _("Download everything again, then follow the changes from there."),
    ),
    "unknown_board": ProblemType(
        HTTPStatus.NOT_FOUND, _("This leaderboard doesn't exist"), _("/api/v1/leaderboards/ lists all leaderboards."),
    ),
    "method_not_allowed": ProblemType(
        HTTPStatus.METHOD_NOT_ALLOWED, _("Method not allowed"), _("The Allow header lists the allowed methods."),
    ),
    "not_acceptable": ProblemType(
        HTTPStatus.NOT_ACCEPTABLE, _("Format not available"), _("Set the Accept header to application/json."),
    ),
    "body_too_large": ProblemType(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("Request too large"), _("Send a smaller request. The “detail” field tells you the limit."),
    ),
    "unsupported_media_type": ProblemType(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _("Unsupported body type"),
        _("Uploads are multipart/form-data, everything else application/json."),
    ),
    "too_many_requests": ProblemType(
        HTTPStatus.TOO_MANY_REQUESTS, _("Too many requests"), _("Wait for the number of seconds in Retry-After."),
    ),
    # --- uploads ---
    "no_file": ProblemType(
        HTTPStatus.BAD_REQUEST, _("No file sent"), _("Send at least one file, as “file” or “files”."),
    ),
    "too_many_files": ProblemType(
        HTTPStatus.BAD_REQUEST, _("Too many files at once"), _("Send fewer files per request, or put them in an "
                                                               "archive."),
    ),
    "files_refused": ProblemType(
        HTTPStatus.BAD_REQUEST, _("All files were rejected"), _("“receipts” gives the reason for each file."),
    ),
    "quota_files": ProblemType(
        HTTPStatus.TOO_MANY_REQUESTS, _("Daily file limit reached"), _("Wait for the number of seconds in Retry-After."),
    ),
    "quota_bytes": ProblemType(
        HTTPStatus.TOO_MANY_REQUESTS, _("Daily upload size limit reached"), _("Wait for the number of seconds in Retry-After."),
    ),
    "quota_address": ProblemType(
        HTTPStatus.TOO_MANY_REQUESTS, _("Hourly limit for your network reached"), _("Wait for the number of seconds in Retry-After."),
    ),
    "quota_site": ProblemType(
        HTTPStatus.INSUFFICIENT_STORAGE, _("Site-wide hourly limit reached"), _("Nothing was saved. Wait for "
                                                                                      "the number of seconds given "
                                                                                      "in Retry-After."),
    ),
    "unreadable_replay": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("The file can't be shown"), _("“detail” says why. Nothing was saved."),
    ),
    # --- positions ---
    "no_cells": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The position has no cells"), _("Send at least one row with at least one cell."),
    ),
    "bad_cell": ProblemType(
        HTTPStatus.BAD_REQUEST, _("Unreadable cell"), _("“cells” gives the cell's row and column, counted from 0."),
    ),
    "ragged_rows": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The rows have different lengths"), _("Send rows of equal length."),
    ),
    "too_many_mines": ProblemType(
        HTTPStatus.BAD_REQUEST, _("There are more mines than closed cells"), _("Send the number of mines on the whole board."),
    ),
    "too_large": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The position is too large"), _("The “detail” field tells you the limit."),
    ),
    "long_side": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The board is too wide or too tall"), _("The “detail” field tells you the limit."),
    ),
    "impossible_position": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("No mine layout fits this position"),
        _("“cells” lists the numbers that contradict each other; rows and columns start at 0."),
    ),
    "too_wide": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("Counting this position's layouts takes too long"), _("Open more cells first, or split the position into parts."),
    ),
    "too_hard": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("The position takes too long to compute"),
        _("Open more cells first, or split the position into parts."),
    ),
    "busy": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("Too many positions are being computed"),
        _("Wait for the number of seconds in Retry-After."),
    ),
    # --- films ---
    "film_too_large": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("The replay is too large for JSON"),
        _("Get the same data in binary form from /replays/<id>/film and /replays/<id>/odds."),
    ),
    # --- live play ---
    "not_playable": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("This game can't be played here"), _("“detail” says why; “errors” names the fields."),
    ),
    "too_many_rooms": ProblemType(
        HTTPStatus.CONFLICT, _("Too many open rooms"), _("Close one of your rooms first."),
    ),
    "room_closed": ProblemType(
        HTTPStatus.CONFLICT, _("The room is closed"), _("You can still watch the games played there."),
    ),
    "rooms_unavailable": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("Rooms are unavailable"), _("Try again later. You can still play on your own."),
    ),
    # --- the site ---
    "server_error": ProblemType(
        HTTPStatus.INTERNAL_SERVER_ERROR, _("Something broke on our side"), _("We've logged the error. Trying again may help."),
    ),
    "getting_ready": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("The site is starting up"),
        _("The site has just been installed or updated. Retry after the number of seconds in Retry-After."),
    ),
    "database_away": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("Database unavailable"),
        _("Nothing was saved. Try again after the number of seconds in Retry-After."),
    ),
    "store_away": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("Replay files unavailable"),
        _("Nothing was saved. Try again after the number of seconds in Retry-After."),
    ),
    "storage_full": ProblemType(
        HTTPStatus.INSUFFICIENT_STORAGE, _("The site is out of storage"), _("Nothing was saved. Try again later."),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ProblemDetails:
    """An error response before it is written.

    ``code``: of :data:`PROBLEMS`; ``detail``: what is wrong, in the active language, "" for the advice of the code;
    ``errors``: messages by field; ``status``: if it is not that of the code; ``more``: extension members.
    """

    code: str
    detail: str = ""
    errors: Mapping[str, str] = field(default_factory=dict)
    status: int | None = None
    more: Mapping[str, object] = field(default_factory=dict)

    @property
    def http_status(self) -> int:
        return int(self.status or PROBLEMS[self.code].status)

    def values(self) -> dict[str, object]:
        kind = PROBLEMS[self.code]
        members: dict[str, object] = {
            "type": type_address(self.code),
            "title": gettext(kind.title),
            "status": self.http_status,
            "detail": self.detail or gettext(kind.advice),
            "code": self.code,
        }
        if self.errors:
            members["errors"] = dict(self.errors)
        return members | dict(self.more)

    def body(self) -> bytes:
        return json.dumps(self.values(), ensure_ascii=False).encode("utf-8", "replace")

    def response(self) -> HttpResponse:
        log_fields.note(problem=self.code)
        return HttpResponse(self.body(), status=self.http_status, content_type=CONTENT_TYPE)


def type_address(code: str) -> str:
    """The URI of a problem type, which leads to its documentation; it does not depend on the Host header."""
    return f"{settings.SITE_URL}{DOCUMENTATION_PATH}#{code}"


def is_api(request: HttpRequest) -> bool:
    return request.path.startswith(API_PREFIX)
