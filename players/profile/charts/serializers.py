from __future__ import annotations

from rest_framework import serializers

from players.people.serializers import PlayerRefSerializer
from players.profile.charts.chart import Chart, Column
from players.profile.charts.kinds.catalogue import Kind
from players.profile.charts.request import ChartQuery
from players.web.api import TextField, Values


class ColumnSerializer(serializers.Serializer[Column]):
    """A column of the rows of a chart."""

    name = serializers.CharField(help_text="The key of the rows.")
    label = serializers.CharField(help_text="Heading of the column.")  # type: ignore[assignment]  # DRF turns declarations into fields


class ChartSerializer(serializers.Serializer[Values]):
    """A chart of a player: one row for each mark of the drawing on the page."""

    player = PlayerRefSerializer()
    chart = serializers.CharField(help_text="Name of the chart, as in its address.")
    title = serializers.CharField(help_text="Title of the chart for people.")
    parameters = serializers.DictField(
        child=serializers.JSONField(), help_text="The parameters that this chart takes, with the values that hold."
    )
    columns = ColumnSerializer(many=True, help_text="The columns of the rows, in their order.")
    rows = serializers.ListField(
        child=serializers.DictField(child=serializers.JSONField(allow_null=True)),
        help_text="By the names of the columns. Values of statistics are exact, times count from 0; days are those of "
        "`zone`.",
    )
    fact = TextField(help_text="The chart in a few words; null without any.")
    notes = serializers.ListField(child=serializers.CharField(), help_text="What to know of these numbers.")


def chart_values(kind: Kind, query: ChartQuery, chart: Chart) -> Values:
    return {
        "player": query.player,
        "chart": kind.name,
        "title": str(kind.title),
        "parameters": {name: _plain(query, name) for name in kind.takes},
        "columns": chart.columns,
        "rows": chart.rows,
        "fact": chart.fact,
        "notes": chart.notes,
    }


def _plain(query: ChartQuery, name: str) -> object:
    if name == "zone":
        return query.zone.key
    if name == "rival":
        return None if query.rival is None else query.rival.pk
    return getattr(query, name)
