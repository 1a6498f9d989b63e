"""Who may upload."""

from __future__ import annotations

from wsgiref.types import WSGIEnvironment

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpResponse
from rest_framework.exceptions import AuthenticationFailed

from players.tokens.authentication import has_scope, token_of_request
from players.tokens.scopes import Scope


def may_upload(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether ``user`` (an account or an anonymous visitor) may upload."""
    return bool(settings.ANONYMOUS_UPLOADS or user.is_authenticated)


def sender_may_upload(environ: WSGIEnvironment) -> bool:
    """Whether the sender of a request may upload, by session or token; does not read the body."""
    request = WSGIRequest(environ)
    SessionMiddleware(lambda _request: HttpResponse()).process_request(request)
    if may_upload(get_user(request)):
        return True
    try:
        token = token_of_request(request)
    except AuthenticationFailed:
        return False
    return token is not None and has_scope(token, Scope.UPLOAD)
