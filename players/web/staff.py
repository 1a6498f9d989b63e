"""Staff, moderators and their second factor: without one, their account is like any other."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from urllib.parse import urlencode

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS

from players.models import User
from players.web.errors import View, forbidden
from players.web.links import safe_next
from players.web.users import required_user, signed_in_user


def own_matter_refusal(by: User, *account_ids: int | None) -> str:
    """Return why ``by`` may not decide about a thing of these accounts; "" if they may.

    Nobody decides about their own things but superusers, who may do everything in the admin anyway.
    """
    if by.pk in account_ids and not by.is_superuser:
        return _("You can't moderate your own content. Another moderator has to do this.")
    return ""


def moderators_only(permission: str) -> Callable[[View], View]:
    """Decorator of a view for moderators, and for staff with ``permission``.

    Guests sign in, staff without a second factor go and set one up, all others get 403.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
            viewer = required_user(request)
            if viewer.may_moderate(permission):
                return view(request, *args, **kwargs)
            if not viewer.lacks_second_factor:
                return forbidden(request, _("Only moderators can see and decide this."))
            if request.method in SAFE_METHODS:
                return enrolment(request, request.get_full_path())
            text = _("Moderator accounts need two-factor authentication. Turn it on in your account first.")
            return forbidden(request, text)

        return login_required(guarded)

    return decorate


def enrolment(request: HttpRequest, next_url: str) -> HttpResponse:
    messages.warning(
        request, _("Moderator accounts need two-factor authentication. Set up an authenticator app to continue.")
    )
    return redirect(f"{reverse('mfa_activate_totp')}?{urlencode({'next': next_url})}")


# --- the admin --------------------------------------------------------------------------------------------------------


def may_enter_admin(request: HttpRequest) -> bool:
    """Return whether the admin lets the visitor in, in place of Django's ``AdminSite.has_permission``."""
    viewer = signed_in_user(request)
    return viewer is not None and viewer.is_active and viewer.acts_as_staff


def admin_sign_in(request: HttpRequest, extra_context: object = None) -> HttpResponse:
    """Send the visitor where staff sign in, or set up their second factor; the admin has no form of its own for that."""
    viewer, next_url = signed_in_user(request), safe_next(request) or reverse("admin:index")
    if viewer is None:
        return redirect(f"{reverse('account_login')}?{urlencode({'next': next_url})}")
    if viewer.lacks_second_factor:
        return enrolment(request, next_url)
    if not may_enter_admin(request):
        raise PermissionDenied
    return redirect(next_url)
