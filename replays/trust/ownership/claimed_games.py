"""Games under a name when its owner changes."""

from __future__ import annotations

from django.db.models import Case, F, Q, QuerySet, Value, When

from players.db.chunks import chunked
from players.models import Identity
from replays.models import Replay
from replays.trust.places.services import update_boards

Ownership = Replay.Ownership
#: Rows that are loaded at once.
_BATCH = 500


def change_owner(identity: Identity, former_owner_id: int | None, **_signal: object) -> None:
    """Let the games under a name follow its new owner, in the transaction that changed it.

    If nobody owns the name now, games that waited for the owner count like all others.  Else staff gave it to another
    account: the answers of the former owner do not hold, and their uploads wait for the new one.
    """
    games = Replay.objects.filter(player=identity.player_id, identifier=identity.name, status=Replay.Status.DONE)
    if identity.claimant_id is None:
        _change(games.filter(ownership=Ownership.WAITING), Case(default=Value("")))
    else:
        doubtful = ~Q(ownership__in=[Ownership.NOT_ASKED, Ownership.VOUCHED])
        if former_owner_id is not None:
            doubtful |= Q(uploader=former_owner_id)
        new = Case(
            When(uploader=identity.claimant_id, then=Value(Ownership.NOT_ASKED.value)),
            When(ownership=Ownership.VOUCHED, then=F("ownership")),
            default=Value(Ownership.WAITING.value),
        )
        _change(games.filter(doubtful), new)


def _change(rows: QuerySet[Replay], ownership: Case) -> None:
    ids = list(rows.order_by("pk").values_list("pk", flat=True))
    for chunk in chunked(ids, _BATCH):
        locked = Replay.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=chunk).order_by("pk")
        list(locked.values_list("pk"))
        Replay.objects.filter(pk__in=chunk).update(ownership=ownership)
        update_boards(Replay.objects.select_related("player").filter(pk__in=chunk).order_by("pk"))
