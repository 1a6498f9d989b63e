"""Players as JSON."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.people.player_refs import PlayerRef
from players.people.selectors import PlayerRow
from players.web.api import ValueSerializer
from players.web.links import address_of


class PlayerRefSerializer(serializers.Serializer[PlayerRef]):
    """A player in another object."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    country = serializers.CharField(help_text="Two letters, or empty.")
    is_bot = serializers.BooleanField()
    url = serializers.SerializerMethodField()

    def get_url(self, player: PlayerRef) -> str:
        return address_of("api-player", player.pk)


class PlayerListRowSerializer(serializers.Serializer[PlayerRow]):
    """A player in the list, with the best time of each level."""

    player = PlayerRefSerializer()
    times = serializers.DictField(child=ValueSerializer(), help_text="Best times of all styles by level.")


class PlayerPageSerializer(serializers.Serializer[Any]):
    """A page of the list of players."""

    rows = PlayerListRowSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True)
    previous_cursor = serializers.CharField(allow_null=True)


def player_list_row(row: PlayerRow) -> dict[str, Any]:
    """The values of PlayerListRowSerializer for ``row``."""
    time = BY_NAME["time"]
    times = {
        level: {
            "value": best.value,
            "text": value_text(time, best.value, precision_ms=best.precision_ms),
            "replay": best.replay_id,
        }
        for level, best in row.times.items()
    }
    return {"player": row.player, "times": times}
