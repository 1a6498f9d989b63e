from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from players.leaderboards.boards import COMBINED, LEVEL_ORDER, ON_LEVEL, STYLES
from players.leaderboards.pages.export import TYPES
from players.models import ALL_STYLES, Player
from players.people.selectors import player_of_id
from players.profile.charts import games as player_games
from players.profile.charts.cache import cached
from players.profile.charts.chart import Chart
from players.profile.charts.kinds.activity import calendar_years
from players.profile.charts.kinds.catalogue import KINDS, Kind, kind_of
from players.profile.charts.request import PARAMETERS, ChartQuery, chart_query
from players.web.errors import handle_bad_addresses
from players.web.parameters import Parsed, choice, form_of
from players.web.statistic_groups import grouped
from players.web.statistic_names import public_name

ChartForm = form_of(*PARAMETERS, choice("format", ["csv"]))
#: Values that need not stand in an address.
_DEFAULTS: Final = {"style": ALL_STYLES, "statistic": "time"}


@require_safe
@vary_on_headers("HX-Request")
@handle_bad_addresses
def chart(request: HttpRequest, pk: int, name: str) -> HttpResponse:
    """A chart on a page of its own, or, for htmx, the card of it."""
    kind = kind_of(name)
    player = player_of_id(pk)
    values = ChartForm(request.GET).values()
    query = chart_query(player, values, takes=kind.takes, needs_level=kind.needs_level)
    if values["format"]:
        return _file(kind, kind.build(query))
    context = card(kind, query, player_games.fingerprint(player.pk), zone_given=values["zone"] is not None)
    if getattr(request, "htmx", False):
        return render(request, "players/profile/charts/_card.html", {"chart": context, "player": player})
    context |= {"is_page": True}
    more = {
        "file": address(kind, query, zone=values["zone"] is not None, format="csv"),
        "chart": context,
        "player": player,
        "kinds": KINDS.values(),
        "title": kind.title,
        **_choices(kind, query),
    }
    return render(request, "players/profile/charts/chart.html", more)


def _file(kind: Kind, chart: Chart) -> HttpResponse:
    """Return the rows of ``chart`` as CSV, on a clock that starts at 0."""
    name = f'attachment; filename="{kind.name}.csv"'
    response = HttpResponse(content_type=TYPES["csv"], headers={"Content-Disposition": name})
    writer = csv.DictWriter(response, [column.name for column in chart.columns])
    writer.writeheader()
    writer.writerows(chart.rows)
    return response


def cards_of(request: HttpRequest, player: Player, names: Sequence[str], values: Parsed) -> list[dict[str, object]]:
    """The cards of the charts ``names`` for a page that holds them; ``values``: their parameters."""
    kinds = [KINDS[name] for name in names]
    queries = [chart_query(player, values, takes=kind.takes, needs_level=kind.needs_level) for kind in kinds]
    found = player_games.fingerprint(player.pk)
    return [card(kind, query, found, zone_given=False) for kind, query in zip(kinds, queries, strict=True)]


def chart_address(kind: Kind, player: Player, values: Parsed) -> str:
    path = reverse("player-chart", args=[player.pk, kind.name])
    given = {name: values[name] for name in kind.takes if values.get(name)}
    parameters = {name: _written(value) for name, value in given.items() if value != _DEFAULTS.get(name)}
    return f"{path}?{urlencode(parameters)}" if parameters else path


def card(
    kind: Kind, query: ChartQuery, fingerprint: player_games.Fingerprint, *, zone_given: bool
) -> dict[str, object]:
    return {
        "kind": kind,
        "name": kind.name,
        "title": kind.title,
        "address": address(kind, query, zone=zone_given),
        "zoned_address": address(kind, query, zone=False),
        "levels": [(level, address(kind, query, zone=zone_given, level=level)) for level in _levels(kind)],
        "level": query.level or "",
        "zone": query.zone.key if "zone" in kind.takes else "",
        "zone_given": zone_given,
        "body": _body(kind, query, fingerprint),
        "is_page": False,
    }


def _levels(kind: Kind) -> Sequence[str]:
    """The levels to choose from; "" is every level."""
    if "level" not in kind.takes:
        return ()
    levels = [level for level in LEVEL_ORDER if level != COMBINED]
    return levels if kind.needs_level else ["", *levels]


def _body(kind: Kind, query: ChartQuery, fingerprint: player_games.Fingerprint) -> SafeString:
    def draw() -> str:
        context = {"chart": kind.build(query), "title": kind.title}
        return render_to_string("players/profile/charts/_body.html", context)

    return mark_safe(cached(kind.name, query, fingerprint, draw))  # noqa: S308 - drawn by a template that escapes


def address(kind: Kind, query: ChartQuery, *, zone: bool, **changes: str | None) -> str:
    """The page of the chart with the parameters that were asked for and ``changes``; defaults are left out."""
    path = reverse("player-chart", args=[query.player.pk, kind.name])
    given: dict[str, object] = {name: getattr(query, name) for name in kind.takes if name != "zone"}
    if zone and "zone" in kind.takes:
        given["zone"] = query.zone.key
    given |= changes
    parameters = {name: _written(value) for name, value in given.items() if value and value != _DEFAULTS.get(name)}
    return f"{path}?{urlencode(parameters)}" if parameters else path


def _written(value: object) -> object:
    """``value`` as it stands in an address: of a statistic its public name."""
    return public_name(value) if isinstance(value, str) else value


def _choices(kind: Kind, query: ChartQuery) -> dict[str, object]:
    zone = False
    chosen: dict[str, object] = {}
    if "style" in kind.takes:
        styles = [(style, address(kind, query, zone=zone, style=style)) for style in STYLES]
        chosen |= {"styles": styles, "style": query.style}
    if "year" in kind.takes:
        years = calendar_years(query)
        chosen |= {
            "years": [(year, address(kind, query, zone=zone, year=str(year))) for year in years],
            "year": query.year or (years[0] if years else None),
        }
    if "statistic" in kind.takes:
        rows = grouped(ON_LEVEL[query.ranked_level])
        chosen |= {"statistic": query.statistic, "groups": rows}
    return chosen
