from __future__ import annotations

from rest_framework import serializers

from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.models import Player
from players.people.player_refs import PlayerRef
from players.people.selectors import PlayerRow
from players.web.api import PageSerializer, TextField, ValueField, Values, ValueSerializer
from players.web.links import address_of, player_address


class PlayerFields(serializers.Serializer[object]):
    """The fields of every form of a player."""

    id = serializers.IntegerField()
    name = serializers.CharField(help_text="As in the replays.")
    shown_name = serializers.CharField(help_text="For showing: hidden characters are written as ⟨U+202E⟩.")
    country = TextField(
        help_text="Two letters: what the player chose, else what most of their files state; null if neither."
    )
    is_bot = serializers.BooleanField(help_text="Whether the player is a program.")


class PlayerRefSerializer(PlayerFields):
    """A player in another object."""

    url = serializers.SerializerMethodField(help_text="The player in the API.")
    html_url = serializers.SerializerMethodField(help_text="The page of the player.")

    def get_url(self, player: PlayerRef | Player) -> str:
        return address_of("api-player", player.pk)

    def get_html_url(self, player: PlayerRef | Player) -> str:
        return player_address(player.pk)


class PlayerListRowSerializer(serializers.Serializer[PlayerRow]):
    """A player in the list, with the best time of each level."""

    player = PlayerRefSerializer()
    updated_at = serializers.DateTimeField(
        help_text="When the player's name, country, kind or `claimed` last changed; best times change without it."
    )
    times = serializers.DictField(child=ValueSerializer(), help_text="Best times of all styles by level.")
    combined = ValueField(
        allow_null=True, help_text="The sum of the best times on Beginner 8x8, Intermediate and Expert; null without all three."
    )  # fmt: skip


class PlayerPageSerializer(PageSerializer):
    """A page of the list of players."""

    rows = PlayerListRowSerializer(many=True)


def player_list_row(row: PlayerRow) -> Values:
    time = BY_NAME["time"]
    times = {
        level: {
            "value": best.value,
            "text": value_text(time, best.value, precision_ms=best.precision_ms),
            "replay": best.replay_id,
        }
        for level, best in row.times.items()
    }
    return {"player": row.player, "updated_at": row.player.updated_at, "times": times, "combined": row.combined}
