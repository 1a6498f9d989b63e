from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReplaysConfig(AppConfig):
    name = "replays"
    verbose_name = _("Replays")

    def ready(self) -> None:
        """Have the feed of changes follow games."""
        from players.accounts.claims.services import owner_changed
        from players.db.change_triggers import follow
        from replays.models.followed import FOLLOWED
        from replays.trust.judging.services import decided
        from replays.trust.ownership.claimed_games import change_owner
        from replays.trust.places.services import settle

        follow(self, *FOLLOWED)
        owner_changed.connect(change_owner)
        decided.connect(settle)
