"""The rules of places: which game holds the place of a play, who may contest it, and which of its files counts.

They know no database.  A *play* is an order of clicks, a *game* a play with a name and a result; several files may have
one game.  The first game of a play holds its place; whoever says later that the play is theirs contests that with one of
three stakes, and staff decide.  What may not be lost when a rule is changed, and what no rule can give: docs/threats.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

#: Places that an account may have in dispute; one that it wins comes back to it.
STAKES: Final = 3
#: What has been on the boards, final, for so long stays there until staff decide.
LONG: Final = timedelta(days=14)
#: The operator of the site, who imports archives: no account, and never out of stakes.
OPERATOR: Final = 0


class State(StrEnum):
    """``LINE``: waits until its account has a stake; ``EXCUSED``: lost by an honest mistake; ``CONCEDED``: taken back."""

    OPEN = "open"
    LINE = "line"
    WON = "won"
    LOST = "lost"
    EXCUSED = "excused"
    CONCEDED = "conceded"


UNFINISHED: Final = (State.OPEN, State.LINE)
REFUSED: Final = (State.LOST, State.EXCUSED)


@dataclass(slots=True)
class File:
    """``senders``: all accounts that sent these bytes.  ``flawless``: the rules of judging let it rank; ``counts``: it counts
    for its name; ``refused``: staff refused this file.  ``strength``: of two files of one game the higher counts.
    ``is_final``: it is on the boards, and no longer provisional.
    """

    number: int
    senders: set[int]
    arrived_at: datetime
    flawless: bool = True
    counts: bool = True
    refused: bool = False
    strength: int = 0
    is_final: bool = False


@dataclass(slots=True)
class Game:
    """``is_here``: it was played on this site."""

    number: int
    name: str
    files: dict[int, File] = field(default_factory=dict)
    is_here: bool = False

    @property
    def senders(self) -> set[int]:
        return {account for file in self.files.values() for account in file.senders}


@dataclass(slots=True)
class Place:
    """``holder``: the number of the game that holds it, since ``held_at``; ``is_decided``: staff chose that game."""

    number: int
    holder: int
    held_at: datetime
    is_decided: bool = False
    games: dict[int, Game] = field(default_factory=dict)

    @property
    def held_by(self) -> Game:
        return self.games[self.holder]


@dataclass(slots=True, eq=False)
class Contest:
    """An account's word that a game is the true one of its place.  ``takes``: nothing of the place counts meanwhile.

    ``lost_to``: the name for which staff decided against it.
    """

    account: int
    place: int
    game: int
    state: State = State.LINE
    takes: bool = False
    lost_to: str = ""


class Book:
    """Places and contests; whoever keeps them elsewhere loads them in :meth:`reach` (``replays.trust.places.stored``)."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.places: dict[int, Place] = {}
        self.contests: list[Contest] = []

    def reach(self, account: int) -> None:
        """Have all contests of ``account``, and the places that it contests or whose contested holder it sent."""

    # --- who counts ---

    def counting(self, place: Place) -> File | None:
        """The one file of a place that may be on boards."""
        return None if self.taken(place) else self.best(place)

    def taken(self, place: Place) -> bool:
        return any(one.state is State.OPEN and one.takes for one in self.contests if one.place == place.number)

    def best(self, place: Place) -> File | None:
        """The file that counts for the holder, were nobody to contest it."""
        if self.refused(place, place.held_by):
            return None
        files = place.held_by.files.values()
        refused = [file.senders for file in files if file.refused and file.senders]
        able = [
            file
            for file in files
            if file.counts
            and (file.flawless or place.is_decided)
            and not (
                file.refused or (file.senders and any(file.senders <= senders for senders in refused))
            )  # the same in a new wrapper
        ]
        return max(able, key=lambda file: (file.flawless, file.strength, -file.number), default=None)

    def refused(self, place: Place, game: Game) -> bool:
        """Return whether staff decided for another game of the place."""
        return any(one.game == game.number and one.state in REFUSED for one in self._at(place))

    def settled(self, place: Place) -> bool:
        """Return whether the holder stays on the boards until staff decide."""
        files = place.held_by.files.values()
        return place.is_decided or any(
            file.is_final and self.now - max(file.arrived_at, place.held_at) > LONG for file in files
        )

    # --- accounts ---

    def stakes(self, account: int) -> int:
        if account == OPERATOR:
            return STAKES
        states = [one.state for one in self._of(account)]
        return 0 if State.LOST in states else STAKES - states.count(State.OPEN) - states.count(State.CONCEDED)

    def _of(self, account: int) -> list[Contest]:
        return [one for one in self.contests if one.account == account]

    def _at(self, place: Place) -> list[Contest]:
        return [one for one in self.contests if one.place == place.number]

    # --- what happens ---

    def says_mine(self, place: Place, game: Game, account: int) -> None:
        """``account`` sends a game of the place, or sends it again."""
        holder = place.held_by
        if game is holder or self.refused(place, game):
            return
        if game.is_here or self.refused(place, holder):
            self.after(self._hold(place, game))
        elif account not in holder.senders and not holder.is_here:
            known = any(one.game == game.number and one.state in UNFINISHED for one in self._of(account))
            if not known:
                self.contests.append(Contest(account, place.number, game.number))
            self.after([account])

    def takes_back(self, place: Place, game: Game, accounts: Collection[int], by: int | None = None) -> None:
        """``accounts`` have no file of ``game`` any more; the one that did it concedes what it had open."""
        for contest in self._at(place):
            leaves = contest.account in accounts or not game.files
            if contest.game == game.number and leaves and contest.state in UNFINISHED:
                if contest.state is State.OPEN and contest.account == by:
                    contest.state = State.CONCEDED
                else:
                    self.contests.remove(contest)
        asked = {one.account for one in self._at(place)}.union(accounts)
        if not game.files:
            del place.games[game.number]
            if place.holder == game.number and place.games:
                asked.update(self._pass_on(place))
        self.after(asked)

    def decide(self, place: Place, winner: Game, no_fault: Collection[int] = ()) -> None:
        """Staff have seen all games of the place.  The others never count, and who sent them has no stakes any more.

        ``no_fault``: accounts that made an honest mistake.
        """
        asked = set(self._hold(place, winner))
        place.is_decided = True
        for game in place.games.values():
            for account in game.senders or {OPERATOR}:
                asked.add(account)
                if game is not winner:
                    self._lose(place, game, account, winner.name, excused=account in no_fault)
        for contest in self._at(place):
            if contest.game == winner.number:
                contest.state = State.WON
        self.after(asked)

    def split(self, place: Place) -> list[Game]:
        """Staff say that the games are not one play: the stakes come back.  Returns those that need places of their own."""
        ended = [one for one in self._at(place) if one.state is not State.CONCEDED]
        self.contests = [one for one in self.contests if one not in ended]
        others = [game for game in place.games.values() if game is not place.held_by]
        for game in others:
            del place.games[game.number]
        self.after({one.account for one in ended})
        return others

    def after(self, accounts: Iterable[int]) -> None:
        """Let who lost to a name give way to it and end what is open, and who has a stake again use it."""
        waiting = list(accounts)
        while waiting:
            account = waiting.pop()
            self.reach(account)
            for contest in list(self.contests):
                if contest.state not in UNFINISHED:
                    continue
                place = self.places[contest.place]
                if self._gives_way(place, place.games[contest.game]):
                    waiting += self._hold(place, place.games[contest.game])
                elif contest.account == account:
                    self._use_stake(contest, place)

    def _use_stake(self, contest: Contest, place: Place) -> None:
        if any(one.state is State.LOST for one in self._of(contest.account)) and contest.account != OPERATOR:
            contest.state, contest.takes = State.LINE, False
        elif contest.state is State.LINE and self.stakes(contest.account) > 0:
            contest.state, contest.takes = State.OPEN, not self.settled(place)

    def _gives_way(self, place: Place, game: Game) -> bool:
        holder = place.held_by
        if not holder.senders or holder.name == game.name:
            return False
        return all(any(one.lost_to == game.name for one in self._of(account)) for account in holder.senders)

    def _hold(self, place: Place, game: Game) -> set[int]:
        """Let ``game`` hold the place; returns the accounts that have more stakes now."""
        if place.holder != game.number:
            place.holder, place.held_at, place.is_decided = game.number, self.now, False
        freed = set()
        for contest in self._at(place):
            if contest.state in UNFINISHED and (contest.game == game.number or game.is_here):
                freed.add(contest.account)
                if contest.game == game.number:
                    contest.state = State.WON
                else:
                    self.contests.remove(contest)
        return freed

    def _lose(self, place: Place, game: Game, account: int, to: str, *, excused: bool) -> None:
        known = [one for one in self._at(place) if one.account == account and one.game == game.number]
        contest = known[0] if known else Contest(account, place.number, game.number)
        if not known:
            self.contests.append(contest)
        contest.state, contest.takes = (State.EXCUSED if excused else State.LOST), False
        contest.lost_to = "" if excused or account == OPERATOR else to

    def _pass_on(self, place: Place) -> set[int]:
        """The holder is gone: the oldest of the other games holds the place, one that staff did not refuse if there is any."""
        heir = min(place.games.values(), key=lambda game: (self.refused(place, game), min(game.files)))
        return self._hold(place, heir)
