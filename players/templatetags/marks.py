"""Small drawn parts of many pages: icons, avatars, flags, levels, medals.  The drawings are in ``static/web``."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from analysis.recording import Level
from players.leaderboards.pages import board_texts
from players.models import Player, User
from players.people import flags
from players.people.avatars import avatar_hue, avatar_path
from players.people.countries import country_name

_LEVELS: Final = frozenset({*board_texts.LEVEL_TEXTS, "combined"})
_MEDALS: Final = 3


@cache
def icon(name: str, more: str = "") -> SafeString:
    """``{% icon "play" %}``: a symbol of ``icons.svg``, without a name of its own; ``more``: further classes."""
    return format_html(
        '<svg class="i{}" aria-hidden="true"><use href="{}#{}"/></svg>',
        f" {more}" if more else "", static("web/icons.svg"), name,
    )  # fmt: skip


def level_icon(level: str) -> SafeString:
    """``{{ level|level_icon }}``: an opened cell with the digit of the level, for places that name the level in words."""
    return icon_of_level(level if level in _LEVELS else Level.CUSTOM.value)


@cache
def icon_of_level(level: str) -> SafeString:
    return format_html(
        '<svg class="lv {0}" aria-hidden="true"><use href="{1}#{0}"/></svg>', level, static("web/icons.svg")
    )


def level_mark(level: str) -> SafeString:
    """``{{ level|level_mark }}``: the drawn cell of a level and its name."""
    known = level if level in board_texts.LEVEL_TEXTS else Level.CUSTOM.value
    return format_html(
        '<span class="level level-{}">{}{}</span>', known, icon_of_level(known), board_texts.level_text(level)
    )


def medal(rank: int) -> SafeString:
    """``{% medal 2 %}``: a rank, as a medal from 1 to 3."""
    return mark_safe(f'<span class="rk{f" g{rank}" if 1 <= rank <= _MEDALS else ""}">{int(rank)}</span>')  # noqa: S308 - numbers


def avatar(key: int | str, size: str = "") -> SafeString:
    """``{% avatar player.pk "l" %}``: the avatar of a player's id, or of a text without one.  Sizes: s, "", l, xl."""
    d = avatar_path(key)
    return mark_safe(  # noqa: S308 - drawn from numbers
        f'<svg class="av h{avatar_hue(key)}{f" {size}" if size else ""}" viewBox="-.7 -.7 6.4 6.4" aria-hidden="true">'
        f'<path class="avu" d="{d}"/><path class="avh" d="{d}"/><path class="avl" d="{d}"/></svg>'
    )


def flag(country: str, box: bool = False) -> SafeString:
    """``{% flag player.country %}``: the flag of a country with its name; its two letters where there is no drawing.

    Without a country "", or with ``box`` an empty box of the same width, so that names in a list line up.  The drawing is
    in the page: with a few flags, that is far less than the file of all.
    """
    if not country:
        return SafeString('<span class="flag none"></span>' if box else "")
    drawn = flags.drawings().get(country)
    if drawn is None:
        return flag_in(get_language() or "", country)
    return format_html(
        '<svg class="flag" viewBox="0 0 18 12" role="img"><title>{}</title>{}</svg> ',
        country_name(country), mark_safe(drawn),  # noqa: S308 - of our own file
    )  # fmt: skip


def listed_flag(country: str, box: bool = False) -> SafeString:
    """Return :func:`flag` for rows of long lists: it points to the file of all flags."""
    return flag_in(get_language() or "", country) if country else flag("", box)


@cache
def flag_in(language: str, country: str) -> SafeString:
    """:func:`listed_flag` in the active ``language``: lists look it up once."""
    name = country_name(country)
    if country in flags.drawings():
        return format_html(
            '<svg class="flag" role="img"><title>{}</title><use href="{}#{}"/></svg> ',
            name, static("web/flags.svg"), country,
        )  # fmt: skip
    if country in flags.flagged_countries():
        return format_html(
            '<img class="flag" src="{}" width="18" height="12" alt="{}" title="{}" loading="lazy"> ',
            static(f"flags/{country.lower()}.gif"), name, name,
        )  # fmt: skip
    return format_html('<abbr class="flag" title="{}">{}</abbr> ', name, country)


class OwnPlayer(NamedTuple):
    """The player of an account; ``key`` draws the avatar also of an account without one."""

    pk: int | None
    key: int | str


def own_player(user: User) -> OwnPlayer:
    """``{% own_player user as own %}``: the player of the account that is signed in."""
    pk = Player.objects.filter(user=user).values_list("pk", flat=True).first()
    return OwnPlayer(pk, pk or user.username)
