from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayConfig(AppConfig):
    name = "replays.play"
    label = "play"
    verbose_name = _("Live play")
