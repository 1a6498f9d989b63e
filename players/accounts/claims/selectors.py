from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from django.db.models import Count, Q

from players.db.keyset import Page, page_of
from players.models import Claim, Identity, User
from replays.models import Replay

#: Claims on a page for staff.
PAGE_SIZE: Final = 30


def identities_of_account(user: User) -> list[Identity]:
    """Return them sorted."""
    return list(user.claims.select_related("player").order_by("name"))


def names_to_claim(user: User, most: int | None = None) -> list[Identity]:
    """The names that ``user`` may claim: unclaimed ones in replays that they uploaded, sorted; at most ``most``."""
    names = Replay.objects.filter(uploader=user).values("identifier").distinct()
    return list(Identity.objects.filter(state=Identity.State.UNCLAIMED, name__in=names).order_by("name")[:most])


def claims_of_account(user: User) -> list[Claim]:
    """The claims of ``user`` that wait or that staff refused, the latest first."""
    shown = Q(state__in=Claim.WAITING) | Q(state=Claim.State.REFUSED)
    return list(Claim.objects.filter(shown, user=user).order_by("-id")[:PAGE_SIZE])


def claims_with_codes(codes: Collection[str]) -> dict[str, Claim]:
    """Those of ``codes`` that the site ever made, with their claims.  No query without codes."""
    if not codes:
        return {}
    return {claim.code: claim for claim in Claim.objects.filter(code__in=codes)}


@dataclass(frozen=True, slots=True)
class ClaimSides:
    claim: Claim
    identity: Identity | None
    own_games: int
    other_games: int


def claims_page(cursor: str | None = None) -> Page[ClaimSides]:
    """The claims that wait for staff, the oldest first; three queries.  Raises ``players.db.keyset.BadCursor``."""
    rows = Claim.objects.filter(state=Claim.State.REQUESTED).select_related("user")
    page = page_of(rows, ("id",), cursor, PAGE_SIZE)
    names = [claim.name for claim in page.rows]
    found = Identity.objects.select_related("player", "claimant").filter(name__in=names)
    identities = {identity.name: identity for identity in found}
    games = _uploads_under(names)
    sides = []
    for claim in page.rows:
        by_uploader = games.get(claim.name, {})
        own = by_uploader.get(claim.user_id, 0) if claim.user_id is not None else 0
        sides.append(ClaimSides(claim, identities.get(claim.name), own, sum(by_uploader.values()) - own))
    return Page(sides, page.next_cursor, page.previous_cursor)


@dataclass(frozen=True, slots=True)
class ReleaseEffects:
    """Effects of giving up a name: how many replays leave the player, and how many waiting games count then."""

    replays: int
    waiting: int
    keeps_names: list[str]


def release_effects(identity: Identity) -> ReleaseEffects:
    games = _uploads_under([identity.name]).get(identity.name, {})
    others = identity.player.identities.exclude(pk=identity.pk).order_by("name").values_list("name", flat=True)
    waiting = identity.player.replays.filter(identifier=identity.name, status="done", ownership="waiting").count()
    return ReleaseEffects(sum(games.values()), waiting, list(others))


def _uploads_under(names: Collection[str]) -> dict[str, dict[int | None, int]]:
    """Count the analysed replays that each account (None: nobody) uploaded under each of ``names``; one query."""
    # By the player of each name, since the names inside replays have no index.
    players = Identity.objects.filter(name__in=names).values("player")
    games = Replay.objects.filter(player__in=players, identifier__in=names)
    found: dict[str, dict[int | None, int]] = {}
    for name, uploader_id, count in games.order_by().values_list("identifier", "uploader").annotate(Count("id")):
        found.setdefault(name, {})[uploader_id] = count
    return found
