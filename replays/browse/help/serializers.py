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
