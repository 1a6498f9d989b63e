from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReplaysConfig(AppConfig):
    name = "replays"
    verbose_name = _("Replays")

    def ready(self) -> None:
        """Give the leaderboards the games behind them."""
        from players.leaderboards.ranked_games import register
        from replays.ranked_games import ReplayGames

        register(ReplayGames())
