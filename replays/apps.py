from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReplaysConfig(AppConfig):
    name = "replays"
    verbose_name = _("Replays")

    def ready(self) -> None:
        """Register the games for ``players``, which does not import ``replays``, and have the feed of changes follow them."""
        from players.accounts.claims.services import after_owner_change
        from players.db.change_triggers import follow
        from players.leaderboards import ranked_games
        from replays.models.followed import FOLLOWED
        from replays.models.ranked_games import ReplayGames
        from replays.trust.judging.services import after_decisions
        from replays.trust.ownership.claimed_games import change_owner
        from replays.trust.places.services import settle

        follow(self, *FOLLOWED)
        ranked_games.register(ReplayGames())
        after_owner_change(change_owner)
        after_decisions(settle)
