"""Adapters of allauth: limits on guessing, user names, e-mails, and how secrets are stored."""

from __future__ import annotations

import base64
import hashlib
import logging
from smtplib import SMTPException
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.internal import ratelimit
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, MultiFernet
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.translation import gettext_lazy as _

from players.accounts.devices import device_of, remember_device
from players.accounts.selectors import similar_account_exists
from players.models import User
from players.usernames import NotAllowed, normalised
from players.web.rate_limits import client_address
from players.web.staff import enrolment

logger = logging.getLogger(__name__)

_REASONS: Final = {
    "characters": _("Use only letters, digits and . _ - + @. Spaces and invisible characters are not allowed."),
    "scripts": _(
        "This name mixes look-alike letters from different scripts, such as Latin and Cyrillic. Use one script."
    ),
    "similar": _("This name looks like another account's or a moderator's. Choose another one."),
}


class AccountAdapter(DefaultAccountAdapter):
    def get_client_ip(self, request: HttpRequest) -> str:
        return client_address(request) or "local"

    # --- guessing passwords ---

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt; ``ValidationError`` if there were too many.  A right password is not counted.

        The first limit is by account and address, so that a stranger stops nobody but himself.  The second stops one
        address that tries many accounts, and the third many addresses that try one account.  A browser from which the
        account has signed in before has its own count in place of the first and the third.
        """
        self._attempts: list[ratelimit.RateLimitUsage] = []
        username = str(credentials.get("username", ""))
        device = device_of(request, username)
        visitor = f"device {device}" if device else f"address {ratelimit.get_ip(request)}"
        self._attempt(request, "wrong_password_visitor", f"{username} {visitor}")
        self._attempt(request, "wrong_password_address", None)
        if not device:
            self._attempt(request, "wrong_password_account", username)

    def _attempt(self, request: HttpRequest, action: str, key: str | None) -> None:
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if not usage:
            logger.warning("Too many wrong passwords (%s) from %s.", action, ratelimit.get_ip(request))
            raise self.validation_error("too_many_login_attempts")
        self._attempts.append(usage)

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        user: User | None = super().authenticate(request, **credentials)
        if user is not None:
            for usage in self._attempts:
                usage.rollback()
        return user

    def post_login(self, request: HttpRequest, user: User, **options: Any) -> HttpResponse:
        response: HttpResponse = super().post_login(request, user, **options)
        if user.lacks_second_factor:
            response = enrolment(request, response.headers["Location"])
        remember_device(request, response, user.username)
        return response

    def get_login_stages(self) -> list[str]:
        return [
            "players.accounts.stages.AddressStage" if path.endswith(".EmailVerificationStage") else path
            for path in super().get_login_stages()
        ]

    # --- user names ---

    def clean_username(self, username: str, shallow: bool = False) -> str:
        try:
            name = normalised(username)
        except NotAllowed as error:
            raise ValidationError(_REASONS[error.reason], code=error.reason) from error
        User.username_validator(name)
        if User.objects.filter(username=name).exists():
            raise self.validation_error("username_taken")
        if similar_account_exists(name):
            raise ValidationError(_REASONS["similar"], code="similar")
        return name

    def save_user(self, request: HttpRequest, user: User, form: Any, commit: bool = True) -> User:
        super().save_user(request, user, form, commit=False)
        stored: User = form.save_account(user)
        return stored

    # --- letters ---

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Links begin with ``SITE_URL``, since the sender of a request chooses its Host header.

        A mail server that is down is logged: the page must not tell whether there was a letter to send.
        """
        try:
            super().send_mail(template_prefix, email, context | {"site_url": settings.SITE_URL})
        except (OSError, SMTPException):
            logger.exception("A letter could not be sent.")

    def get_reset_password_from_key_url(self, key: str) -> str:
        uid, _dash, token = key.partition("-")
        return str(settings.SITE_URL) + reverse("account_reset_password_from_key", args=[uid, token])

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        return str(settings.SITE_URL) + reverse("account_confirm_email", args=[emailconfirmation.key])

    # --- where to go next ---

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: Any) -> str:
        return reverse("account" if self.request.user.is_authenticated else "account_login")


class SecondFactorAdapter(DefaultMFAAdapter):
    """Secrets of authenticator apps and recovery codes are encrypted with a key that is made of ``SECRET_KEY``."""

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        return _cipher().decrypt(encrypted_text.encode()).decode()

    def get_totp_label(self, user: Any) -> str:
        return str(user.username)


def _cipher() -> MultiFernet:
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = (hashlib.sha256(b"players.accounts.adapters:" + force_bytes(key)).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
