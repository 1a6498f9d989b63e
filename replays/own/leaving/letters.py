from __future__ import annotations

import logging
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import send_mail
from django.template.loader import render_to_string

logger = logging.getLogger(__name__)


def send_deleted(name: str, email: str) -> None:
    """Send in the active language.  A mail server that is down is logged, since the deletion has happened."""
    context = {"name": name, "contact": settings.SITE_CONTACT}
    subject = render_to_string("account/email/account_deleted_subject.txt", context).strip()
    text = render_to_string("account/email/account_deleted_message.txt", context).strip()
    try:
        send_mail(subject, text, None, [email])
    except (OSError, SMTPException):
        logger.exception("A letter could not be sent.")
