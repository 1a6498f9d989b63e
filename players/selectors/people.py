"""Players, their names, and the accounts behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.db import DEFAULT_DB_ALIAS
from django.db.models import F, Q
from rest_framework.authtoken.models import Token

from players.games import replays
from players.keyset import Page, page_of
from players.models import ALL_STYLES, MAX_ID, MAX_NAME_CHARS, Identity, PersonalBest, Player, User
from players.questions import Later, Question, Row
from players.selectors.ranks import DEFAULT_SIZE, page_size

_PLAYERS_ORDER: Final = ("name", "id")
_PLAYER: Final = [field.attname for field in Player._meta.concrete_fields]
_IDENTITY: Final = [field.attname for field in Identity._meta.concrete_fields]
_OF_ID: Final = Question(lambda pk: Player.objects.filter(pk=pk).order_by().values_list(*_PLAYER))
_WITH_NAMES: Final = Question(
    lambda pk: Player.objects.filter(pk=pk).order_by("identities__id").values_list(
        *_PLAYER, *(f"identities__{name}" for name in _IDENTITY)
    )
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player in a list, with their best times (and ``precision_ms`` of each) of all styles by level."""

    player: Player
    times: dict[str, Any]


def players_page(query: str = "", cursor: str | None = None, size: int = DEFAULT_SIZE) -> Page[PlayerRow]:
    """Players by name whose name, or one of whose names in replays, begins with ``query``, in either case."""
    players = Player.objects.all()
    if query:
        # NUL cannot be in any name, and PostgreSQL refuses it as a parameter.
        start = query[:MAX_NAME_CHARS].replace("\x00", "")
        named = Identity.objects.filter(name__istartswith=start).values("player")
        players = players.filter(Q(name__istartswith=start) | Q(pk__in=named))
    page = page_of(players, _PLAYERS_ORDER, cursor, page_size(size))
    times: dict[int, dict[str, Any]] = {player.pk: {} for player in page.rows}
    bests = PersonalBest.objects.filter(player__in=times, statistic="time", style=ALL_STYLES)
    for best in bests.annotate(precision_ms=F("replay__time_precision_ms")):
        times[best.player_id][best.level] = best
    rows = [PlayerRow(player, times[player.pk]) for player in page.rows]
    return Page(rows, page.next_cursor, page.previous_cursor)


def player_of_id(pk: int) -> Player:
    """The player ``pk``; raises ``Player.DoesNotExist``."""
    rows = _OF_ID.ask(pk=min(pk, MAX_ID))()
    if not rows:
        raise Player.DoesNotExist
    return Player.from_db(DEFAULT_DB_ALIAS, _PLAYER, rows[0])


def player_with_names(pk: int) -> tuple[Player, list[Identity]]:
    """The player ``pk`` and the names of theirs in replays; raises ``Player.DoesNotExist``."""
    return ask_player_with_names(pk)()


def ask_player_with_names(pk: int) -> Later[tuple[Player, list[Identity]]]:
    """:func:`player_with_names`, later."""
    rows = _WITH_NAMES.ask(pk=min(pk, MAX_ID))
    return lambda: _player_and_names(rows())


def _player_and_names(rows: list[Row]) -> tuple[Player, list[Identity]]:
    if not rows:
        raise Player.DoesNotExist
    split = len(_PLAYER)
    names = [Identity.from_db(DEFAULT_DB_ALIAS, _IDENTITY, row[split:]) for row in rows if row[split] is not None]
    player = Player.from_db(DEFAULT_DB_ALIAS, _PLAYER, rows[0][:split])
    for name in names:
        name.player = player
    return player, names


# --- accounts ---------------------------------------------------------------------------------------------------------


def player_of_account(user: User) -> Player | None:
    """The player that belongs to ``user``, if there is one yet."""
    return Player.objects.filter(user=user).first()


def identities_of_account(user: User) -> list[Identity]:
    """The names that ``user`` has or has asked for, by name."""
    return list(user.claims.select_related("player").order_by("name"))


def names_to_claim(user: User) -> list[Identity]:
    """Unclaimed names that replays uploaded by ``user`` carry: the ones that they may ask for."""
    uploaded = replays().filter(uploader=user).values("identifier").distinct()
    return list(Identity.objects.filter(state=Identity.State.UNCLAIMED, name__in=uploaded).order_by("name"))


def account_token(user: User) -> str | None:
    """The key of the account's API token; None if there is none."""
    return Token.objects.filter(user=user).values_list("key", flat=True).first()
