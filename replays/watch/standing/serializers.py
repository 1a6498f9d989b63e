from __future__ import annotations

from rest_framework import serializers

from analysis.statistics import RANKED
from players.people.serializers import PlayerRefSerializer
from players.web.api import Values
from players.web.statistic_names import StatisticChoiceField
from replays.models import Replay
from replays.watch.standing.selectors import SCORES, Share, Standing


class ShareSerializer(serializers.Serializer[Share]):
    """A share of games."""

    percent = serializers.IntegerField(help_text="Of the games so many are worse, rounded down.")
    games = serializers.IntegerField(help_text="How many games were looked at.")


class PlaceSerializer(serializers.Serializer[Values]):
    """The standing of one number of a game."""

    statistic = StatisticChoiceField((*RANKED, *SCORES))
    better_than = ShareSerializer(allow_null=True, help_text="Among all ranked games of the level; counted every hour.")
    better_than_own = ShareSerializer(
        allow_null=True, help_text="Among the player's other ranked games of the level, the latest 2,000."
    )
    personal_best = serializers.FloatField(allow_null=True, help_text="The player's best.")
    rank = serializers.IntegerField(allow_null=True, help_text="Of the player's best on its board.")
    is_personal_best = serializers.BooleanField(help_text="Whether that best is this game's.")
    difference = serializers.FloatField(allow_null=True, help_text="The value of this game less the player's best.")


class SameBoardSerializer(serializers.Serializer[Replay]):
    """Another game on the same board."""

    id = serializers.IntegerField()
    player = PlayerRefSerializer(allow_null=True)
    result = serializers.CharField()
    time_ms = serializers.IntegerField(allow_null=True, help_text="Time of the game in milliseconds.")
    html_url = serializers.CharField(source="get_absolute_url", read_only=True, help_text="The page of the replay.")


class StandingSerializer(serializers.Serializer[Values]):
    """The standing of a game among others."""

    places = PlaceSerializer(many=True, help_text="Of games that are not ranked none.")
    previous = serializers.IntegerField(allow_null=True, help_text="The player's replay before this one.")
    next = serializers.IntegerField(allow_null=True, help_text="The player's replay after this one.")
    same_board = SameBoardSerializer(many=True, help_text="The fastest of the other games on the same board.")


def standing_values(found: Standing) -> Values:
    return {
        "places": [
            {
                "statistic": name,
                "better_than": place.all_games,
                "better_than_own": place.own_games,
                "personal_best": place.best.value if place.best else None,
                "rank": place.best.rank if place.best else None,
                "is_personal_best": place.is_best,
                "difference": place.difference,
            }
            for name, place in found.places.items()
        ],
        "previous": found.previous,
        "next": found.following,
        "same_board": found.same_board,
    }
