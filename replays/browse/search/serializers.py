from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext
from rest_framework import serializers

from analysis.statistics import Statistic
from players.people.serializers import PlayerRefSerializer
from players.web.api import TextField
from players.web.links import address_of
from players.web.statistic_names import StatisticField
from replays.browse.search.selectors import Found, FoundReplay
from replays.browse.search.texts import FoundText
from replays.browse.search.words import FoundBoard


class FoundReplaySerializer(serializers.Serializer[FoundReplay]):
    """A replay that was found."""

    id = serializers.IntegerField(source="replay.pk")
    by = serializers.ChoiceField(
        choices=["number", "file", "game"], help_text="What the text is the beginning of: a number, or which hash."
    )
    level = TextField(source="replay.level", help_text="Null before the file was read.")
    level_name = TextField(source="level_text", help_text="The level in the language of the request.")
    result = TextField(source="replay.result")
    time = serializers.FloatField(source="replay.time", allow_null=True, help_text="In s, counted from 0.")
    player = PlayerRefSerializer(source="replay.player", allow_null=True)
    url = serializers.SerializerMethodField(help_text="The replay in the API.")
    html_url = serializers.CharField(
        source="replay.get_absolute_url", read_only=True, help_text="The page of the replay."
    )

    def get_url(self, found: FoundReplay) -> str:
        return address_of("api-replay", found.replay.pk)


class FoundBoardSerializer(serializers.Serializer[FoundBoard]):
    """A board that was found."""

    title = serializers.CharField(help_text="Its level and statistic in the language of the request.")
    level = serializers.CharField(help_text="“combined” for sums.")
    statistic = StatisticField(allow_null=True, help_text="Null for sub-N boards.")
    n = serializers.IntegerField(allow_null=True, help_text="The N of a sub-N board.")
    url = serializers.CharField(help_text="The board in the API.")
    html_url = serializers.CharField(help_text="The page of the board.")


class FoundStatisticSerializer(serializers.Serializer[Statistic]):
    """A statistic that was found."""

    name = serializers.CharField(source="public", help_text="Public name of the statistic.")
    label = serializers.SerializerMethodField(help_text="Name for people.")  # type: ignore[assignment]  # DRF turns declarations into fields
    doc = serializers.SerializerMethodField(help_text="Meaning of the statistic.")
    html_url = serializers.SerializerMethodField(help_text="Its definition.")

    def get_label(self, row: Statistic) -> str:
        return gettext(row.label)

    def get_doc(self, row: Statistic) -> str:
        return gettext(row.doc)

    def get_html_url(self, row: Statistic) -> str:
        return f"{reverse('statistics')}#{row.public}"


class FoundTextSerializer(serializers.Serializer[FoundText]):
    """A word of the glossary, or a page."""

    name = serializers.CharField(help_text="The word, or the title of the page.")
    label = serializers.CharField(help_text="The word, or the title of the page, in the language of the request.")  # type: ignore[assignment]  # DRF turns declarations into fields
    doc = TextField(help_text="What it means, or what the page is about; null if the title says it.")
    html_url = serializers.CharField(help_text="Its line in the glossary, or the page.")


class FoundSerializer(serializers.Serializer[Found]):
    """A few rows of each kind."""

    players = PlayerRefSerializer(many=True, help_text="Players whose names match.")
    more_players = serializers.BooleanField(help_text="Whether /api/v1/players/ has more of them.")
    replays = FoundReplaySerializer(many=True, help_text="Replays whose numbers match.")
    boards = FoundBoardSerializer(many=True, help_text="Boards that match.")
    statistics = FoundStatisticSerializer(many=True, help_text="Statistics that match.")
    terms = FoundTextSerializer(many=True, help_text="Words of the glossary.")
    pages = FoundTextSerializer(many=True, help_text="Pages and tools of the site.")
