"""Template tags and filters: values, levels, players, times, links.

``analysis.time_convention`` rounds values and converts between clocks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime, tzinfo
from html import escape
from typing import TypeVar

from django import template
from django.template import Context, engines
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, ngettext

from analysis.statistics import BY_NAME, Statistic
from analysis.time_convention import number_text, value_text
from players.db.keyset import Page
from players.leaderboards.board import board_address
from players.leaderboards.boards import BoardKey, games_in_value
from players.leaderboards.pages import board_texts
from players.leaderboards.records.selectors import RecordRow
from players.models import Player
from players.people.countries import country_name
from players.people.player_refs import PlayerRef
from players.templatetags import marks
from players.templatetags.led import led
from players.web.clock import counts_from_one, shown_text
from players.web.links import compare_address, here, player_address, replay_address
from players.web.parameters import known_query
from players.web.sections import site_section
from players.web.share import tags_of

T = TypeVar("T")
register = template.Library()

NOT_DEFINED = "–"
NO_VALUE = format_html('<span class="none">{}</span>', NOT_DEFINED)


@register.simple_tag
def value(
    statistic: Statistic | str,
    number: float | None,
    precision_ms: int | None = None,
    games: int = 1,
    decimals: int | None = None,
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
    return shown_text(row, number, precision_ms=precision_ms, games=games, decimals=decimals)


@register.simple_tag
def difference(statistic: str, number: float, precision_ms: int | None = None) -> str:
    """``{% difference "time" gain %}``: a difference of two values without its sign, the same on every clock."""
    return value_text(BY_NAME[statistic], number, precision_ms=precision_ms)


@register.filter
def percent(share: float) -> str:
    """A share from 0 to 1 as "12.3%"."""
    return f"{number_text(100 * share, 1)}%"


register.filter("country_text", country_name)
register.simple_tag(led)


register.simple_tag(counts_from_one)
register.simple_tag(board_texts.definition_text)
register.simple_tag(board_texts.sub_n_rule)
register.simple_tag(board_texts.sub_n_goal)


@register.simple_tag
def explained(statistic: Statistic | str, place: str, *, inside: bool = False) -> SafeString:
    """``{% explained row "head" %}``: the label of a statistic, as a button that shows what it is.

    ``place``: a word for the part of the page, since the id is made of it and the name; ``inside``: after other words.
    It is a native popover, which needs no script; one shows it on hover.
    """
    row = BY_NAME[statistic] if isinstance(statistic, str) else statistic
    label = gettext(row.label)
    shown = board_texts.label_inside(label) if inside else label
    formula = format_html(" <code>{} = {}</code>", row.public, row.formula) if row.formula else ""
    better = {"low": gettext("lower is better"), "high": gettext("higher is better")}.get(row.better.value, "")
    return format_html(
        '<button type="button" class="explain" popovertarget="{id}">{shown}</button>'
        '<span class="explanation" id="{id}" popover><strong>{label}</strong> {doc}{formula}{better} '
        '<a href="{address}#{name}">{more}</a></span>',
        id=f"about-{place}-{row.name}",
        label=label,
        shown=shown,
        doc=board_texts.definition_text(row),
        formula=formula,
        better=format_html(' <span class="muted">{}</span>', better) if better else "",
        address=reverse("statistics"),
        name=row.public,
        more=gettext("Definition"),
    )


def rank_step(event: RecordRow) -> SafeString:
    """The ranks before and after a record, "#12 → #9", and in words for screen readers."""
    words = board_texts.rank_words(event.rank_before, event.rank_after)
    if event.rank_before is None:
        shown = gettext("new: %(rank)s") % {"rank": f"#{event.rank_after}"}
    elif event.rank_before == event.rank_after:
        shown = f"#{event.rank_after}"
    else:
        shown = f"#{event.rank_before} → #{event.rank_after}"
    return format_html(
        '<span class="nowrap" aria-hidden="true">{}</span><span class="visually-hidden">{}</span>', shown, words
    )


@register.filter
def translated(text: str) -> str:
    return gettext(text) if text else ""


register.filter(board_texts.label_inside)
register.filter(board_texts.level_text)
register.filter(games_in_value)
register.filter(board_texts.style_text)
register.filter(board_texts.mode_text)


@register.filter
def part_of(parts: Mapping[str, T], level: str) -> T | None:
    """``mapping[key]`` for templates; None where it is missing."""
    return parts.get(level)


#: How many characters of a datetime each style shows.
_LENGTHS = {"date": len("2026-05-01"), "minute": len("2026-05-01 12:30")}


@register.filter
def when(time: datetime | None, style: str = "date") -> SafeString:
    """A ``<time>`` in the active zone; ``style`` is "date" or "minute".  A script shows it in the browser's zone."""
    if time is None:
        return mark_safe(NOT_DEFINED)  # noqa: S308 - a constant of this module
    return when_in(timezone.get_current_timezone(), time, style)


def when_in(zone: tzinfo, time: datetime, style: str = "date") -> SafeString:
    """:func:`when` in ``zone``: lists look up the active zone once.  A naive time is shown to everybody as it is."""
    if time.tzinfo is None:
        written = time.isoformat(" ", "seconds")
        title = f"{written} ({gettext('time zone unknown')})"
        return format_html(
            '<time datetime="{}" title="{}">{}</time>', time.isoformat(), title, written[: _LENGTHS[style]]
        )
    local = timezone.localtime(time, zone)
    written = local.isoformat(" ", "seconds")  # several times as fast as strftime
    text = written[: _LENGTHS[style]]
    title = f"{written[: len('2026-05-01 12:30:59')]} {local.tzname()}"
    # Not format_html, which is slower (a page has a hundred of these): digits and zone names need no escaping.
    return mark_safe(f'<time datetime="{time.isoformat()}" data-format="{style}" title="{title}">{text}</time>')  # noqa: S308


@register.simple_tag
def player_link(player: Player | PlayerRef | None) -> SafeString:
    """A link with the player's name and the badge of bots; "no name" without a player.  ``bdi`` isolates any script."""
    if not player:
        return format_html('<span class="muted">{}</span>', gettext("no name"))
    link = f'<a href="{player_address(player.pk)}"><bdi>{escape(player.shown_name)}</bdi></a>'
    badge = f' <span class="badge">{escape(gettext("bot"))}</span>' if player.is_bot else ""
    return mark_safe(link + badge)  # noqa: S308 - the address is ours, the rest is escaped


def top_text(percentile: float) -> str:
    """A percentile in words: "top 3%", with a decimal below 1%."""
    shown = number_text(percentile, 0 if percentile >= 1 else 1)
    return gettext("top %(percent)s%%") % {"percent": "0.1" if shown == "0.0" else shown}


def trend_mark(ranks_lost: int | None) -> SafeString:
    """Show the change of rank since the best was set: an arrow with the number of ranks, and words; "" without one."""
    if not ranks_lost:
        return SafeString("")
    lost = ranks_lost > 0
    count = abs(ranks_lost)
    words = (
        ngettext(
            "Down %(count)d rank since this result was set",
            "Down %(count)d ranks since this result was set",
            count,
        )
        if lost
        else ngettext(
            "Up %(count)d rank since this result was set",
            "Up %(count)d ranks since this result was set",
            count,
        )
    ) % {"count": count}
    return format_html(
        ' <span class="{}" title="{}"><span aria-hidden="true">{}{}</span><span class="visually-hidden">{}</span></span>',
        "lost" if lost else "won", words, "▼" if lost else "▲", count, words,
    )  # fmt: skip


@register.simple_tag
def plain_value(statistic: Statistic, number: float) -> str:
    """``{% plain_value row difference %}``: a difference between values, which no clock changes."""
    return value_text(statistic, number)


@register.simple_tag
def value_difference(key: BoardKey, difference: float, side: str) -> str:
    """Write by how much a neighbour on the board ``key`` is ahead or behind; ``side`` is "above" or "below"."""
    text = value_text(key.row, difference)
    if not difference:
        return gettext("equal")
    if side == "above":
        return gettext("%(difference)s ahead") % {"difference": text}
    return gettext("%(difference)s behind") % {"difference": text}


def provisional_mark() -> SafeString:
    address = reverse("help-evidence")
    return format_html('<a class="badge provisional" href="{}#provisional">{}</a>', address, gettext("provisional"))


for tag in (marks.avatar, marks.flag, marks.icon, marks.medal, marks.own_player, site_section):
    register.simple_tag(tag)
for filter_function in (marks.level_icon, marks.level_mark):
    register.filter(filter_function)
register.simple_tag(board_address)
register.filter(replay_address)
register.simple_tag(provisional_mark)
register.simple_tag(compare_address)


@register.simple_tag
def options(pairs: Iterable[tuple[str, str]], chosen: str | None) -> SafeString:
    drawn = (
        f'<option value="{escape(value)}"{" selected" if value == chosen else ""}>{escape(text)}</option>'
        for value, text in pairs
    )
    return mark_safe("".join(drawn))  # noqa: S308 - escaped


@register.simple_tag
def draw_rows(template_name: str, rows: Iterable[object], **more: object) -> SafeString:
    """``{% draw_rows "board.html" page.rows row=row %}``: the rows of a long table, by a template of ``templates/rows/``.

    Those are Jinja2 templates, which take a fifth of the time of Django's.  Their context is ``rows`` and ``more``.
    """
    drawn = engines["rows"].get_template(template_name).render({"rows": rows, **more})
    return mark_safe(drawn)  # noqa: S308 - the template escapes


@register.inclusion_tag("parts/pager.html", takes_context=True)
def pager(context: Context, page: Page[object]) -> dict[str, str]:
    """Links to the next and previous page of a keyset list, with the other query parameters unchanged."""
    parameters = known_query(context["request"].GET)
    links = {}
    for name, cursor in (("next", page.next_cursor), ("previous", page.previous_cursor)):
        parameters["cursor"] = cursor or ""
        links[name] = f"?{parameters.urlencode()}" if cursor else ""
    return links


@register.simple_block_tag
def keep(content: SafeString) -> SafeString:
    """``{% keep as name %}...{% endkeep %}``: what is between, for use in several places; a page may have a block only once."""
    return content


@register.inclusion_tag("parts/share.html", takes_context=True)
def share_tags(context: Context) -> dict[str, object]:
    """``{% share_tags %}``: what other sites show with a link to the page; ``share`` of the context is a ``Share``."""
    texts = {"title": context["page_title"], "description": context["page_description"]}
    return texts | tags_of(context.get("share"), context.get("request"))


@register.simple_tag(takes_context=True)
def with_query(context: Context, **changes: str | None) -> str:
    """The query string of this page with ``changes`` and without cursor; None and "" remove a parameter."""
    parameters = known_query(context["request"].GET)
    parameters.pop("cursor", None)
    for name, text in changes.items():
        parameters.pop(name, None)
        if text:
            parameters[name] = text
    return f"?{parameters.urlencode()}"


@register.simple_tag(takes_context=True)
def without_query(context: Context, name: str) -> str:
    return with_query(context, **{name: None})


register.filter(here)


@register.filter
def words(text: str) -> list[str]:
    return text.split()


@register.simple_tag(name="reactions")
def reactions_html(likes: int, comments: int) -> SafeString | str:
    """``{% reactions 3 1 %}``: how many likes and comments, each with its picture; nothing where there are none."""
    found = []
    if likes:
        found.append(("heart", ngettext("%(likes)s like", "%(likes)s likes", likes) % {"likes": likes}, likes))
    if comments:
        words = ngettext("%(comments)s comment", "%(comments)s comments", comments) % {"comments": comments}
        found.append(("chat", words, comments))
    if not found:
        return ""
    return format_html(
        '<span class="reactions">{}</span>',
        format_html_join(
            " ",
            '<span title="{1}">{0}<span aria-hidden="true">{2}</span><span class="visually-hidden">{1}</span></span>',
            [(marks.icon(name), words, count) for name, words, count in found],
        ),
    )
