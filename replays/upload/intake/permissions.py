from __future__ import annotations

from dataclasses import dataclass
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
from players.web.banned import ban_text
from players.web.disk import StorageFull, has_room
from players.web.problems import Refused
from players.web.rate_limits import client_address, visitor_of
from players.web.users import signed_in_user
from replays.models import store_mark
from replays.upload.intake.quota import Quota


@dataclass(frozen=True, slots=True)
class Sender:
    """The account of an upload (None for a visitor without one), and what is left of its quota (None: it has none).

    ``found_room``: the disk has room for what is stored first, and the file store is there.
    """

    user: User | None
    quota: Quota | None = None
    found_room: bool = False


def may_upload(user: AbstractBaseUser | AnonymousUser) -> bool:
    return bool(settings.ANONYMOUS_UPLOADS or user.is_authenticated)


def sender_problem(environ: WSGIEnvironment) -> Refused | None:
    """Return why the sender of a request, known by session or token, may not upload now; None if it may.

    Does not read the body.  As that takes minutes, :func:`sender_of` looks again when the body is here.
    """
    request = WSGIRequest(environ)
    SessionMiddleware(lambda _request: HttpResponse()).process_request(request)
    sender = _sender(request)
    if not may_upload(sender):
        message = _("Sign in or send a token to upload replays.")
        return Refused("not_authenticated", message)
    request.user = sender
    try:
        sender_of(request)
    except Refused as problem:
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


def sender_of(request: HttpRequest | Request) -> Sender:
    """Look up account, quota, disk and file store, once for a request.  Raises the ``Refused`` that stands in the way."""
    user = signed_in_user(request)
    if user is not None and user.is_banned:
        raise Refused("banned", ban_text(user))
    if not has_room():
        raise StorageFull
    store_mark.require_visible()
    if user is not None and user.acts_as_staff:
        return Sender(user, found_room=True)
    quota = Quota(visitor_of(request), client_address(request))
    quota.check()
    return Sender(user, quota, found_room=True)
