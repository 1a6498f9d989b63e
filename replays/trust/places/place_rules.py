"""The rules of places: which game holds the place of a play, who may contest it, and which of its files counts.

They ask no database.  A *play* is an order of clicks, a *game* a play with a name and a result; several files may have
one game.  The first game of a play holds its place; whoever says later that the play is theirs contests that with one of
three stakes, and staff decide.  What may not be lost when a rule is changed, and what no rule can give: docs/threats.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from replays.models import Contest

#: Places that an account may have in dispute; one that it wins comes back to it.
STAKES: Final = 3
#: What has been on the boards, final, for so long stays there until staff decide.
LONG: Final = timedelta(days=14)
#: An account by its number, or the operator of the site, who imports archives and is never out of stakes.
Account = int | None
OPERATOR: Final = None
State = Contest.State


@dataclass(slots=True)
class File:
    """``senders``: all accounts that sent these bytes.  ``flawless``: the rules of judging let it rank; ``counts``: it counts
    for its name; ``refused``: staff refused this file.  ``strength``: of two files of one game the higher counts.
    ``is_final``: it is on the boards, and no longer provisional.
    """

    number: int
    senders: set[Account]
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
    def senders(self) -> set[Account]:
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


class Book:
    """Places and contests, the oldest first; what is kept elsewhere is loaded in :meth:`reach` (``replays.trust.places.stored``)."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.places: dict[int, Place] = {}
        self.contests: list[Contest] = []

    def reach(self, account: Account) -> None:
        """Have what may change with the stakes and the lost contests of ``account``."""

    # --- who counts ---

    def takers(self, place: Place) -> list[Contest]:
        """The contests that keep all of the place off the boards."""
        return [one for one in self._at(place) if one.state == State.OPEN and one.takes]

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
        return any(one.game == game.number and one.state in (State.LOST, State.EXCUSED) for one in self._at(place))

    def settled(self, place: Place) -> bool:
        """Return whether the holder stays on the boards until staff decide."""
        files = place.held_by.files.values()
        return place.is_decided or any(
            file.is_final and self.now - max(file.arrived_at, place.held_at) > LONG for file in files
        )

    # --- accounts ---

    def stakes(self, account: Account) -> int:
        if account is OPERATOR:
            return STAKES
        states = [one.state for one in self._of(account)]
        return 0 if State.LOST in states else STAKES - states.count(State.OPEN) - states.count(State.CONCEDED)

    def _of(self, account: Account) -> list[Contest]:
        return [one for one in self.contests if one.user_id == account]

    def _at(self, place: Place) -> list[Contest]:
        return [one for one in self.contests if one.place_id == place.number]

    # --- what happens ---

    def says_mine(self, place: Place, game: Game, accounts: Collection[Account]) -> None:
        """``accounts`` send a game of the place, or send it again; nobody may, of an upload without an account."""
        holder = place.held_by
        if game is holder or self.refused(place, game):
            return
        if game.is_here or self.refused(place, holder):
            self.after(self._hold(place, game))
        elif not holder.is_here:
            known = {one.user_id for one in self._at(place) if one.state in Contest.UNFINISHED}
            new = [account for account in accounts if account not in known and account not in holder.senders]
            self.contests += [self._contest(place, game, account) for account in new]
            self.after(accounts)

    def _contest(self, place: Place, game: Game, account: Account) -> Contest:
        return Contest(
            user_id=account, place_id=place.number, game=game.number, state=State.LINE, takes=False, made_at=self.now
        )

    def takes_back(self, place: Place, game: Game, accounts: Collection[Account], by: Account = None) -> None:
        """``accounts`` have no file of ``game`` any more; the one that did it concedes what it had open."""
        asked = {one.user_id for one in self._at(place)}.union(accounts)
        own = [one for one in self._at(place) if one.game == game.number and one.state in Contest.UNFINISHED]
        for contest in [one for one in own if one.user_id in accounts]:
            if contest.state == State.OPEN and contest.user_id == by:
                contest.state = State.CONCEDED
            else:
                self.contests.remove(contest)
        if not game.files:
            del place.games[game.number]
            if place.holder == game.number and place.games:
                asked |= self._pass_on(place)
        self.after(asked)

    def leaves(self, account: int) -> None:
        """The account is deleted; its files may stay."""
        self.reach(account)
        self._remove([one for one in self._of(account) if one.state in Contest.UNFINISHED])

    def decide(self, place: Place, winner: Game, no_fault: Collection[Account] = ()) -> None:
        """Staff have seen all games of the place.  The others never count, and who sent them has no stakes any more.

        ``no_fault``: accounts that made an honest mistake.
        """
        for contest in self._at(place):
            if contest.game == winner.number:
                contest.state = State.WON
        asked = self._hold(place, winner)
        place.is_decided = True
        for game in place.games.values():
            senders = game.senders or {OPERATOR}
            asked |= senders
            for account in senders if game is not winner else ():
                self._lose(place, game, account, winner.name, excused=account in no_fault)
        self.after(asked)

    def split(self, place: Place) -> list[Game]:
        """Staff say that the games are not one play: the stakes come back.  Returns those that need places of their own."""
        ended = [one for one in self._at(place) if one.state != State.CONCEDED]
        self._remove(ended)
        others = [game for game in place.games.values() if game is not place.held_by]
        for game in others:
            del place.games[game.number]
        self.after({one.user_id for one in ended})
        return others

    def after(self, accounts: Iterable[Account]) -> None:
        """Let who lost to a name give way to it and end what is open, and who has a stake again use it."""
        waiting = set(accounts)
        while waiting:
            account = waiting.pop()
            self.reach(account)
            lost = {(one.user_id, one.lost_to) for one in self.contests if one.lost_to}
            for contest in list(self.contests):
                if contest.state not in Contest.UNFINISHED:
                    continue
                place = self.places[contest.place_id or 0]
                game = place.games[contest.game]
                if self._gives_way(place.held_by, game, lost):
                    waiting |= self._hold(place, game)
                elif contest.user_id == account:
                    self._use_stake(contest, place)

    def _gives_way(self, holder: Game, game: Game, lost: Collection[tuple[Account, str]]) -> bool:
        if not holder.senders or holder.is_here or holder.name == game.name:
            return False
        return all((account, game.name) in lost for account in holder.senders)

    def _use_stake(self, contest: Contest, place: Place) -> None:
        if any(one.state == State.LOST for one in self._of(contest.user_id)) and contest.user_id is not OPERATOR:
            contest.state, contest.takes = State.LINE, False
        elif contest.state == State.LINE and self.stakes(contest.user_id) > 0:
            contest.state, contest.takes = State.OPEN, not self.settled(place)

    def _hold(self, place: Place, game: Game) -> set[Account]:
        """Let ``game`` hold the place; returns the accounts that have more stakes now."""
        if place.holder != game.number:
            place.holder, place.held_at, place.is_decided = game.number, self.now, False
        waited = [one for one in self._at(place) if one.state in Contest.UNFINISHED]
        ended = [one for one in waited if one.game == game.number or game.is_here]
        self._remove(ended)
        return {one.user_id for one in ended}

    def _remove(self, contests: Collection[Contest]) -> None:
        gone = {id(one) for one in contests}
        self.contests = [one for one in self.contests if id(one) not in gone]

    def _lose(self, place: Place, game: Game, account: Account, to: str, *, excused: bool) -> None:
        known = (one for one in self._at(place) if one.user_id == account and one.game == game.number)
        contest = next(known, None)
        if contest is None:
            contest = self._contest(place, game, account)
            self.contests.append(contest)
        contest.state, contest.takes = (State.EXCUSED if excused else State.LOST), False
        contest.lost_to = "" if excused or account is OPERATOR else to

    def _pass_on(self, place: Place) -> set[Account]:
        """The holder is gone: the oldest of the other games holds the place, one that staff did not refuse if there is any."""
        heir = min(place.games.values(), key=lambda game: (self.refused(place, game), min(game.files)))
        return self._hold(place, heir)
