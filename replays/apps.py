from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReplaysConfig(AppConfig):
    name = "replays"
    verbose_name = _("Replays")

    def ready(self) -> None:
        """Register the games for ``players``, which does not import ``replays``."""
        from players.accounts.claims import claimed_games
        from players.leaderboards import ranked_games
        from players.profile.charts import games as charted_games
        from replays.models.player_games import ReplaysOfPlayers
        from replays.models.ranked_games import ReplayGames
        from replays.trust.equals.services import after_decision
        from replays.trust.judging.services import after_decisions
        from replays.trust.ownership.claimed_games import OwnedGames

        ranked_games.register(ReplayGames())
        claimed_games.register(OwnedGames())
        charted_games.register(ReplaysOfPlayers())
        after_decisions(after_decision)
