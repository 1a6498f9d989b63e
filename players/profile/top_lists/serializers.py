from __future__ import annotations

from rest_framework import serializers

from analysis.time_convention import value_text
from players.leaderboards.boards import BoardKey, games_in_value
from players.leaderboards.pages.serializers import ALL_LEVELS, STYLE_NAMES
from players.people.countries import country_name
from players.people.serializers import PlayerRefSerializer
from players.profile.top_lists.country_ranking import CountryRanking
from players.profile.top_lists.improvements import DAYS, Improvement
from players.web.api import ReplayRefSerializer, Values
from players.web.statistic_names import StatisticField


class CountryBestSerializer(serializers.Serializer[Values]):
    """One of the best results of a country."""

    player = PlayerRefSerializer()
    value = serializers.FloatField()
    text = serializers.CharField(help_text="Rounded half up, as pages show it.")
    replay = ReplayRefSerializer(allow_null=True, help_text="Null for sums.")


class CountryRowSerializer(serializers.Serializer[Values]):
    """A country; equal ones share a rank."""

    rank = serializers.IntegerField(allow_null=True, help_text="Null with fewer than three players.")
    country = serializers.CharField(help_text="Two letters.")
    name = serializers.CharField(help_text="Name of the country, in the language of the request.")
    players = serializers.IntegerField(help_text="How many of its players are on the board.")
    average = serializers.FloatField(allow_null=True, help_text="Of its three best players.")
    bests = CountryBestSerializer(many=True, help_text="Its three best players at most, best first.")


class CountryRankingSerializer(serializers.Serializer[Values]):
    """The countries of a board, by the average of their three best players; those with fewer follow without a rank."""

    level = serializers.CharField(help_text=ALL_LEVELS)
    statistic = StatisticField()
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    made_at = serializers.DateTimeField(help_text="The list is made at most every five minutes.")
    players = serializers.IntegerField(help_text="Players of the board who have a country.")
    rows = CountryRowSerializer(many=True)


class ImprovementSerializer(serializers.Serializer[Values]):
    """A player who improved; equal ones share a rank."""

    rank = serializers.IntegerField()
    player = PlayerRefSerializer()
    old_value = serializers.FloatField(help_text="The best time before, in seconds.")
    new_value = serializers.FloatField(help_text="The best time now.")
    gain = serializers.FloatField(help_text="The difference.")
    share = serializers.FloatField(help_text="The difference as a share of the best before, 0 to 1.")
    steps = serializers.IntegerField(help_text="How many personal bests it took.")
    replay = ReplayRefSerializer(help_text="Of a sum: the game that completed it.")
    achieved_at = serializers.DateTimeField()


class ImprovementsSerializer(serializers.Serializer[Values]):
    """Players who improved their best time most, by the share of the best before; newcomers are not listed.

    The list is made at most every five minutes.
    """

    level = serializers.CharField(help_text=ALL_LEVELS)
    style = serializers.CharField(help_text=STYLE_NAMES)  # type: ignore[assignment]  # DRF turns declarations into fields
    days = serializers.IntegerField(help_text="Length of the period, in days.")
    rows = ImprovementSerializer(many=True)


def country_ranking_values(key: BoardKey, ranking: CountryRanking) -> Values:
    games = games_in_value(key.level)
    rows = [
        {
            "rank": row.rank, "country": row.country, "name": country_name(row.country), "players": row.players,
            "average": row.average,
            "bests": [
                {
                    "player": one.player, "value": one.value, "replay": one.replay_id,
                    "text": value_text(key.row, one.value, precision_ms=one.precision_ms, games=games),
                }
                for one in row.bests
            ],
        }
        for row in ranking.rows
    ]  # fmt: skip
    return {**key._asdict(), "made_at": ranking.made_at, "players": ranking.players, "rows": rows}


def improvements_values(level: str, style: str, rows: list[Improvement]) -> Values:
    found = [{**one._asdict(), "gain": one.gain, "share": one.share, "replay": one.replay_id} for one in rows]
    return {"level": level, "style": style, "days": DAYS, "rows": found}
