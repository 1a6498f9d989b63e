from __future__ import annotations

from django.utils.translation import gettext
from rest_framework import serializers

from analysis.sources import Source
from analysis.statistics import Better, DataClass, Statistic
from players.web.api import TextField, Values
from players.web.statistic_names import public_name


class SourceSerializer(serializers.Serializer[Source]):
    """A source of definitions."""

    name = serializers.SerializerMethodField(help_text="Its short name, as the statistics give it.")
    title = serializers.SerializerMethodField(help_text="Title of the source.")
    address = TextField(help_text="Its web page; null if none is known.")

    def get_name(self, source: Source) -> str:
        return gettext(source.name)

    def get_title(self, source: Source) -> str:
        return gettext(source.title)


class StatisticSerializer(serializers.Serializer[Statistic]):
    """One row of the registry."""

    name = serializers.CharField(source="public", help_text="Its name in addresses, filters and rows of replays.")
    aliases = serializers.ListField(
        child=serializers.CharField(), help_text="Other names of it, understood everywhere."
    )
    label = serializers.SerializerMethodField(help_text="Name for people, in the language of the request.")  # type: ignore[assignment]  # DRF turns declarations into fields
    group = serializers.SerializerMethodField(help_text="Group on the data page.")
    unit = TextField(help_text="Unit of the values; null if they have none.")
    kind = serializers.ChoiceField(
        choices=[one.value for one in DataClass], source="data_class",
        help_text="Class on the data page: basic numbers are counted, derived ones computed from them; luck is this site's.",
    )  # fmt: skip
    better = serializers.ChoiceField(
        choices=[better.value for better in Better], help_text="Whether low or high values are better."
    )
    levels = serializers.ListField(child=serializers.CharField(), help_text="Levels on which it is ranked.")
    formula = TextField(help_text="Python with the names of other statistics; null for counted ones.")
    needs = serializers.SerializerMethodField(help_text="The names of what it is computed from.")
    undefined = serializers.SerializerMethodField(help_text="When the value is null; null if it never is.")
    doc = serializers.SerializerMethodField(help_text="Meaning, in the language of the request.")
    source = serializers.SerializerMethodField(help_text="The name of one of the sources.")  # type: ignore[assignment]  # DRF turns declarations into fields
    integer = serializers.BooleanField(help_text="Whether values are whole numbers.")
    decimals = serializers.IntegerField(help_text="Digits shown, rounded half up.")
    stored = serializers.BooleanField(help_text="Whether lists can filter by it; others are computed on request.")
    ranked = serializers.BooleanField(help_text="Has leaderboards.")
    sortable = serializers.BooleanField(help_text="Lists of replays can be sorted by it.")

    def get_label(self, row: Statistic) -> str:
        return gettext(row.label)

    def get_needs(self, row: Statistic) -> list[str]:
        return [public_name(name) for name in row.needs]

    def get_group(self, row: Statistic) -> str:
        return gettext(row.group)

    def get_undefined(self, row: Statistic) -> str | None:
        return gettext(row.undefined) if row.undefined else None

    def get_doc(self, row: Statistic) -> str:
        return gettext(row.doc)

    def get_source(self, row: Statistic) -> str:
        return gettext(row.source.name)


class StatisticsSerializer(serializers.Serializer[Values]):
    """The registry, its sources, and the version of its definitions."""

    version = serializers.IntegerField(help_text="Version of the definitions.")
    rows = StatisticSerializer(many=True)
    sources = SourceSerializer(many=True, help_text="The sources of the definitions.")
