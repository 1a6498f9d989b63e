from __future__ import annotations

from typing import Any

from allauth.account.app_settings import EmailVerificationMethod
from allauth.account.stages import EmailVerificationStage
from django.conf import settings


class AddressStage(EmailVerificationStage):
    """An account with an e-mail address verifies it before it signs in, if the site sends letters."""

    def handle(self) -> Any:
        if settings.EMAIL_IS_SENT and self.login.user is not None and self.login.user.email:
            self.login.email_verification = EmailVerificationMethod.MANDATORY
        return super().handle()
