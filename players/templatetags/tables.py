"""Tables of pages, row by row: drawn here and not in templates.

A page holds fifty to a hundred and fifty of these rows, and a template, cell by cell, takes several times as long.  All
that is put together here are numbers, dates, names of the registry and addresses of our own; names that people have
chosen go through :func:`player_link`.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext

from analysis.statistics import Statistic
from players.boards import COMBINED, games_in_value
from players.links import board_address, progress_address, replay_address
from players.models import ALL_STYLES
from players.templatetags.sweepbook import NO_VALUE, from_one, player_link, when
from players.time_convention import value_text

register = template.Library()

_NO_BEST = f'{NO_VALUE} <span class="place"></span><span class="trend"></span>'


def joined(rows: Iterable[str]) -> SafeString:
    """Rows that were drawn."""
    return mark_safe("".join(rows))  # noqa: S308 - see the module


def _place(context: Context, place: Any) -> str:
    """The beginning of a row of a board: rank and player."""
    marks = ""
    if place.player.pk == context.get("sought_id"):
        marks = ' id="place" class="sought" aria-current="true"'
    elif place.player.pk == context.get("viewer_id"):
        marks = ' class="own"'
    top = " top" if place.rank <= 3 else ""
    return f'<tr{marks}><td class="rank{top}">{place.rank}</td><td class="name">{player_link(place.player)}</td>'


@register.simple_tag(takes_context=True)
def places(context: Context, rows: Iterable[Any]) -> SafeString:
    """Places of a board of one level: each value with its replay."""
    row, clock = context["row"], from_one(context)
    return joined(
        f'{_place(context, place)}<td class="num"><a class="value" data-main href="{replay_address(place.replay_id)}">'
        f"{value_text(row, place.value, from_one=clock, precision_ms=place.precision_ms)}</a></td>"
        f'<td class="num date">{when(place.achieved_at)}</td></tr>'
        for place in rows
    )


@register.simple_tag(takes_context=True)
def combined_places(context: Context, rows: Iterable[Any]) -> SafeString:
    """Places of a combined board: the sum, and its ``parts``, each with its replay."""
    row, clock = context["row"], from_one(context)
    return joined(_combined_place(context, place, row, clock) for place in rows)


def _combined_place(context: Context, place: Any, row: Statistic, clock: bool) -> str:
    total = value_text(
        row, place.value, from_one=clock, precision_ms=place.precision_ms, games=games_in_value(COMBINED)
    )
    drawn, main = [f'{_place(context, place)}<td class="num value">{total}</td>'], " data-main"
    for level in context["parts"]:
        value, replay, precision_ms = place.parts[level]
        text = value_text(row, value, from_one=clock, precision_ms=precision_ms)
        drawn.append(f'<td class="num"><a{main} href="{replay_address(replay)}">{text}</a></td>')
        main = ""
    return f'{"".join(drawn)}<td class="num date">{when(place.achieved_at)}</td></tr>'


@register.simple_tag(takes_context=True)
def sub_places(context: Context, rows: Iterable[Any]) -> SafeString:
    """Places of a sub-N board: how many games, and the first of them."""
    return joined(
        f'{_place(context, place)}<td class="num value">{place.games}</td><td class="num date">'
        f'<a data-main href="{replay_address(place.replay_id)}">{when(place.achieved_at)}</a></td></tr>'
        for place in rows
    )


@register.simple_tag(takes_context=True)
def player_rows(context: Context, rows: Iterable[Any]) -> SafeString:
    """Players with their best times of each of ``levels``."""
    row, clock, levels = context["row"], from_one(context), context["levels"]
    return joined(
        f'<tr><td class="name">{player_link(entry.player)}</td>'
        f"{''.join(_best_time(row, entry.times.get(level), clock) for level in levels)}</tr>"
        for entry in rows
    )


def _best_time(row: Statistic, best: Any, clock: bool) -> str:
    if best is None:
        return f'<td class="num">{NO_VALUE}</td>'
    text = value_text(row, best.value, from_one=clock, precision_ms=best.precision_ms)
    return f'<td class="num"><a href="{replay_address(best.replay_id)}">{text}</a></td>'


@register.simple_tag(takes_context=True)
def best_rows(context: Context, player: int, rows: Iterable[Any]) -> SafeString:
    """Statistics with the player's bests of each level."""
    definitions, clock = reverse("statistics"), from_one(context)
    query = "" if context["style"] == ALL_STYLES else f"?style={context['style']}"
    progress = escape(gettext("Progress"))

    def cell(row: Statistic, level: str, best: Any) -> str:
        """A best with its replay, its rank and the way there."""
        if best is None:
            return f"<td>{_NO_BEST}</td>"
        text = value_text(row, best.value, from_one=clock, precision_ms=best.precision_ms, games=games_in_value(level))
        place = f'<a class="place" href="{board_address(level, row.name)}{query}">#{best.rank}</a>'
        if level == COMBINED:
            return f'<td><span class="value">{text}</span> {place}<span class="trend"></span></td>'
        return (
            f'<td><a class="value" href="{replay_address(best.replay_id)}">{text}</a> {place}'
            f'<a class="trend" href="{progress_address(player, level, row.name)}{query}" title="{progress}">'
            f'<span aria-hidden="true">↗</span><span class="visually-hidden">{progress}</span></a></td>'
        )

    return joined(
        f'<tr><th scope="row"><a href="{definitions}#{entry.row.name}">{escape(gettext(entry.row.label))}</a></th>'
        f"{''.join(cell(entry.row, level, best) for level, best in entry.cells)}</tr>"
        for entry in rows
    )


@register.simple_tag
def rungs(steps: Iterable[Any]) -> SafeString:
    """Rungs of a ladder: N, the day of the first game below it, how many there are."""
    name, language = escape(gettext("sub-%(n)s")), get_language() or ""
    return joined(
        f'<li><a href="{replay_address(step.replay_id)}"><b>{name % {"n": step.n}}</b>'
        f"<span>{when(step.first_at)}</span><span>{_games(language, step.games)}</span></a></li>"
        for step in steps
    )


@lru_cache(maxsize=10_000)
def _games(_language: str, count: int) -> str:
    """A page has up to a hundred of these, most of them small."""
    return escape(ngettext("%(games)s game", "%(games)s games", count) % {"games": count})
