from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.request import Request

from analysis.names import folded, skeleton, without_accents
from analysis.statistics import CLASSIC_LEVELS
from players.db.keyset import Page, page_of, page_of_parts
from players.models import (
    ALL_STYLES,
    MAX_ID,
    MAX_NAME_CHARS,
    MAX_PART_CHARS,
    Identity,
    NamePart,
    PersonalBest,
    Player,
    User,
)
from players.people.player_refs import PlayerRef
from players.web.errors import PlayerMerged
from players.web.parameters import DEFAULT_PAGE_SIZE
from players.web.users import signed_in_user

#: A name that has been on the boards for so long is known.
KNOWN_AFTER: Final = timedelta(days=14)
#: The longest name that may be searched.
NAME_CHARS: Final = 100
_ORDER: Final = ("name", "id")
_SEARCH_ORDER: Final = ("part", "text", "player_id")
Place = NamePart.Place
_LAST_CHARACTER: Final = "\U0010ffff"  # no folded name holds it
_PLAYER: Final = [field.attname for field in Player._meta.concrete_fields]
_IDENTITY: Final = [field.attname for field in Identity._meta.concrete_fields]


class BestTime(NamedTuple):
    """A player's best time on one level; ``precision_ms``: of the replay's clock, None if unknown."""

    value: float
    replay_id: int
    precision_ms: int | None


@dataclass(frozen=True, slots=True)
class PlayerTimes:
    """A player with their best time of all styles on each level; ``rank``: on the combined board, if it was asked for."""

    player: Player | PlayerRef
    times: dict[str, BestTime]
    rank: int | None = None

    @property
    def combined(self) -> float | None:
        """The sum of the best times on Beginner 8x8, Intermediate and Expert; None without all three."""
        found = [self.times[level.value] for level in CLASSIC_LEVELS if level.value in self.times]
        return round(sum(best.value for best in found), 6) if len(found) == len(CLASSIC_LEVELS) else None

    @property
    def combined_precision_ms(self) -> int | None:
        return max((best.precision_ms for best in self.times.values() if best.precision_ms is not None), default=None)


@dataclass(frozen=True, slots=True)
class PlayerRow(PlayerTimes):
    """A row of the list by name, where the whole player is read."""

    player: Player


def players_page(
    query: str = "", cursor: str | None = None, size: int = DEFAULT_PAGE_SIZE, ids: Sequence[int] = ()
) -> Page[PlayerRow]:
    """Return players of whom a name, shown or in replays, contains ``query`` without case and accents; all, by name, if
    it is empty.

    Names that have the accents of ``query`` come before those that have others.  Then they are sorted by where ``query``
    begins: at the beginning of the name, of a word, inside a word; then by the name from there on.  ``ids``: these players alone.
    """
    listed = Player.objects.filter(merged_into=None)
    if ids:
        page = page_of(listed.filter(pk__in=ids), _ORDER, cursor, size)
    else:
        page = _found(query, cursor, size) if query else page_of(listed, _ORDER, cursor, size)
    times = best_times([player.pk for player in page.rows])
    rows = [PlayerRow(player, times[player.pk]) for player in page.rows]
    return Page(rows, page.next_cursor, page.previous_cursor)


def best_times(players: Collection[int]) -> dict[int, dict[str, BestTime]]:
    """Return the best times of all styles of each of ``players``, by level."""
    times: dict[int, dict[str, BestTime]] = {pk: {} for pk in players}
    bests = PersonalBest.objects.filter(player__in=times, statistic="time", style=ALL_STYLES)
    columns = ("player_id", "level", "value", "replay_id", "replay__time_precision_ms")
    for player_id, level, *best in bests.values_list(*columns):
        times[player_id][level] = BestTime(*best)
    return times


def players_named(query: str, limit: int) -> list[Player]:
    """The first ``limit`` players of :func:`players_page` for a ``query`` that is not empty, without their times."""
    return _found(query, None, limit).rows


def _found(query: str, cursor: str | None, size: int) -> Page[Player]:
    exact, plain = folded(query)[:MAX_PART_CHARS], without_accents(query)[:MAX_PART_CHARS]
    matches = _parts_beginning_with(plain)
    if exact == plain:
        parts = _first_parts(matches)
    else:
        as_typed = _parts_beginning_with(exact)
        listed_before = Exists(as_typed.filter(player=OuterRef("player")))
        parts = [*_first_parts(as_typed)[: Place.PLAIN_NAME], *_first_parts(matches, listed_before)]
    numbered = [part.annotate(part=Value(number)) for number, part in enumerate(parts)]
    page = page_of_parts(numbered, _SEARCH_ORDER, cursor, size)
    return Page([part.player for part in page.rows], page.next_cursor, page.previous_cursor)


def _parts_beginning_with(start: str) -> QuerySet[NamePart]:
    if not start:  # the query is nothing but invisible characters, or accents
        return NamePart.objects.none()
    return NamePart.objects.filter(text__gte=start, text__lt=start + _LAST_CHARACTER)


def _first_parts(matches: QuerySet[NamePart], listed_before: Exists | None = None) -> list[QuerySet[NamePart]]:
    """Return the first of the ``matches`` of each player, by place."""
    # COALESCE keeps PostgreSQL from making a join of it, which would read all matches; a page needs to look at few.
    earlier = matches.filter(player=OuterRef("player")).filter(
        Q(place__lt=OuterRef("place")) | Q(place=OuterRef("place"), text__lt=OuterRef("text"))
    )
    listed = matches.select_related("player").alias(repeated=Coalesce(Exists(earlier), Value(False)))
    listed = listed.filter(repeated=False)
    if listed_before is not None:
        listed = listed.alias(listed_before=Coalesce(listed_before, Value(False))).filter(listed_before=False)
    return [listed.filter(place=place) for place in Place]


class LookAlike(NamedTuple):
    """``is_known``: the name is claimed, or has been on the boards for long, so that no other may pass for it."""

    player: Player
    is_known: bool


def look_alikes(names: Collection[str]) -> dict[str, LookAlike]:
    """For names that look like a name of another player who has ranked games: such a player by name, a known one first.

    Left out are names of players who have ranked games themselves: those were told apart before.
    """
    skeletons = {name: skeleton(name)[:MAX_NAME_CHARS] for name in names}
    ranked = PersonalBest.objects.filter(player=OuterRef("player"))
    long_ago = timezone.now() - KNOWN_AFTER
    known = Q(state=Identity.State.CLAIMED) | Exists(ranked.filter(achieved_at__lt=long_ago))
    alike = Identity.objects.filter(Exists(ranked), skeleton__in=set(skeletons.values()) - {""})
    by_skeleton: dict[str, list[Identity]] = {}
    for identity in alike.annotate(is_known=known).select_related("player").order_by("-is_known", "id"):
        by_skeleton.setdefault(identity.skeleton, []).append(identity)
    found: dict[str, LookAlike] = {}
    for name, own in skeletons.items():
        identities = by_skeleton.get(own, [])
        if identities and all(identity.name != name for identity in identities):
            found[name] = LookAlike(identities[0].player, identities[0].is_known)  # type: ignore[attr-defined]  # annotated
    return found


def others_of_like_name(players: Collection[Player]) -> dict[int, Player]:
    """For players whose shown name is, or looks like, a name of another player who has ranked games: the first of these.

    For players whose games are not found by name, so that an equal name is somebody else's as well.
    """
    skeletons = {player.pk: skeleton(player.name)[:MAX_NAME_CHARS] for player in players}
    ranked = PersonalBest.objects.filter(player=OuterRef("player"))
    alike = Identity.objects.filter(Exists(ranked), skeleton__in=set(skeletons.values()) - {""})
    found: dict[int, Player] = {}
    for identity in alike.select_related("player").order_by("id"):
        for pk, own in skeletons.items():
            if own == identity.skeleton and identity.player_id != pk:
                found.setdefault(pk, identity.player)
    return found


def player_of_id(pk: int) -> Player:
    """The player ``pk``; raises ``Player.DoesNotExist``, or ``PlayerMerged`` with the number to look at instead."""
    return _unmerged(Player.objects.get(pk=min(pk, MAX_ID)))


def surviving_player(pk: int) -> Player:
    """The player ``pk``, or the one into whom it was merged; raises ``Player.DoesNotExist``."""
    try:
        return player_of_id(pk)
    except PlayerMerged as merged:
        return player_of_id(merged.survivor_id)


def check_not_merged(pk: int) -> None:
    """Raise ``PlayerMerged`` if the player ``pk`` was merged; for lists that found nothing under that number."""
    found = Player.objects.filter(pk=min(pk, MAX_ID)).first()
    if found is not None:
        _unmerged(found)


def _unmerged(player: Player) -> Player:
    if player.merged_into_id is not None:
        raise PlayerMerged(player.merged_into_id)
    return player


def player_of_account(user: User) -> Player | None:
    return Player.objects.filter(user=user).first()


def own_player(request: HttpRequest | Request) -> Player | None:
    user = signed_in_user(request)
    return None if user is None else player_of_account(user)


def player_with_names(pk: int) -> tuple[Player, list[Identity]]:
    """Raise ``Player.DoesNotExist``, or ``PlayerMerged`` for a merged player."""
    players = Player.objects.filter(pk=min(pk, MAX_ID)).order_by("identities__id")
    rows = list(players.values_list(*_PLAYER, *(f"identities__{name}" for name in _IDENTITY)))
    if not rows:
        raise Player.DoesNotExist
    split = len(_PLAYER)
    names = [Identity.from_db(DEFAULT_DB_ALIAS, _IDENTITY, row[split:]) for row in rows if row[split] is not None]
    player = _unmerged(Player.from_db(DEFAULT_DB_ALIAS, _PLAYER, rows[0][:split]))
    for name in names:
        name.player = player
    return player, names
