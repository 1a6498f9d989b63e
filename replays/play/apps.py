from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from replays.play.sockets.visitors import Visitor


class PlayConfig(AppConfig):
    name = "replays.play"
    label = "play"
    verbose_name = _("Live play")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from replays.play.sockets.tickets import TARGETS
        from replays.play.solo.services import take_games_of_guest

        TARGETS.update(solo=_solo_target, room=_room_target)
        user_logged_in.connect(take_games_of_guest, dispatch_uid="games-of-guests")


def _solo_target(values: Mapping[str, Any], visitor: Visitor) -> dict[str, Any]:
    from replays.play.solo.api import solo_target  # workers, which have no addresses, need not load it

    return solo_target(values, visitor)


def _room_target(values: Mapping[str, Any], visitor: Visitor) -> dict[str, Any]:
    from replays.play.rooms.services import room_target

    return room_target(values, visitor)
