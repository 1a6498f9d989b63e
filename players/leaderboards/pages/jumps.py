"""Where a board page is opened: ``?player=`` (an id), ``?name=`` or ``?value=``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from django.http import HttpRequest
from django.utils.translation import gettext as _

from analysis.time_convention import BadValue, number_text, parse_number, value_read
from players.leaderboards.boards import STYLE, BoardKey, games_in_value
from players.leaderboards.filters import FILTERS
from players.leaderboards.ranks import BoardPage, percentile
from players.models import Player
from players.people.selectors import NAME_CHARS, player_of_id, players_named
from players.web.parameters import CURSOR, PLAYER, BadParameter, Parameter, form_of, integer, text
from players.web.users import counts_from_one

#: Players who are offered where a name fits several.
CHOICES: Final = 12


def parse_value(given: str) -> Decimal:
    """A number as people write it; raises ``ValueError`` with a sentence."""
    try:
        return parse_number(given)
    except BadValue as error:
        raise ValueError(_("A value is written as a number such as 41.20.")) from error


VALUE: Final = Parameter[Decimal | None](
    "value", parse_value, None, {"type": "number", "format": "double"},
    "The page begins where this value would stand, and `jump` tells its rank.  Times count from 0.",
)  # fmt: skip
#: The value of a board that counts games.
GAMES: Final = integer(
    "value",
    least=0,
    most=10**9,
    description="The page begins where so many games would stand, and `jump` tells their rank.",
)
AT_PLAYER: Final = Parameter[int | None](
    "player", PLAYER.parse, None, PLAYER.schema, "Number of a player: the page holds their place.  A cursor decides over it."
)  # fmt: skip


_NAME: Final = text("name", most_chars=NAME_CHARS)
#: The parameters of a board page.
BoardForm = form_of(STYLE, *FILTERS, AT_PLAYER, _NAME, VALUE, CURSOR)


#: The parameters of a sub-N page; ``n`` comes from its form, to be sent on.
SubNForm = form_of(STYLE, *FILTERS, AT_PLAYER, _NAME, GAMES, CURSOR)


@dataclass(frozen=True, slots=True)
class JumpRequest:
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


def jump_request(request: HttpRequest, values: Mapping[str, Any], key: BoardKey | None) -> JumpRequest:
    """Where the page is to open; ``key`` is None on boards that count games.

    Raises ``BadParameter``, and ``Player.DoesNotExist`` for an unknown player.
    """
    player_id, value, name = values["player"], values["value"], values["name"]
    if sum(given not in (None, "") for given in (player_id, value, name)) > 1:
        raise BadParameter({"value": _("Look for a player or for a value, not for both at once.")})
    if player_id is not None:
        return JumpRequest(player=player_of_id(player_id))
    if value is not None:
        return JumpRequest(value=_value(request, key, value), text=request.GET["value"].strip())
    if name:
        return JumpRequest(name=name, choices=tuple(players_named(name, CHOICES)))
    return JumpRequest()


def _value(request: HttpRequest, key: BoardKey | None, written: Decimal) -> float:
    """The value, read on the visitor's own clock as all times of the page are shown."""
    if key is None:
        return float(written)
    return value_read(key.row, written, from_one=counts_from_one(request.user), games=games_in_value(key.level))


def share_text(rank: int, board_size: int) -> str:
    """The percentile of ``rank`` with one digit; never 0.0, since everybody is somewhere."""
    return number_text(max(0.1, percentile(rank, board_size)), 1)


def jump_context(jump: JumpRequest, page: BoardPage) -> dict[str, Any]:
    """What ``players/_jump.html`` shows of the place where the page opened, and of the visitor's own."""
    rank = page.jump.rank if page.jump else None
    return {
        "jump": jump,
        "players": page.board_size,
        "jump_rank": rank,
        "jump_share": share_text(rank, page.board_size) if rank else "",
        "jump_last": rank is not None and rank > page.board_size,
        "own_share": share_text(page.own_row.rank, page.board_size) if page.own_row else "",
        "sought_id": jump.player.pk if jump.player else None,
    }
