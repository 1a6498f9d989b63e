"""Jumps: opening a board page at ``?player=`` (an id), ``?name=`` or ``?value=``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from django.http import HttpRequest
from django.utils.translation import gettext as _

from analysis.time_convention import number_text
from players.leaderboards.board import Board
from players.leaderboards.boards import STYLE
from players.leaderboards.filters import FILTERS
from players.leaderboards.pages.columns import CHOSEN
from players.leaderboards.ranks import BoardPage, percentile
from players.models import Player
from players.people.selectors import NAME_CHARS, player_of_id, players_named
from players.web.parameters import CURSOR, PLAYER, BadParameter, Parameter, Parsed, form_of, integer, parse_finite, text

#: Most players who are offered if a name fits several.
CHOICES: Final = 12
#: No statistic has a value near it.
LARGEST_VALUE: Final = 10**12


def parse_value(given: str) -> Decimal:
    """The number that a visitor wrote, digit by digit; raises ``ValueError`` with a message."""
    try:
        number = parse_finite(given)
    except ValueError as error:
        raise ValueError(_("Enter a number such as 41.20.")) from error
    if abs(number) > LARGEST_VALUE:
        raise ValueError(
            _("%(name)s must be between %(least)d and %(most)d.")
            % {"name": "value", "least": -LARGEST_VALUE, "most": LARGEST_VALUE}
        )
    return Decimal(given)


VALUE: Final = Parameter[Decimal | None](
    "value", parse_value, None,
    {"type": "number", "format": "double", "minimum": -LARGEST_VALUE, "maximum": LARGEST_VALUE},
    "The page begins where this value would stand, and `jump` tells its rank.  Times count from 0.",
)  # fmt: skip
#: The value on a sub-N board, which is a number of games.
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
#: What is typed into the one field of a page, a name or a value; redirected to the parameter of that.
_FIND: Final = text("find", most_chars=NAME_CHARS)
BoardForm = form_of(STYLE, *FILTERS, CHOSEN, AT_PLAYER, _NAME, VALUE, _FIND, CURSOR)


#: The parameters of a sub-N page.  Its form also sends ``n``, which the view redirects to the address of that board.
SubNForm = form_of(STYLE, *FILTERS, CHOSEN, AT_PLAYER, _NAME, GAMES, _FIND, CURSOR)


@dataclass(frozen=True, slots=True)
class JumpRequest:
    """A jump to ``player`` or to ``value`` (written as ``text``), or none; ``choices``: players whom ``name`` fits."""

    player: Player | None = None
    value: float | None = None
    text: str = ""
    name: str = ""
    choices: tuple[Player, ...] = ()

    @property
    def only_choice(self) -> Player | None:
        """The player whom the name means: the only choice, or the only one of exactly this name; else None."""
        exact = [player for player in self.choices if player.name == self.name]
        found = exact if len(exact) == 1 else self.choices
        return found[0] if len(found) == 1 else None


def _fields(board: Board) -> Collection[str]:
    """Return the parameters of a board page that have a field on it."""
    fields = ["period", "as_of", "country", "name", "value", "find"]
    fields += ["min_3bv"] if board.takes_min_bv else []
    return [*fields, "best_of" if board.takes_best_of else "n"]


def find_parameter(written: str) -> dict[str, str]:
    """Return the parameter that ``written`` means: ``value`` for a number, else ``name``."""
    try:
        parse_finite(written)
    except ValueError:
        return {"name": written}
    return {"value": written}


def jump_request(request: HttpRequest, values: Parsed) -> JumpRequest:
    """The jump of parsed parameters.

    Raises ``BadParameter``, and ``Player.DoesNotExist`` for an unknown player.
    """
    player_id, value, name = values["player"], values["value"], values["name"]
    if sum(given not in (None, "") for given in (player_id, value, name)) > 1:
        raise BadParameter({"value": _("Search for either a player or a value, not both.")})
    if player_id is not None:
        return JumpRequest(player=player_of_id(player_id))
    if value is not None:
        return JumpRequest(value=float(value), text=request.GET["value"].strip())
    if name:
        return JumpRequest(name=name, choices=tuple(players_named(name, CHOICES)))
    return JumpRequest()


def refused_context(query: Mapping[str, str], errors: Mapping[str, str], board: Board) -> dict[str, object]:
    """The context of a board page with ``errors`` (messages by parameter) at the fields, and without rows.

    It comes after ``filter_context`` of those filters that could be parsed.  The messages of parameters without a field
    stand above.
    """
    fields = _fields(board)
    written = {name: query.get(name, "").strip() for name in fields}
    return {
        "errors": errors,
        "other_errors": [message for name, message in errors.items() if name not in fields],
        "given": {**board.filters.parameters(), **written},
        "find_error": next((errors[name] for name in ("name", "value", "find") if name in errors), ""),
        "jump": JumpRequest(text=written["value"], name=written["name"]),
        "page": None,
    }


def share_text(rank: int, board_size: int) -> str:
    """The percentile of ``rank`` with one decimal; at least 0.1, since the top 0.0 % would be nobody."""
    return number_text(max(0.1, percentile(rank, board_size)), 1)


def jump_context(jump: JumpRequest, page: BoardPage) -> dict[str, object]:
    """The context of ``players/leaderboards/pages/_found.html``: the jump, its rank, and the visitor's percentile."""
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
