"""The settings of the site, under which lost work is found within seconds."""

from __future__ import annotations

from config.settings import *  # noqa: F403
from config.settings import CELERY_BEAT_SCHEDULE, SWEEP_EVERY_SECONDS

STALE_AFTER_SECONDS = 3
#: Beat gives a sign every second, as its shortest schedule is.
READY_AGE_SECONDS = 5
for _entry in CELERY_BEAT_SCHEDULE.values():
    if _entry["schedule"] == SWEEP_EVERY_SECONDS:
        _entry["schedule"] = 1.0
