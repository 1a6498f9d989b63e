"""What a board page is asked to open at: ``?player=`` (a number), ``?name=`` or ``?value=``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _

from players import selectors
from players.boards import BoardKey, games_in_value
from players.models import Player
from players.selectors import OpenBoard
from players.templatetags.sweepbook import counts_from_one
from players.time_convention import BadValue, number_text, text_value

#: The longest name that may be looked for; the list of players has the same limit.
MAX_NAME_QUERY = 100
#: Players who are offered where a name fits several.
CHOICES = 12
_MAX_ID_DIGITS = 18


class BadJump(ValueError):
    """No place can be found by what was asked for; the text says why (400)."""


@dataclass(frozen=True, slots=True)
class Asked:
    """``player`` or ``value`` (written as ``text``) or neither; ``choices`` are the players that ``name`` fits."""

    player: Player | None = None
    value: float | None = None
    text: str = ""
    name: str = ""
    choices: tuple[Player, ...] = ()

    @property
    def only_choice(self) -> Player | None:
        """The one player whom the name can mean: the only one, or the only one of exactly this name."""
        exact = [player for player in self.choices if player.name == self.name]
        found = exact if len(exact) == 1 else self.choices
        return found[0] if len(found) == 1 else None


def asked_of(request: HttpRequest, key: BoardKey) -> Asked:
    """What the address asks for; raises :class:`BadJump`, and ``Http404`` for a player who is not."""
    return _asked(request, lambda text: _value(request, key, text))


def asked_of_sub(request: HttpRequest) -> Asked:
    """As :func:`asked_of`, on a board whose values count games."""
    return _asked(request, _count)


def _asked(request: HttpRequest, value_of: Callable[[str], float]) -> Asked:
    number, text, name = (request.GET.get(field, "").strip() for field in ("player", "value", "name"))
    if bool(number) + bool(text) + bool(name) > 1:
        raise BadJump(_("Look for a player or for a value, not for both at once."))
    if number:
        return Asked(player=_player(number))
    if text:
        return Asked(value=value_of(text), text=text)
    return _named(name) if name else Asked()


def _count(text: str) -> float:
    if not (text.isascii() and text.isdigit() and len(text) <= _MAX_ID_DIGITS):
        raise BadJump(_("%(name)s must be a whole number.") % {"name": "value"})
    return float(text)


def _player(number: str) -> Player:
    if not (number.isascii() and number.isdigit() and len(number) <= _MAX_ID_DIGITS):
        raise BadJump(_("%(name)s must be a whole number.") % {"name": "player"})
    try:
        return selectors.player_of_id(int(number))
    except Player.DoesNotExist as error:
        raise Http404 from error


def _value(request: HttpRequest, key: BoardKey, text: str) -> float:
    """The value, read on the visitor's own clock as all times of the page are shown."""
    games = games_in_value(key.level)
    try:
        return text_value(key.row, text, from_one=counts_from_one(request.user), games=games)
    except BadValue as error:
        raise BadJump(_("A value is written as a number such as 41.20.")) from error


def _named(name: str) -> Asked:
    if len(name) > MAX_NAME_QUERY:
        raise BadJump(_("Look for at most %(limit)s characters.") % {"limit": MAX_NAME_QUERY})
    rows = selectors.players_page(name, size=CHOICES).rows
    return Asked(name=name, choices=tuple(row.player for row in rows))


def share_text(rank: int, players: int) -> str:
    """The percentile of ``rank`` with one digit; never 0.0, since everybody is somewhere."""
    return number_text(max(0.1, selectors.percentile(rank, players)), 1)


def told(asked: Asked, opened: OpenBoard) -> dict[str, Any]:
    """What ``players/_jump.html`` says about the place that was asked for, and about the visitor's own."""
    jump, own = opened.jump, opened.page.own_row
    rank = jump.rank if jump else None
    return {
        "asked": asked,
        "players": opened.players,
        "jump_rank": rank,
        "jump_share": share_text(rank, opened.players) if rank else "",
        "jump_last": rank is not None and rank > opened.players,
        "own_share": share_text(own.rank, opened.players) if own else "",
        "sought_id": asked.player.pk if asked.player else None,
    }
