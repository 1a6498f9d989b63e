from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayConfig(AppConfig):
    name = "replays.play"
    label = "play"
    verbose_name = _("Live play")

    def ready(self) -> None:
        """Say what tickets are for, and tell the analysis of replays which games were played here."""
        from replays.play.sockets.targets import register_target
        from replays.play.solo.api import solo_target
        from replays.play.solo.played_here import LiveGamesPlayed
        from replays.processing import played_here

        register_target("solo", solo_target)
        played_here.register(LiveGamesPlayed())
