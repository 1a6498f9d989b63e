"""Reading the names that an account has or may claim."""

from __future__ import annotations

from players.leaderboards.ranked_games import ranked_games
from players.models import Identity, User


def identities_of_account(user: User) -> list[Identity]:
    """The names that ``user`` has or has requested, sorted."""
    return list(user.claims.select_related("player").order_by("name"))


def names_to_claim(user: User) -> list[Identity]:
    """The names that ``user`` may claim: unclaimed ones in replays that they uploaded, sorted."""
    names = ranked_games().names_uploaded_by(user.pk)
    return list(Identity.objects.filter(state=Identity.State.UNCLAIMED, name__in=names).order_by("name"))
