from __future__ import annotations

from typing import Final

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

#: The game and the board, as in the Atom feed (``players.leaderboards.records.selectors``).
RECORD_IDENTITY: Final = "concat_ws('/', {row}.replay_id, {row}.kind, {row}.level, {row}.statistic, {row}.style)"


class PlayersConfig(AppConfig):
    name = "players"
    verbose_name = _("Players")

    def ready(self) -> None:
        """Have the feed of changes follow players and records."""
        from players.db.change_triggers import Followed, Part, follow

        follow(
            self,
            Followed(
                "players_player",
                "player",
                private=("on_boards", "created_at"),
                public="({row}.merged_into_id IS NULL)",
            ),
            Part("players_identity", "player", "player_id"),  # names show in the row of their player
            Part(
                "players_personalbest", "player", "player_id", row="{row}.statistic = 'time' AND {row}.style = 'all'"
            ),  # so do best times, and their sum
            Followed("players_recordevent", "record", identity=RECORD_IDENTITY),
        )
