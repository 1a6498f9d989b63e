"""Players, their bests, sub ladders and bests by 3BV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from analysis.statistics import BY_NAME
from players.boards import BoardKey
from players.links import address_of
from players.models import Identity, Player
from players.selectors import BvBest, PlayerBests, PlayerRow, SubStep
from players.serializers.common import ALL_LEVELS, LEVELS, STYLE_NAMES, PlayerRefSerializer, ValueSerializer
from players.time_convention import value_text


class PlayerListRowSerializer(serializers.Serializer[PlayerRow]):
    """A player in the list, with the best time of each level."""

    player = PlayerRefSerializer()
    times = serializers.DictField(child=ValueSerializer(), help_text="Best times of all styles by level.")


class PlayerPageSerializer(serializers.Serializer[Any]):
    """A page of the list of players."""

    rows = PlayerListRowSerializer(many=True)
    next_cursor = serializers.CharField(allow_null=True)
    previous_cursor = serializers.CharField(allow_null=True)


class IdentitySerializer(serializers.Serializer[Identity]):
    """A name inside replays."""

    name = serializers.CharField()
    state = serializers.ChoiceField(choices=Identity.State.choices)


class PlayerBestSerializer(ValueSerializer):
    """The best of a player on one board, and the place that it takes."""

    level = serializers.CharField(help_text=ALL_LEVELS)
    statistic = serializers.CharField()
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rank = serializers.IntegerField()
    achieved_at = serializers.DateTimeField()


class SubStepSerializer(serializers.Serializer[SubStep]):
    """One step of the sub ladder."""

    n = serializers.IntegerField()
    games = serializers.IntegerField(help_text="Games below N seconds.")
    games_in_second = serializers.IntegerField(
        help_text="Games in the last second below N; pages skip steps with none."
    )
    first_at = serializers.DateTimeField()
    replay = serializers.IntegerField(source="replay_id", help_text="The first of them.")


class PlayerDetailSerializer(PlayerRefSerializer):
    """Everything about a player."""

    url = serializers.CharField()  # type: ignore[assignment]  # a text here, a method in the short form
    claimed = serializers.BooleanField(help_text="Belongs to an account.")
    created_at = serializers.DateTimeField()
    identities = IdentitySerializer(many=True)
    bests = PlayerBestSerializer(many=True)
    sub_ladders = serializers.DictField(
        child=SubStepSerializer(many=True), help_text="By level, of the style asked for."
    )


class BvBestSerializer(ValueSerializer):
    """The best of a player for one 3BV."""

    bv = serializers.IntegerField(help_text="The 3BV.")
    games = serializers.IntegerField(help_text="Ranked games of this 3BV.")
    achieved_at = serializers.DateTimeField()


class By3bvSerializer(serializers.Serializer[Any]):
    """A player's best value of one statistic for each 3BV."""

    player = PlayerRefSerializer()
    level = serializers.CharField(help_text=LEVELS)
    statistic = serializers.CharField()
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rows = BvBestSerializer(many=True)


def by_3bv(player: Player, key: BoardKey, bests: list[BvBest]) -> dict[str, Any]:
    """What By3bvSerializer tells."""
    rows = [
        {
            "bv": best.bv,
            "games": best.games,
            "value": best.value,
            "text": value_text(key.row, best.value, precision_ms=best.precision_ms),
            "replay": best.replay_id,
            "achieved_at": best.achieved_at,
        }
        for best in bests
    ]
    return {"player": player, "level": key.level, "statistic": key.statistic, "style": key.style, "rows": rows}


def player_list_row(row: PlayerRow) -> dict[str, Any]:
    """``row`` as PlayerListRowSerializer tells it."""
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


def player_detail(
    player: Player, names: Sequence[Identity], bests: PlayerBests, ladders: dict[str, list[SubStep]]
) -> dict[str, Any]:
    """What PlayerDetailSerializer tells."""
    return {
        "id": player.pk,
        "name": player.name,
        "country": player.country,
        "is_bot": player.is_bot,
        "url": address_of("api-player", player.pk),
        "claimed": player.user_id is not None,
        "created_at": player.created_at,
        "identities": names,
        "bests": _best_rows(bests),
        "sub_ladders": ladders,
    }


def _best_rows(bests: PlayerBests) -> list[dict[str, Any]]:
    return [
        {
            "level": level,
            "statistic": statistic,
            "style": style,
            "rank": best.rank,
            "value": best.value,
            "text": value_text(BY_NAME[statistic], best.value, precision_ms=best.precision_ms),
            "replay": best.replay_id,
            "achieved_at": best.achieved_at,
        }
        for level, by_statistic in bests.items()
        for statistic, by_style in by_statistic.items()
        for style, best in by_style.items()
    ]
