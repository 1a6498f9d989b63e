"""Rows of lists of replays; see ``players.templatetags.tables``."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from html import escape
from typing import Any, Final

from django import template
from django.template import Context
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext

from analysis.statistics import BY_NAME, Statistic
from players.links import replay_address
from players.templatetags.sweepbook import level_mark, player_link, rank_step, record_value, value, when
from players.templatetags.tables import joined
from replays.models import Replay
from replays.selectors import Line

register = template.Library()

_TIME: Final = BY_NAME["time"]
_BVS: Final = BY_NAME["bvs"]


@register.simple_tag
def range_fields(ranges: Iterable[Any]) -> SafeString:
    """Two fields for each of some ranges (``replays.views.listing.Range``)."""
    least, most = escape(gettext("at least")), escape(gettext("at most"))
    return joined(
        f'<fieldset class="field range"><legend>{escape(gettext(entry.row.label))}{_unit(entry.row)}</legend>'
        f'<span class="pair">{_end(f"{entry.row.name}__gte", entry.least, "≥", least)}'
        f"{_end(f'{entry.row.name}__lte', entry.most, '≤', most)}</span></fieldset>"
        for entry in ranges
    )


def _unit(row: Statistic) -> str:
    return f' <span class="unit">{escape(gettext(row.unit))}</span>' if row.unit else ""


def _end(name: str, given: str, sign: str, label: str) -> str:
    """One end of a range, as the visitor gave it."""
    return (
        f'<input name="{name}" inputmode="decimal" value="{escape(given)}" placeholder="{sign}" aria-label="{label}"'
        ' autocomplete="off">'
    )


@register.simple_tag(takes_context=True)
def replay_rows(context: Context, rows: Iterable[Replay]) -> SafeString:
    """Replays with time, level, player, ``extra`` (a statistic, or None), 3BV, 3BV/s, IOE, style, result and date."""
    extra = context["extra"]
    return joined(
        f"<tr>{_of_game(context, replay, extra) if replay.status == Replay.Status.DONE else _of_file(replay, extra)}"
        f'<td class="num date">{when(replay.uploaded_at)}</td></tr>'
        for replay in rows
    )


def _of_game(context: Context, replay: Replay, extra: Statistic | None) -> str:
    wanted = f'<td class="num value">{_shown(context, replay, extra.name)}</td>' if extra else ""
    return (
        f'<td class="num"><a class="value" data-main href="{replay_address(replay.pk)}">'
        f"{_shown(context, replay, 'time', replay.time_precision_ms)}</a></td>"
        f'<td>{level_mark(replay.level)}</td><td class="name">{player_link(replay.player)}</td>{wanted}'
        f'<td class="num">{replay.statistic("bv")}</td><td class="num">{_shown(context, replay, "bvs")}</td>'
        f'<td class="num">{_shown(context, replay, "ioe")}</td><td>{replay.style}</td><td>{_result(replay.result)}</td>'
    )


def _of_file(replay: Replay, extra: Statistic | None) -> str:
    """A file that has not become a game, or not yet."""
    return (
        f'<td colspan="{7 if extra else 6}" class="name"><a data-main href="{replay_address(replay.pk)}">'
        f"<bdi>{escape(replay.original_name)}</bdi></a></td><td></td>"
        f'<td><span class="badge {replay.status}">{escape(replay.get_status_display())}</span></td>'
    )


@register.simple_tag(takes_context=True)
def record_items(context: Context, games: Iterable[Any], with_player: bool) -> SafeString:
    """Games with the records that they set (``replays.views.home.RecordGame``)."""
    return joined(
        f'<li><a class="what" data-main href="{replay_address(game.first.replay_id)}">'
        f"{''.join(_record(context, row, event) for row, event in game.shown)}{_more(game.more)}</a>"
        f"{_who(game.first, with_player)}{_day(game.first.happened_at)}</li>"
        for game in games
    )


def _record(context: Context, row: Statistic, event: Any) -> str:
    text = record_value(context, event, event.new_value)
    return (
        f'<span class="nowrap"><span class="muted">{escape(gettext(row.label))}</span>'
        f' <span class="value">{text}</span> <span class="muted small">{rank_step(event)}</span></span>'
    )


def _more(count: int) -> str:
    """How many records of a game are not shown."""
    if not count:
        return ""
    text = ngettext("and %(more)s more", "and %(more)s more", count) % {"more": count}
    return f'<span class="muted nowrap">{escape(text)}</span>'


@register.simple_tag(takes_context=True)
def newest_items(context: Context, rows: Iterable[Line], with_player: bool) -> SafeString:
    """Replays with time, 3BV, 3BV/s, result, level and day."""
    return joined(
        f'<li><a class="what" data-main href="{replay_address(line.pk)}"><span class="nowrap"><span class="value">'
        f"{value(context, _TIME, line.time, line.time_precision_ms)}</span>"
        f' <span class="muted">s</span></span><span class="nowrap"><span class="muted">3BV</span>'
        f' {line.bv}</span><span class="nowrap"><span class="muted">3BV/s</span>'
        f" {value(context, _BVS, line.bvs)}</span></a>"
        f'<span class="side-note">{_result(line.result)}</span>{_who(line, with_player)}{_day(line.uploaded_at)}</li>'
        for line in rows
    )


def _shown(context: Context, replay: Replay, name: str, precision_ms: int | None = None) -> str:
    return value(context, BY_NAME[name], replay.statistic(name), precision_ms)


def _result(result: str) -> str:
    return f'<span class="badge {result}">{escape(str(Replay.Result(result).label))}</span>'


def _who(shown: Any, with_player: bool) -> str:
    """The level of a game or record, and its player."""
    player = f"<span>{player_link(shown.player)}</span>" if with_player else ""
    return f'<span class="who">{level_mark(shown.level)}{player}</span>'


def _day(moment: datetime) -> str:
    return f'<span class="date">{when(moment)}</span>'
