"""The rules of places with one of them switched off, for the walk to find."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Final

from replays.models import Contest
from replays.trust.places.place_rules import Account, Book, Game, Place, State
from tests.replays.trust.places.world import Bytes, Site


class _ClassDecides(Book):
    def says_mine(self, place: Place, game: Game, accounts: Collection[Account]) -> None:
        first, second = (max(file.strength for file in one.files.values()) for one in (place.held_by, game))
        if second > first and not self.refused(place, game):
            self._hold(place, game)
        super().says_mine(place, game, accounts)


class _DeletingIsFree(Book):
    def takes_back(self, place: Place, game: Game, accounts: Collection[Account], by: Account = None) -> None:
        super().takes_back(place, game, accounts, None if by in accounts else by)


class _LosingCostsOneStake(Book):
    def stakes(self, account: Account) -> int:
        return super().stakes(account) or 3 - sum(one.state != State.WON for one in self._of(account))

    def _use_stake(self, contest: Contest, place: Place) -> None:
        if contest.state == State.LINE and self.stakes(contest.user_id) > 0:
            contest.state, contest.takes = State.OPEN, not self.settled(place)


class _StakesWithoutEnd(Book):
    def stakes(self, account: Account) -> int:
        return min(3, super().stakes(account) + 9)


class _StaffSettleNothing(Book):
    def settled(self, place: Place) -> bool:
        was, place.is_decided = place.is_decided, False
        try:
            return super().settled(place)
        finally:
            place.is_decided = was


class _NothingIsTaken(Book):
    def takers(self, place: Place) -> list[Contest]:
        return []


class _FilesHoldPlaces(Site):
    def key(self, data: Bytes, pk: int) -> tuple[object, ...]:
        return *data.game, pk


class _FirstSenderOwnsTheBytes(Site):
    def send(self, who: str, data: Bytes) -> int:
        known = next((pk for pk, (one, _file) in self.files.items() if one == data), None)
        return super().send(who, data) if known is None else known


class _ClaimsDecide(Site):
    def send(self, who: str, data: Bytes) -> int:
        pk = super().send(who, data)
        place, game = self.plays[data.clicks], self.game_of(data, pk)
        if self.claims.get(data.name) == who and place.held_by.name not in self.claims:
            self.book._hold(place, game)
        return pk


class _BoardAndSealDispute(Site):
    def ranked(self) -> set[int]:
        return {pk for pk in super().ranked() if self.chosen(pk) or not self._disputed(pk)}

    def _disputed(self, pk: int) -> bool:
        data, senders = self.files[pk][0], self.senders(pk)
        return any(
            (other.board == data.board or other.seal == data.seal)
            and other.clicks != data.clicks
            and file.senders != senders
            for other, file in self.files.values()
        )


def _on(rules: Callable[[datetime], Book]) -> Callable[[], Site]:
    return lambda: Site(rules)


#: By the rule that is off; the walk finds each.
MUTANTS: Final[dict[str, Callable[[], Site]]] = {
    "whatever the class of the evidence": _on(_ClassDecides),
    "whatever the name is claimed by": _ClaimsDecide,
    "whatever else has the board or the seal": _BoardAndSealDispute,
    "taking back costs the stake": _on(_DeletingIsFree),
    "a lost decision costs all stakes": _on(_LosingCostsOneStake),
    "stakes end": _on(_StakesWithoutEnd),
    "all senders of a file are remembered": _FirstSenderOwnsTheBytes,
    "games hold places": _FilesHoldPlaces,
    "what staff chose stays": _on(_StaffSettleNothing),
    "a contest takes what is not settled": _on(_NothingIsTaken),
}
