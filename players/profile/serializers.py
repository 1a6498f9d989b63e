"""A player, their bests, sub ladders and bests by 3BV as JSON."""

from __future__ import annotations

from collections.abc import Sequence

from rest_framework import serializers

from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.leaderboards.boards import BoardKey
from players.leaderboards.pages.serializers import ALL_LEVELS, LEVELS, STYLE_NAMES
from players.leaderboards.ranked_games import BvBest
from players.leaderboards.sub_n.selectors import SubStep
from players.models import Identity, Player
from players.people.serializers import PlayerFields, PlayerRefSerializer
from players.profile.selectors import PlayerBests
from players.web.api import Values, ValueSerializer
from players.web.links import address_of, player_address


class IdentitySerializer(serializers.Serializer[Identity]):
    """A name inside replays."""

    name = serializers.CharField()
    shown_name = serializers.CharField(help_text="For showing: hidden characters are written as ⟨U+202E⟩.")
    state = serializers.ChoiceField(choices=Identity.State.choices)


class PlayerBestSerializer(ValueSerializer):
    """The best of a player on one board, with its rank."""

    level = serializers.CharField(help_text=ALL_LEVELS)
    statistic = serializers.CharField()
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rank = serializers.IntegerField()
    achieved_at = serializers.DateTimeField()


class SubStepSerializer(serializers.Serializer[SubStep]):
    """One N of the sub ladder."""

    n = serializers.IntegerField()
    games = serializers.IntegerField(help_text="Games below N seconds.")
    games_in_second = serializers.IntegerField(
        help_text="Games in the last second below N; pages skip steps with none."
    )
    first_at = serializers.DateTimeField()
    replay = serializers.IntegerField(source="replay_id", help_text="The first of them.")


class PlayerDetailSerializer(PlayerFields):
    """Everything about a player."""

    url = serializers.CharField(help_text="The player in the API.")
    html_url = serializers.CharField(help_text="The page of the player.")
    claimed = serializers.BooleanField(help_text="Belongs to an account.")
    created_at = serializers.DateTimeField()
    not_owned_games = serializers.IntegerField(
        help_text="Games that others uploaded under the player's names and that do not count: they wait for the owner, "
        "or the owner disowned them."
    )
    identities = IdentitySerializer(many=True)
    bests = PlayerBestSerializer(many=True)
    sub_ladders = serializers.DictField(
        child=SubStepSerializer(many=True), help_text="By level, of the requested style."
    )


class BvBestSerializer(ValueSerializer):
    """The best of a player for one 3BV."""

    bv = serializers.IntegerField(help_text="The 3BV.")
    games = serializers.IntegerField(help_text="Ranked games of this 3BV.")
    achieved_at = serializers.DateTimeField()


class By3bvSerializer(serializers.Serializer[Values]):
    """A player's best value of one statistic for each 3BV."""

    player = PlayerRefSerializer()
    level = serializers.CharField(help_text=LEVELS)
    statistic = serializers.CharField()
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    rows = BvBestSerializer(many=True)


def by_3bv_values(player: Player, key: BoardKey, bests: list[BvBest]) -> Values:
    """The values of By3bvSerializer."""
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


def player_values(
    player: Player,
    names: Sequence[Identity],
    bests: PlayerBests,
    ladders: dict[str, list[SubStep]],
    not_owned: int,
) -> Values:
    """The values of PlayerDetailSerializer."""
    return {
        "id": player.pk,
        "name": player.name,
        "shown_name": player.shown_name,
        "country": player.country,
        "is_bot": player.is_bot,
        "url": address_of("api-player", player.pk),
        "html_url": player_address(player.pk),
        "claimed": player.user_id is not None,
        "created_at": player.created_at,
        "not_owned_games": not_owned,
        "identities": names,
        "bests": _best_rows(bests),
        "sub_ladders": ladders,
    }


def _best_rows(bests: PlayerBests) -> list[Values]:
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
