"""Deleting an account: it is closed at once, and a worker does the rest (``replays.own.account_deletion.erasing``).

There is no time in which the deletion could be taken back.  The account is not open to anybody from that moment on, its
sessions and tokens included; whoever could take the deletion back would need what has just been erased.
"""

from __future__ import annotations

import logging
from functools import partial
from smtplib import SMTPException
from typing import Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.db import transaction
from django.template.loader import render_to_string
from django.utils import timezone

from players.db.retry import retry_on_conflict
from players.models import User
from players.tokens.services import tokens_end
from players.web.rate_limits import RateLimit
from replays.models import AccountDeletion
from replays.own.account_deletion.selectors import deletion_refusal
from replays.upload.processing.queue import Task, queue

DELETE: Final = Task("replays.delete_account", "deletions", chunk=None)
#: Tries of one account; passwords and codes have limits of their own.
TRIES: Final = RateLimit("account-deletions", "20/hour")

logger = logging.getLogger(__name__)


@retry_on_conflict
def account_close(user: User, uploads: str) -> AccountDeletion:
    """Close the account for good, and let a worker delete what belongs to it; the caller has asked for the password.

    ``uploads``: of ``AccountDeletion.Uploads``.  The owner gets a letter, if the address is confirmed.  The second of two
    requests changes nothing.  Raises ``ValidationError``.
    """
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        deletion = AccountDeletion.objects.filter(user=row).first()
        if deletion is not None:
            return deletion
        refusal = deletion_refusal(row)
        if refusal:
            raise ValidationError(refusal)
        now = timezone.now()
        deletion = AccountDeletion.objects.create(
            user=row, uploads=AccountDeletion.Uploads(uploads), asked_at=now, worked_at=now
        )
        for email in EmailAddress.objects.filter(user=row, primary=True, verified=True).values_list("email", flat=True):
            transaction.on_commit(partial(_send_deleted, row.username, email))
        tokens_end(row)
        EmailAddress.objects.filter(user=row).delete()
        Authenticator.objects.filter(user=row).delete()
        _blank(row)
        queue(DELETE, [row.pk])
    logger.info("Account %d was closed by its owner; uploads: %s.", row.pk, uploads)
    return deletion


def _blank(row: User) -> None:
    """Leave nothing in the row of the account but its number.  All its sessions end, as it is not active.

    Nobody can sign up under a name with spaces, so the new name is always free.
    """
    row.groups.clear()
    row.user_permissions.clear()
    blank = User(pk=row.pk, username=f"deleted account {row.pk}", is_active=False)
    blank.set_unusable_password()
    blank.save(force_update=True)


def _send_deleted(name: str, email: str) -> None:
    """Send in the active language.  A mail server that is down is logged, since the deletion has happened."""
    context = {"name": name, "contact": settings.SITE_CONTACT}
    subject = render_to_string("account/email/account_deleted_subject.txt", context).strip()
    text = render_to_string("account/email/account_deleted_message.txt", context).strip()
    try:
        send_mail(subject, text, None, [email])
    except (OSError, SMTPException):
        logger.exception("A letter could not be sent.")
