"""The registry of statistics as JSON."""

from __future__ import annotations

from django.utils.translation import gettext
from rest_framework import serializers

from analysis.statistics import Statistic
from players.web.api import Values


class StatisticSerializer(serializers.Serializer[Statistic]):
    """One row of the registry."""

    name = serializers.CharField()
    label = serializers.SerializerMethodField()  # type: ignore[assignment]  # DRF turns declarations into fields
    group = serializers.SerializerMethodField()
    unit = serializers.CharField()
    kind = serializers.ChoiceField(choices=[("base", "base"), ("derived", "derived")])
    better = serializers.ChoiceField(choices=[("low", "low"), ("high", "high"), ("none", "none")])
    levels = serializers.ListField(child=serializers.CharField())
    formula = serializers.CharField(help_text="Python with the names of other statistics; empty for counted ones.")
    needs = serializers.ListField(child=serializers.CharField())
    undefined = serializers.SerializerMethodField(help_text="When the value is null.")
    doc = serializers.SerializerMethodField()
    source = serializers.CharField()  # type: ignore[assignment]  # DRF turns declarations into fields
    integer = serializers.BooleanField()
    decimals = serializers.IntegerField(help_text="Digits shown, rounded half up.")
    stored = serializers.BooleanField()
    ranked = serializers.BooleanField()

    def get_label(self, row: Statistic) -> str:
        return gettext(row.label)

    def get_group(self, row: Statistic) -> str:
        return gettext(row.group)

    def get_undefined(self, row: Statistic) -> str:
        return gettext(row.undefined) if row.undefined else ""

    def get_doc(self, row: Statistic) -> str:
        return gettext(row.doc)


class StatisticsSerializer(serializers.Serializer[Values]):
    """The registry, and the version of its definitions."""

    version = serializers.IntegerField()
    rows = StatisticSerializer(many=True)
