from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from players.models import User
from players.tokens.scopes import Scope
from players.tokens.token_authentication import has_scope, token_of_request
from players.web.disk import StorageFull, has_room
from players.web.errors import Problem
from replays.upload.intake.quota import CODES, Quota, quota_of
from replays.upload.intake.receipts import Outcome, Receipt


def may_upload(user: AbstractBaseUser | AnonymousUser) -> bool:
    return bool(settings.ANONYMOUS_UPLOADS or user.is_authenticated)


def sender_problem(environ: WSGIEnvironment) -> Problem | None:
    """Return why the sender of a request, known by session or token, may not upload now; None if it may.

    Does not read the body.
    """
    request = WSGIRequest(environ)
    SessionMiddleware(lambda _request: HttpResponse()).process_request(request)
    sender = _sender(request)
    if not may_upload(sender):
        message = _("Sign in, or send a token, to upload replays.")
        return Problem("not_authenticated", message, HTTPStatus.UNAUTHORIZED)
    request.user = sender
    try:
        uploads_allowed(request)
    except Problem as problem:
        return problem
    return None


def _sender(request: WSGIRequest) -> User | AnonymousUser:
    """The account of the session, or of a token that may upload."""
    user = get_user(request)
    if user.is_authenticated:
        return user
    try:
        token = token_of_request(request)
    except AuthenticationFailed:
        return user
    return user if token is None or not has_scope(token, Scope.UPLOAD) else token.user


def uploads_allowed(request: HttpRequest | Request) -> Quota | None:
    """Return the visitor's remaining quota, None without one.  Raises ``QuotaExceeded`` or ``StorageFull``."""
    if not has_room():
        raise StorageFull
    quota = quota_of(request)
    if quota is not None:
        quota.check()
    return quota


def check_stored(receipts: Sequence[Receipt], quota: Quota | None) -> None:
    """Raise ``QuotaExceeded`` or ``StorageFull`` if that is why no file of a request was stored."""
    if any(receipt.outcome is not Outcome.REFUSED for receipt in receipts):
        return
    codes = {receipt.code for receipt in receipts}
    if "storage_full" in codes:
        raise StorageFull
    for code in CODES:
        if quota is not None and code in codes:
            raise quota.exceeded(code)
