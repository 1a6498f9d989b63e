"""The implementation of ``players.accounts.claims.claimed_games.ClaimedGames``; the methods are documented there."""

from __future__ import annotations

from django.db.models import Case, Count, F, Q, QuerySet, Value, When

from players.db.chunks import chunked
from players.db.pipeline import Deferred, send
from replays.models import Replay
from replays.trust.equals.linking import ask_about_name, ask_again
from replays.trust.provisional.marking import update_ranked_and_marks

Ownership = Replay.Ownership
#: Rows that are loaded at once.
_BATCH = 500


class OwnedGames:
    def name_released(self, player_id: int, name: str) -> None:
        _change(_under(player_id, name).filter(ownership=Ownership.WAITING), Case(default=Value("")))
        ask_about_name(player_id, name)

    def name_passed_on(self, player_id: int, name: str, *, loser_id: int | None, owner_id: int) -> None:
        doubtful = ~Q(ownership__in=[Ownership.NOT_ASKED, Ownership.VOUCHED])
        if loser_id is not None:
            doubtful |= Q(uploader=loser_id)
        new = Case(
            When(uploader=owner_id, then=Value(Ownership.NOT_ASKED.value)),
            When(ownership=Ownership.VOUCHED, then=F("ownership")),
            default=Value(Ownership.WAITING.value),
        )
        _change(_under(player_id, name).filter(doubtful), new)
        ask_about_name(player_id, name)

    def waiting_games(self, player_id: int, name: str) -> int:
        return _under(player_id, name).filter(ownership=Ownership.WAITING).count()

    def send_not_owned(self, player_id: int) -> Deferred[int]:
        games = Replay.objects.filter(player=player_id, ownership__in=Replay.NOT_OWNED).order_by()
        rows = send(games.values_list("player").annotate(Count("id")))
        return lambda: sum(count for _player, count in rows())


def _under(player_id: int, name: str) -> QuerySet[Replay]:
    return Replay.objects.filter(player=player_id, identifier=name, status=Replay.Status.DONE)


def _change(rows: QuerySet[Replay], ownership: Case) -> None:
    ids = list(rows.order_by("pk").values_list("pk", flat=True))
    for chunk in chunked(ids, _BATCH):
        locked = Replay.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=chunk).order_by("pk")
        list(locked.values_list("pk"))
        Replay.objects.filter(pk__in=chunk).update(ownership=ownership)
        update_ranked_and_marks(list(Replay.objects.select_related("player").filter(pk__in=chunk).order_by("pk")))
        ask_again(chunk)
