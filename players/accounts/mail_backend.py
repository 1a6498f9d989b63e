"""Sending e-mail beside the page that asks for it.

A mail server that hangs would hold a thread of pages for ``EMAIL_TIMEOUT``, and how long a page takes would tell whether
there was a letter to send.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from smtplib import SMTPException
from typing import Final

from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend

_THREADS: Final = 2
#: Letters of a process that may wait for the mail server; more are dropped, so that an outage ends with a restart.
MOST_WAITING: Final = 20

_room = threading.BoundedSemaphore(MOST_WAITING)
_threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="mail")

logger = logging.getLogger(__name__)


class BackgroundEmailBackend(EmailBackend):
    """SMTP in a thread of its own.  Letters that cannot be sent are logged; a process that ends sends what waits."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        if not _room.acquire(blocking=False):
            logger.error("%d letters were dropped: %d wait for the mail server.", len(email_messages), MOST_WAITING)
            return 0
        _threads.submit(self._deliver, list(email_messages))
        return len(email_messages)

    def _deliver(self, letters: list[EmailMessage]) -> None:
        try:
            super().send_messages(letters)
        except (OSError, SMTPException):
            logger.exception("%d letters could not be sent.", len(letters))
        except Exception:  # a thread has nobody who would see it
            logger.exception("%d letters could not be sent because of a fault of ours.", len(letters))
        finally:
            _room.release()
