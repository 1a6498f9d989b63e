from __future__ import annotations

from django.apps import AppConfig
from django.db.backends.signals import connection_created
from django.utils.translation import gettext_lazy as _

from players.timestamps import read_fast


class PlayersConfig(AppConfig):
    name = "players"
    verbose_name = _("Players")

    def ready(self) -> None:
        """Attend to each new connection to the database."""
        connection_created.connect(read_fast, dispatch_uid="players.timestamps")
