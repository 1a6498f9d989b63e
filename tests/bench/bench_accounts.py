"""Accounts with very many uploads, made once in a filled database: ``python -m tests.bench.bench_accounts`` on the site of ``.env``.

``player`` owns the first player and has uploaded that player's games; some of them wait, were rejected or are suspicious.
``archivist`` owns no name and has uploaded as many games of others.
"""

from __future__ import annotations

import os
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.db import connection  # noqa: E402 - after the set-up
from django.db.models import F, OuterRef, Q, Subquery  # noqa: E402

from players.models import Identity, Player, User  # noqa: E402
from replays.models import Replay  # noqa: E402

PLAYER, ARCHIVIST = "player", "archivist"
_FIRST = 1
#: Of the lost games of the player, every so many-th; lost games are on no board.
_EVERY = 100


def main() -> None:
    """Make both accounts unless they are there."""
    if User.objects.filter(username=PLAYER).exists():
        return
    owner, archivist = (User.objects.create_user(name, f"{name}@example.org") for name in (PLAYER, ARCHIVIST))
    Player.objects.filter(pk=_FIRST).update(user=owner)
    Identity.objects.filter(player=_FIRST).update(state=Identity.State.CLAIMED, claimant=owner)
    games = Replay.objects.filter(player=_FIRST)
    games.update(uploader=owner)
    others = Replay.objects.exclude(player=_FIRST).order_by("-pk").values("pk")[: games.count()]
    name = Player.objects.filter(pk=OuterRef("player")).values("name")  # the loader writes the same name into all games
    Replay.objects.filter(pk__in=others).update(uploader=archivist, identifier=Subquery(name))
    for number, values in enumerate(_STATES):
        lost = games.filter(Q(win=False), pk__in=_each(number))
        lost.update(**values)
    # Last, since a rejected file has no player any more.
    games.filter(win=False, pk__in=_each(len(_STATES))).update(
        status=Replay.Status.REJECTED, reject_code="truncated", analysed_at=F("uploaded_at"), player=None
    )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) replays_replay")


_STATES: tuple[dict[str, Any], ...] = (
    {"judgement": Replay.Judgement.SUSPICIOUS, "judgement_code": "speed"},
    {"status": Replay.Status.QUEUED},
)


def _each(number: int) -> list[int]:
    """The ids of every hundredth game of the player, from one of them on."""
    ids = Replay.objects.filter(player=_FIRST, win=False).order_by("pk").values_list("pk", flat=True)
    return list(ids[number::_EVERY])


if __name__ == "__main__":
    main()
