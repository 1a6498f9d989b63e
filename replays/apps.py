from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReplaysConfig(AppConfig):
    name = "replays"
    verbose_name = _("Replays")

    def ready(self) -> None:
        """Register the games for ``players``, which does not import ``replays``."""
        from players.leaderboards.ranked_games import register
        from replays.ranked_games import ReplayGames

        register(ReplayGames())
