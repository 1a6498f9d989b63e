from __future__ import annotations

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlayConfig(AppConfig):
    name = "replays.play"
    label = "play"
    verbose_name = _("Live play")

    def ready(self) -> None:
        """Tell the tickets what each purpose asks for."""
        from replays.play.rooms.services import room_target
        from replays.play.sockets.targets import register_target

        register_target("room", room_target)
