"""Players, their bests and names, and the accounts behind them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.db.models import F, Q
from rest_framework.authtoken.models import Token

from players.boards import COMBINED
from players.games import replays
from players.keyset import Page, page_of
from players.models import ALL_STYLES, MAX_NAME_CHARS, CombinedBest, Identity, PersonalBest, Player, User
from players.selectors.leaderboards import coarsest
from players.selectors.ranks import DEFAULT_SIZE, page_size
from players.standing_sql import places_asked

_PLAYERS_ORDER: Final = ("name", "id")


@dataclass(frozen=True, slots=True)
class RankedBest:
    """A player's best on one board.  Combined boards have no single replay: see ``parts`` of their rows."""

    rank: int
    value: float
    replay_id: int | None
    achieved_at: datetime
    precision_ms: int | None


#: level (or "combined") -> statistic -> style -> best
PlayerBests = dict[str, dict[str, dict[str, RankedBest]]]


def player_bests(player: Player, style: str | None = None, statistics: Sequence[str] = ()) -> PlayerBests:
    """Every best of ``player`` (of one ``style`` and of ``statistics``, if given) with its rank, in one statement.

    A board on which they have nothing is missing.

    Each rank takes a few steps in the marks of its board, so this grows with the boards and not with the places.
    """
    nested: PlayerBests = {}
    precisions: dict[int, int | None] = {}
    for best in _placed(player, style, statistics):
        precision_ms = best.precision_ms
        if best.level == COMBINED:
            parts = (best.beginner_id, best.intermediate_id, best.expert_id)
            precision_ms = coarsest(precisions.get(part) for part in parts)
        else:
            precisions[best.pk] = precision_ms
        ranked = RankedBest(1 + best.ahead, best.value, best.replay_id, best.achieved_at, precision_ms)
        nested.setdefault(best.level, {}).setdefault(best.statistic, {})[best.style] = ranked
    return nested


def _placed(player: Player, style: str | None, statistics: Sequence[str]) -> Iterable[Any]:
    """The bests of single levels, then the sums, the oldest row of each first.

    All have ``ahead``; bests have ``precision_ms``, and sums the ids of their parts and the level "combined".
    """
    given = [player.pk, *([] if style is None else [style]), *statistics]
    return PersonalBest.objects.raw(_placed_sql(style is not None, len(statistics)), [*given, *given])


@cache
def _placed_sql(of_style: bool, statistics: int) -> str:
    """Which rows :func:`_placed` gives, in plain SQL: a page has thirty to a hundred and fifty of them.

    Nothing is joined but these few rows: while its statistics are old, as in the minute after a large import, the
    planner of PostgreSQL would count places again for every row of the board.
    """
    wanted = " AND style = %s" if of_style else ""
    if statistics:
        wanted += f" AND statistic IN ({', '.join(['%s'] * statistics)})"
    parts = ("beginner_id", "intermediate_id", "expert_id")
    games = replays().model._meta.db_table
    precision = f"(SELECT time_precision_ms FROM {games} WHERE id = asked.replay_id)"  # noqa: S608 - our own names
    shown = ["asked.level", "asked.replay_id", f"{precision} AS precision_ms"]
    shown += [f"CAST(NULL AS bigint) AS {part}" for part in parts]
    shown_sum = [f"'{COMBINED}' AS level", "CAST(NULL AS bigint) AS replay_id", "CAST(NULL AS integer) AS precision_ms"]
    bests = _placed_rows(PersonalBest, wanted, ["level", "replay_id"], shown)
    sums = _placed_rows(CombinedBest, wanted, ["expert_key", "intermediate_key", *parts], [*shown_sum, *parts])
    return f"SELECT * FROM ({bests}) AS best UNION ALL SELECT * FROM ({sums}) AS total ORDER BY summed, id"  # noqa: S608


def _placed_rows(
    model: type[PersonalBest | CombinedBest], wanted: str, asked: Sequence[str], shown: Sequence[str]
) -> str:
    """One half of :func:`_placed_sql`."""
    combined = model is CombinedBest
    columns = ["id AS number", "statistic", "style", "rank_key", "value", "achieved_at", *asked]
    always = ["asked.number AS id", f"{int(combined)} AS summed", "placed.ahead"]
    always += [f"asked.{name}" for name in ("statistic", "style", "value", "achieved_at")]
    return f"""
        WITH asked AS MATERIALIZED (
            SELECT {", ".join(columns)} FROM {model._meta.db_table} WHERE player_id = %s{wanted}
        ), placed AS MATERIALIZED ({places_asked(combined=combined)})
        SELECT {", ".join([*always, *shown])} FROM asked JOIN placed ON placed.number = asked.number
    """  # noqa: S608 - our own names


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
    return Player.objects.get(pk=pk)


def player_with_names(pk: int) -> tuple[Player, list[Identity]]:
    """The player ``pk`` and the names of theirs in replays, in one statement; raises ``Player.DoesNotExist``."""
    names = list(Identity.objects.select_related("player").filter(player=pk))
    return (names[0].player, names) if names else (player_of_id(pk), names)


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
