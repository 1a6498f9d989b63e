"""A site of people who send files, claim names and delete, with nothing but the rules of places.

V and W play honestly, S and T do not.  Staff choose a true file where they see one, else what the attackers like.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

from replays.trust.places.place_rules import LONG, Account, Book, File, Game, Place, State

HONEST: Final = ("V", "W")
BAD: Final = ("S", "T")
#: Who really played it; "r": a real game of an attacker.
PLAYER: Final = {"p": "V", "q": "W", "r": "T"}
NAME: Final = {"V": "Vera", "W": "Will", "S": "Sly", "T": "Tom"}
#: Squatted look-alikes.
LOOKS_LIKE: Final = {"Vera*": "Vera", "Will*": "Will"}
CLASSES: Final = ("open", "sealed", "here")
START: Final = datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Bytes:
    """A file.  ``clicks``: which play it is; ``numbers``: "true", or what a forger made of times and moves."""

    clicks: str
    board: str
    seal: str
    name: str
    numbers: str = "true"
    cls: str = "sealed"
    finding: bool = False
    won: bool = True

    @property
    def game(self) -> tuple[object, ...]:
        return self.clicks, self.name, self.numbers, self.won

    @property
    def is_true(self) -> bool:
        """Return whether it has the right name and the right numbers, from whichever program."""
        played = self.clicks in PLAYER and self.name == NAME[PLAYER[self.clicks]]
        return played and self.numbers == "true" and self.won


def original(play: str, cls: str = "sealed") -> Bytes:
    return Bytes(play, "b" + play, "s" + play, NAME[PLAYER[play]], cls=cls)


class Site:
    """``book``: makes the rules, or rules of which one is switched off."""

    def __init__(self, book: Callable[[datetime], Book] = Book) -> None:
        self.book = book(START)
        self.files: dict[int, tuple[Bytes, File]] = {}
        self.claims: dict[str, str] = {}
        self.asked_names: set[tuple[str, str]] = set()
        self.said_yes: dict[int, str] = {}
        self.name_waits: set[int] = set()
        self.plays: dict[str, Place] = {}
        self.serial = 0

    # --- what is known ---

    def account(self, who: str) -> Account:
        return sum(ord(letter) << 8 * place for place, letter in enumerate(who))

    def senders(self, pk: int) -> set[Account]:
        return self.files[pk][1].senders

    def counts_for(self, pk: int) -> str | None:
        """The owner of the name; "" if nobody does, None while the file waits for the owner's yes."""
        owner = self.claims.get(self.files[pk][0].name)
        if owner is None:
            return ""
        return owner if self.account(owner) in self.senders(pk) or self.said_yes.get(pk) == owner else None

    def game(self, pk: int) -> Game | None:
        place = self.plays.get(self.files[pk][0].clicks)
        games = () if place is None else place.games.values()
        return next((game for game in games if pk in game.files), None)

    def refused(self, pk: int) -> bool:
        game = self.game(pk)
        return game is not None and self.book.refused(self.plays[self.files[pk][0].clicks], game)

    def chosen(self, pk: int) -> bool:
        place = self.plays[self.files[pk][0].clicks]
        return place.is_decided and pk in place.held_by.files

    def could_rank(self, pk: int) -> bool:
        file = self.files[pk][1]
        return not self.refused(pk) and file.counts and (file.flawless or self.chosen(pk))

    def ranked(self) -> set[int]:
        self.refresh()
        found = (self.book.best(place) for place in self.plays.values() if not self.book.takers(place))
        return {file.number for file in found if file is not None}

    def refresh(self) -> None:
        for pk, (_bytes, file) in self.files.items():
            file.counts = self.counts_for(pk) is not None and pk not in self.name_waits

    def note_ranks(self) -> None:
        ranked = self.ranked()
        for pk, (_bytes, file) in self.files.items():
            file.is_final = pk in ranked

    # --- what people do ---

    def wait(self, days: int) -> None:
        self.note_ranks()
        self.book.now += timedelta(days=days)

    def send(self, who: str, data: Bytes) -> int:
        account = self.account(who)
        pk = next((pk for pk, (known, _file) in self.files.items() if known == data), None)
        if pk is None:
            self.serial += 1
            pk = self.serial
            file = File(pk, set(), self.book.now, not data.finding and data.cls != "open" and data.won, strength=CLASSES.index(data.cls))  # fmt: skip
            if self.waits_for_name(data):
                self.name_waits.add(pk)
            self.files[pk] = data, file
            self.put(data, file)
        file = self.files[pk][1]
        file.senders.add(account)
        self.refresh()
        place = self.plays[data.clicks]
        self.book.says_mine(place, self.game_of(data, pk), [account])
        self.note_ranks()
        return pk

    def waits_for_name(self, data: Bytes) -> bool:
        """Return whether the name looks like another one that is claimed, or settled."""
        skeleton = LOOKS_LIKE.get(data.name, data.name)
        if any(known.name == data.name and file.is_final for known, file in self.files.values()):
            return False
        return any(
            self.known_name(known.name, file)
            for known, file in self.files.values()
            if known.name != data.name and LOOKS_LIKE.get(known.name, known.name) == skeleton
        )

    def known_name(self, name: str, file: File) -> bool:
        return name in self.claims or (file.is_final and self.book.now - file.arrived_at > LONG)

    def key(self, data: Bytes, pk: int) -> tuple[object, ...]:
        return data.game

    def game_of(self, data: Bytes, pk: int) -> Game:
        wanted = self.key(data, pk)
        games = self.plays[data.clicks].games.values()
        return next(game for game in games for one in game.files if self.key(self.files[one][0], one) == wanted)

    def put(self, data: Bytes, file: File) -> None:
        """Put a new file into its game, and its game into its place."""
        place = self.plays.setdefault(data.clicks, Place(file.number, file.number, self.book.now))
        self.book.places[place.number] = place
        wanted = self.key(data, file.number)
        for game in place.games.values():
            if any(self.key(self.files[one][0], one) == wanted for one in game.files):
                game.files[file.number] = file
                return
        place.games[file.number] = Game(file.number, data.name, {file.number: file}, is_here=data.cls == "here")

    def delete(self, who: str, pk: int) -> None:
        """Take one's own sending back; what staff refused stays."""
        account = self.account(who)
        if pk not in self.files or account not in self.senders(pk) or self.refused(pk):
            return
        data, file = self.files[pk]
        place, game = self.plays[data.clicks], self.game_of(data, pk)
        file.senders.remove(account)
        if not file.senders:
            del game.files[pk], self.files[pk]
        if account not in game.senders:
            self.book.takes_back(place, game, [account], account)
        if not place.games:
            del self.plays[data.clicks], self.book.places[place.number]
        self.note_ranks()

    def claim(self, who: str, name: str) -> None:
        """Claim by a code: only a name under which nobody else has sent a game."""
        others = {one for data, file in self.files.values() if data.name == name for one in file.senders}
        if name not in self.claims and others <= {self.account(who)}:
            self.claims[name] = who
            self.note_ranks()

    # --- what staff do ---

    def queue(self) -> list[tuple[str, ...]]:
        open_places = {one.place_id for one in self.book.contests if one.state == State.OPEN}
        plays = sorted(clicks for clicks, place in self.plays.items() if place.number in open_places)
        return [("place", clicks) for clicks in plays] + [("name", *asked) for asked in sorted(self.asked_names)]

    def decide(self, item: tuple[str, ...], wanted: int = -1) -> None:
        if item[0] == "name":
            self._decide_name(*item[1:])
        else:
            self._decide_place(self.plays[item[1]], wanted)
        self.note_ranks()

    def _decide_place(self, place: Place, wanted: int) -> None:
        files = [pk for game in place.games.values() if not self.book.refused(place, game) for pk in game.files]
        true = [pk for pk in files if self.files[pk][0].is_true]
        self.choose(place, true[0] if true else wanted if wanted in files else max(files))

    def choose(self, place: Place, pk: int) -> None:
        game = self.game(pk)
        assert game is not None
        self.book.decide(place, game)

    def _decide_name(self, who: str, name: str) -> None:
        self.asked_names.discard((who, name))
        if NAME.get(who) == name:
            self.claims[name] = who
            self.name_waits -= {pk for pk, (data, _file) in self.files.items() if data.name == name}


# --- attacks on fresh games -------------------------------------------------------------------------------------------


def fresh(count: int, name: str = "Vera") -> list[Bytes]:
    return [Bytes(f"g{number}", f"b{number}", f"s{number}", name) for number in range(count)]


def on_boards(site: Site, games: list[Bytes]) -> int:
    """Count those of these games that rank, under these names."""
    wanted = {(data.clicks, data.name) for data in games}
    ranked = (site.files[pk][0] for pk in site.ranked())
    return sum((data.clicks, data.name) in wanted for data in ranked)


def truthful(site: Site, names: Mapping[str, str]) -> int:
    """Have staff decide the first place for the name that really played it; returns how many waited."""
    places = [item for item in site.queue() if item[0] == "place"]
    if places:
        clicks = places[0][1]
        good = (pk for pk, (data, _file) in site.files.items() if data.clicks == clicks and data.name == names[clicks])
        site.decide(places[0], next(good, -1))
    return len(places)


def renamed(data: Bytes, name: str, seal: str = "x") -> Bytes:
    return replace(data, name=name, seal=seal + data.seal)
