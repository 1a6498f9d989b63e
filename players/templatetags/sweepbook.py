"""How values, levels, players and times are written in pages.

Rounding and the choice between clocks are decided by ``players.time_convention`` alone.
"""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from html import escape
from typing import Any

from django import template
from django.template import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from analysis.recording import Level
from analysis.statistics import BY_NAME, Statistic
from players.boards import COMBINED, LEVEL_LABELS, STYLE_LABELS, games_in_value
from players.links import board_address, player_address, replay_address
from players.models import User
from players.time_convention import value_text

register = template.Library()

NOT_DEFINED = "–"
NO_VALUE = format_html('<span class="none">{}</span>', NOT_DEFINED)
_OTHER_LEVELS = {Level.CUSTOM.value: _("Custom"), COMBINED: _("Combined")}
_LEVEL_TEXTS = {**{level.value: label for level, label in LEVEL_LABELS.items()}, **_OTHER_LEVELS}
_MODE_TEXTS = {
    "standard": _("standard"),
    "upk": _("known board (UPK)"),
    "cheat": _("cheat"),
    "density": _("density"),
    "win7": _("Windows 7 rules"),
    "no-guess": _("no guessing"),
    "lucky": _("lucky"),
    "other": _("other rules"),
}


def counts_from_one(user: Any) -> bool:
    """Whether ``user`` (an account, an anonymous visitor or None) reads clocks that start at 1."""
    return getattr(user, "clock", User.Clock.ZERO) == User.Clock.ONE


def from_one(context: Context) -> bool:
    """:func:`counts_from_one` of the visitor of a page."""
    return counts_from_one(context.get("user"))


@register.simple_tag(takes_context=True)
def value(
    context: Context, statistic: Statistic | str, number: float | None, precision_ms: int | None = None, games: int = 1
) -> str:
    """``{% value "bvs" replay.bvs %}``: the number as text; "–" with the reason where it is not defined."""
    row = BY_NAME[statistic] if isinstance(statistic, str) else statistic
    if number is None:
        reason = gettext("not defined: %(reason)s") % {"reason": gettext(row.undefined)} if row.undefined else ""
        return format_html(
            '<span class="none" title="{}">{}<span class="visually-hidden"> {}</span></span>',
            reason,
            NOT_DEFINED,
            reason,
        )
    return value_text(row, number, from_one=from_one(context), precision_ms=precision_ms, games=games)


@register.simple_tag(takes_context=True)
def record_value(context: Context, event: Any, number: float) -> str:
    """``{% record_value event event.old_value %}``: a value of a record, which may be one of sums."""
    return value(context, event.statistic, number, event.precision_ms, games=games_in_value(event.level))


@register.filter
def rank_step(event: Any) -> SafeString:
    """The ranks before and after a record, "12 → 9"; in words for who listens to them."""
    words = rank_words(event)
    if not words:
        return NO_VALUE
    if event.rank_before is None:
        shown = gettext("new: %(rank)s") % {"rank": event.rank_after}
    elif event.rank_before == event.rank_after:
        shown = str(event.rank_after)
    else:
        shown = f"{event.rank_before} → {event.rank_after}"
    return format_html(
        '<span class="nowrap" aria-hidden="true">{}</span><span class="visually-hidden">{}</span>', shown, words
    )


def rank_words(event: Any) -> str:
    """The ranks before and after a record as a sentence; "" where they are not known."""
    if event.rank_after is None:
        return ""
    if event.rank_before is None:
        return gettext("New at rank %(rank)s.") % {"rank": event.rank_after}
    if event.rank_before == event.rank_after:
        return gettext("Rank %(rank)s as before.") % {"rank": event.rank_after}
    return gettext("From rank %(before)s to rank %(after)s.") % {"before": event.rank_before, "after": event.rank_after}


@register.filter
def translated(text: str) -> str:
    """A text of the registry in the reader's language."""
    return gettext(text) if text else ""


@register.filter
def level_text(level: str) -> str:
    """The name of a level."""
    return str(_LEVEL_TEXTS.get(level, level))


@register.filter
def level_mark(level: str) -> SafeString:
    """The name of a level with its colour."""
    return _level_mark(level, get_language() or "")


@lru_cache(maxsize=200)
def _level_mark(level: str, _language: str) -> SafeString:
    known = level if level in _LEVEL_TEXTS else Level.CUSTOM.value
    return format_html('<span class="level level-{}">{}</span>', known, level_text(level))


@register.filter
def style_text(style: str) -> str:
    """The name of a style of play."""
    return str(STYLE_LABELS.get(style, style))


@register.filter
def mode_text(mode: str) -> str:
    """The name of a rule set."""
    return str(_MODE_TEXTS.get(mode, mode))


@register.filter
def part_of(parts: dict[str, Any], level: str) -> Any:
    """``mapping[key]`` for templates; None where it is missing."""
    return parts.get(level)


@register.filter
def when(moment: datetime | None, style: str = "date") -> SafeString:
    """``<time>`` in the reader's zone; ``style`` is "date" or "minute".  Scripts rewrite it to the browser's zone."""
    if moment is None:
        return mark_safe(NOT_DEFINED)  # noqa: S308 - a constant of this module
    local = timezone.localtime(moment)
    written = local.isoformat(" ", "seconds")  # several times as fast as strftime
    text = written[: len("2026-05-01" if style == "date" else "2026-05-01 12:30")]
    title = f"{written[: len('2026-05-01 12:30:59')]} {local.tzname()}"
    # Digits and names of zones: nothing in it needs escaping, and a page holds a hundred of these.
    return mark_safe(f'<time datetime="{moment.isoformat()}" data-format="{style}" title="{title}">{text}</time>')  # noqa: S308


@register.simple_tag
def player_link(player: Any) -> SafeString:
    """A player's name (isolated: it may hold anything) with bot badge; who has none is named so."""
    if not player:
        return format_html('<span class="muted">{}</span>', gettext("no name"))
    link = f'<a href="{player_address(player.pk)}"><bdi>{escape(player.name)}</bdi></a>'
    badge = f' <span class="badge">{escape(gettext("bot"))}</span>' if player.is_bot else ""
    return mark_safe(link + badge)  # noqa: S308 - the address is ours, the rest is escaped


register.simple_tag(board_address)


@register.filter(name="replay_address")
def replay_address_of(pk: int) -> str:
    """The address of the replay ``pk``."""
    return replay_address(pk)


@register.inclusion_tag("parts/pager.html", takes_context=True)
def pager(context: Context, page: Any) -> dict[str, Any]:
    """Links to the next and previous page of a keyset list, with the rest of the address kept."""
    parameters = context["request"].GET.copy()
    links = {}
    for name, cursor in (("next", page.next_cursor), ("previous", page.previous_cursor)):
        parameters["cursor"] = cursor or ""
        links[name] = f"?{parameters.urlencode()}" if cursor else ""
    return links


@register.simple_tag(takes_context=True)
def with_query(context: Context, **changes: str | None) -> str:
    """The address of this page with ``changes``; None and "" remove a name, and any cursor goes."""
    parameters = context["request"].GET.copy()
    parameters.pop("cursor", None)
    for name, text in changes.items():
        parameters.pop(name, None)
        if text:
            parameters[name] = text
    return f"?{parameters.urlencode()}"


@register.simple_tag(takes_context=True)
def without_query(context: Context, name: str) -> str:
    """The address of this page without the parameter ``name``, and without any cursor."""
    return with_query(context, **{name: None})


@register.filter
def words(text: str) -> list[str]:
    """``text`` as a list of words."""
    return text.split()
