"""The Celery application: ``celery -A config worker``."""

from __future__ import annotations

import os
from typing import Any

from celery import Celery
from celery.signals import worker_init, worker_process_init

from config import signs_of_life  # noqa: F401 - beat and workers give theirs
from config.monitoring import task_log  # noqa: F401 - each task has its line
from players.garbage import OF_TASKS, rarely_collect_garbage

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# Django's checks import every view and form; a worker shows no pages.  `runsite` and `manage.py check` run them.
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")

app = Celery("sweepbook")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
@worker_process_init.connect
def _settle(**_signal: Any) -> None:
    rarely_collect_garbage(OF_TASKS)
