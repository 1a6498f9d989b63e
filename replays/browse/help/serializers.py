from __future__ import annotations

from rest_framework import serializers

from players.web.api import Values
from replays.browse.help.selectors import Entry


class EntrySerializer(serializers.Serializer[Entry]):
    """A word or a statistic."""

    name = serializers.CharField(help_text="Of a statistic its public name.")
    english = serializers.CharField(help_text="The word in English.")
    chinese = serializers.CharField(help_text="The word in Chinese.")
    text = serializers.CharField(help_text="What it means, in the language of the request.")
    is_statistic = serializers.BooleanField(help_text="Whether the word names a statistic.")
    html_url = serializers.CharField(help_text="Where the site explains it.")


class GlossarySerializer(serializers.Serializer[Values]):
    """All of them."""

    rows = EntrySerializer(many=True)


class LevelRuleSerializer(serializers.Serializer[Values]):
    """The rule of one level."""

    level = serializers.CharField(help_text="A level that has boards.")
    minimum_3bv = serializers.IntegerField(help_text="The least 3BV of a game that counts.")
    combined = serializers.BooleanField(help_text="Whether it is part of the combined board.")


class RankingSerializer(serializers.Serializer[Values]):
    """The games that count: won, by standard rules, accepted, of people, on a level of the list."""

    levels = LevelRuleSerializer(many=True, help_text="The levels, the easiest first.")
    minimum_completion = serializers.FloatField(
        help_text="The least completion of a lost game on boards of lost games."
    )
    html_url = serializers.CharField(help_text="The page with all rules in words.")
