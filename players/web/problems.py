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
        HTTPStatus.BAD_REQUEST, _("A parameter is wrong"),
        _("errors names each parameter that is unknown, cannot be read or does not fit another one."),
    ),
    "bad_cursor": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The cursor does not belong to this list"),
        _("Use next_cursor and previous_cursor as they came, with the parameters of the request that gave them."),
    ),
    "bad_request": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The request cannot be read"),
        _("Its body is not what the documentation asks for; errors names the fields, if it could be read so far."),
    ),
    "bad_host": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The site is not called that"), _("Send the name of the site in the Host header."),
    ),
    "bad_charset": ProblemType(
        HTTPStatus.BAD_REQUEST, _("There is no such charset"), _("Send UTF-8."),
    ),
    "not_authenticated": ProblemType(
        HTTPStatus.UNAUTHORIZED, _("An account is needed"), _("Send a token in the header Authorization, or sign in."),
    ),
    "bad_token": ProblemType(
        HTTPStatus.UNAUTHORIZED, _("The token is not valid"),
        _("It was ended, has expired or was mistyped: make a new one on the account page."),
    ),
    "forbidden": ProblemType(
        HTTPStatus.FORBIDDEN, _("Not allowed"), _("This account, or this token, may not do this."),
    ),
    "scope_missing": ProblemType(
        HTTPStatus.FORBIDDEN, _("The token lacks a scope"),
        _("Make a token with the scope that detail names; x-token-scope in the schema says which one an operation needs."),
    ),
    "not_yours": ProblemType(
        HTTPStatus.FORBIDDEN, _("The replay is not yours"), _("Only its uploader and staff may do this."),
    ),
    "csrf_failed": ProblemType(
        HTTPStatus.FORBIDDEN, _("The form token is missing"),
        _("Requests with a session cookie need the header X-CSRFToken; programs use a token instead of a session."),
    ),
    "staff_account": ProblemType(
        HTTPStatus.FORBIDDEN, _("It is an account of the staff"), _("Another member of staff takes its rights away first."),
    ),
    "no_password": ProblemType(
        HTTPStatus.FORBIDDEN, _("The account has no password"), _("Ask for a letter with a link to a new one."),
    ),
    "player_merged": ProblemType(
        HTTPStatus.MOVED_PERMANENTLY, _("The player has another number now"),
        _("Location has the address of the player into whom this one was merged."),
    ),
    "not_found": ProblemType(
        HTTPStatus.NOT_FOUND, _("There is nothing here"),
        _("The address is unknown, or what it names does not exist or may not be seen."),
    ),
    "unknown_board": ProblemType(
        HTTPStatus.NOT_FOUND, _("There is no such board"), _("/api/v1/leaderboards/ lists all boards."),
    ),
    "method_not_allowed": ProblemType(
        HTTPStatus.METHOD_NOT_ALLOWED, _("The method is not allowed"), _("The header Allow lists those that are."),
    ),
    "not_acceptable": ProblemType(
        HTTPStatus.NOT_ACCEPTABLE, _("The format is not offered"), _("Accept application/json."),
    ),
    "body_too_large": ProblemType(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, _("The request is too large"), _("Send less at once; detail has the limit."),
    ),
    "unsupported_media_type": ProblemType(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE, _("The body has a type that is not read here"),
        _("Uploads are multipart/form-data, everything else is application/json."),
    ),
    "too_many_requests": ProblemType(
        HTTPStatus.TOO_MANY_REQUESTS, _("Too many requests"), _("Wait for as many seconds as Retry-After says."),
    ),
    # --- uploads ---
    "no_file": ProblemType(
        HTTPStatus.BAD_REQUEST, _("No file was sent"), _("Send one or more as “file” or “files”."),
    ),
    "too_many_files": ProblemType(
        HTTPStatus.BAD_REQUEST, _("Too many files at once"), _("Send fewer in a request, or an archive of them."),
    ),
    "files_refused": ProblemType(
        HTTPStatus.BAD_REQUEST, _("Every file was refused"), _("receipts has the reason for each file."),
    ),
    "quota_files": ProblemType(
        HTTPStatus.TOO_MANY_REQUESTS, _("No more files today"), _("Wait for as many seconds as Retry-After says."),
    ),
    "quota_bytes": ProblemType(
        HTTPStatus.TOO_MANY_REQUESTS, _("No more bytes today"), _("Wait for as many seconds as Retry-After says."),
    ),
    "quota_address": ProblemType(
        HTTPStatus.TOO_MANY_REQUESTS, _("No more bytes from this address in this hour"), _("Wait for as many seconds as Retry-After says."),
    ),
    "quota_site": ProblemType(
        HTTPStatus.INSUFFICIENT_STORAGE, _("The site stores no more in this hour"), _("Nothing was stored. Wait for as many seconds as Retry-After says."),
    ),
    # --- appeals ---
    "accepted": ProblemType(
        HTTPStatus.CONFLICT, _("The replay is accepted"), _("There is nothing to appeal against."),
    ),
    "appeal_open": ProblemType(
        HTTPStatus.CONFLICT, _("An appeal is open"), _("Wait for its answer."),
    ),
    "too_many_appeals": ProblemType(
        HTTPStatus.CONFLICT, _("No more appeals"), _("This replay has been appealed as often as it can be."),
    ),
    # --- objections ---
    "own_upload": ProblemType(
        HTTPStatus.CONFLICT, _("The replay is your own upload"), _("Delete it instead."),
    ),
    "not_ranked": ProblemType(
        HTTPStatus.CONFLICT, _("The replay does not count on leaderboards"), _("There is nothing to object to."),
    ),
    "objected_already": ProblemType(
        HTTPStatus.CONFLICT, _("You have objected already"), _("Staff will look at the game."),
    ),
    "too_many_objections": ProblemType(
        HTTPStatus.CONFLICT, _("Too many objections today"), _("Try again tomorrow."),
    ),
    # --- comments ---
    "written_already": ProblemType(
        HTTPStatus.CONFLICT, _("You have written this already"), _("The comment is there; nothing was stored."),
    ),
    "too_many_comments": ProblemType(
        HTTPStatus.CONFLICT, _("Too many comments"), _("Try again later."),
    ),
    "own_comment": ProblemType(
        HTTPStatus.CONFLICT, _("The comment is your own"), _("Delete it instead."),
    ),
    "too_many_reports": ProblemType(
        HTTPStatus.CONFLICT, _("Too many reports today"), _("Try again tomorrow."),
    ),
    "too_many_likes": ProblemType(
        HTTPStatus.CONFLICT, _("Too many likes"), _("Try again later."),
    ),
    # --- positions ---
    "no_cells": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The position has no cells"), _("Send at least one row with at least one cell."),
    ),
    "bad_cell": ProblemType(
        HTTPStatus.BAD_REQUEST, _("A cell cannot be read"), _("cells has its row and column, counted from 0."),
    ),
    "ragged_rows": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The rows differ in length"), _("Send rows of equal length."),
    ),
    "too_many_mines": ProblemType(
        HTTPStatus.BAD_REQUEST, _("There are more mines than closed cells"), _("Send the number of mines of the whole board."),
    ),
    "too_large": ProblemType(
        HTTPStatus.BAD_REQUEST, _("The position is too large"), _("detail has the limit."),
    ),
    "long_side": ProblemType(
        HTTPStatus.BAD_REQUEST, _("A side is too long"), _("detail has the limit."),
    ),
    "impossible_position": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("No layout of mines agrees with the position"),
        _("cells has the numbers that contradict each other, counted from 0."),
    ),
    "too_wide": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("The position takes too long to count"), _("Open more cells, or cut it in parts."),
    ),
    "too_hard": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("The position takes too long to compute"),
        _("Open more cells, or cut it in parts."),
    ),
    "busy": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("Many positions are being computed"),
        _("Wait for as many seconds as Retry-After says."),
    ),
    # --- films ---
    "film_too_large": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("The film is too large as JSON"),
        _("/replays/<id>/film and /replays/<id>/odds have the same as bytes."),
    ),
    # --- live play ---
    "not_playable": ProblemType(
        HTTPStatus.UNPROCESSABLE_ENTITY, _("This cannot be played here"), _("detail says why; errors names the fields."),
    ),
    "too_many_rooms": ProblemType(
        HTTPStatus.CONFLICT, _("Too many open rooms"), _("Close one of your rooms first."),
    ),
    "room_closed": ProblemType(
        HTTPStatus.CONFLICT, _("The room is closed"), _("Its boards can still be watched."),
    ),
    "rooms_unavailable": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("Rooms are not available"), _("Try again later; single games do not need them."),
    ),
    # --- the site ---
    "server_error": ProblemType(
        HTTPStatus.INTERNAL_SERVER_ERROR, _("The fault is ours"), _("It has been logged. Trying again may help."),
    ),
    "getting_ready": ProblemType(
        HTTPStatus.SERVICE_UNAVAILABLE, _("The site is getting ready"),
        _("It has just been installed or updated. Try again after as many seconds as Retry-After says."),
    ),
    "storage_full": ProblemType(
        HTTPStatus.INSUFFICIENT_STORAGE, _("The site has no room for files"), _("Nothing was stored. Try again later."),
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
        return HttpResponse(self.body(), status=self.http_status, content_type=CONTENT_TYPE)


def type_address(code: str) -> str:
    """The URI of a problem type, which leads to its documentation; it does not depend on the Host header."""
    return f"{settings.SITE_URL}{DOCUMENTATION_PATH}#{code}"


def is_api(request: HttpRequest) -> bool:
    return request.path.startswith(API_PREFIX)
