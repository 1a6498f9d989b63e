"""Random sequences of what people do, with the promises of docs/threats.md looked at after each step.

A: who takes a true game off the boards has a stake in it.  B: no copy ranks beside its original, but for what docs/threats.md
excepts.  C: in the end each true game is on the boards.  D: what waits for staff is bounded.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Final

from replays.models import Contest
from replays.trust.places.place_rules import STAKES, Account, Place, State
from tests.replays.trust.places.world import BAD, HONEST, NAME, PLAYER, Bytes, Site, original

Action = Callable[[], object]


class Watch:
    """Acts on a site; ``broken``: the promises that did not hold."""

    def __init__(self, site: Site) -> None:
        self.site, self.broken, self.log = site, list[str](), list[str]()
        self.names = {site.account(who): who for who in NAME}
        self.knocks: Counter[Account] = Counter()
        self.closing = 0

    def act(self, who: str, text: str, action: Action) -> None:
        site = self.site
        before = {play for play in "pq" if self._ranks_rightly(play) and self._sent_by_honest(play)}
        action()
        self.log.append(f"{who}: {text}")
        for play in before:
            if who != PLAYER[play] and not self._ranks_rightly(play):
                self._taken(play, who)
        for pk in site.ranked():
            self._copy(pk)
        for account, name in self.names.items():
            mine = [one for one in site.book.contests if one.user_id == account]
            states = [one.state for one in mine]
            if states.count(State.OPEN) + states.count(State.CONCEDED) > STAKES:
                self.broken.append(f"D: {name} has used more than {STAKES} stakes")
            if State.LOST in states and State.OPEN in states:
                self.broken.append(f"A: {name} lost and still contests")

    def _taken(self, play: str, who: str) -> None:
        contests = [one for one in self._contests(play) if one.state == State.OPEN]
        takers = [one.user_id for one in contests if one.takes and self.names[one.user_id] not in HONEST]
        if not contests:
            self.broken.append(f"A: {who} took {play} off the boards, and nothing about it waits for staff")
        elif not takers:
            self.broken.append(f"A: {who} took {play} off the boards without a stake")
        else:
            self.knocks[takers[0]] += 1
            won = sum(one.user_id == takers[0] and one.state == State.WON for one in self.site.book.contests)
            if self.knocks[takers[0]] > STAKES + won:
                self.broken.append(f"A: {who} took true games off the boards more than {STAKES} times")
        if self.site.plays[play].is_decided:
            self.broken.append(f"A: {play} left the boards after staff had decided it")

    def _copy(self, pk: int) -> None:
        site, data = self.site, self.site.files[pk][0]
        player = PLAYER.get(data.clicks)
        if player is None or data.clicks == "r" or (data.name == NAME[player] and data.numbers == "true"):
            return
        owner = site.account(player)
        mine = [one for one in site.files if site.files[one][0].clicks == data.clicks and site.files[one][0].is_true]
        if not any(owner in site.senders(one) and not site.refused(one) for one in mine):
            return
        waits = [one for one in self._contests(data.clicks) if one.user_id == owner and one.state == State.OPEN]
        no_stake = site.book.stakes(owner) <= 0 and not self._lost(owner)
        if not (no_stake or any(not one.takes for one in waits)):
            self.broken.append(f"B: the copy #{pk} ranks beside its original")

    def _lost(self, account: Account) -> bool:
        return any(one.user_id == account and one.state == State.LOST for one in self.site.book.contests)

    def _place(self, play: str) -> Place | None:
        return self.site.plays.get(play)

    def _contests(self, play: str) -> list[Contest]:
        place = self._place(play)
        return [] if place is None else [one for one in self.site.book.contests if one.place_id == place.number]

    def _ranks_rightly(self, play: str) -> bool:
        """Return whether the true game is on the boards, and counts for its player or for a name that nobody owns."""
        site = self.site
        found = (pk for pk in site.ranked() if site.files[pk][0].clicks == play and site.files[pk][0].is_true)
        return any(site.counts_for(pk) in ("", PLAYER[play]) for pk in found)

    def _sent_by_honest(self, play: str) -> bool:
        site, honest = self.site, {self.site.account(who) for who in HONEST}
        return any(
            data.clicks == play and data.is_true and file.senders & honest and site.could_rank(pk)
            for pk, (data, file) in site.files.items()
        )

    def decide(self, item: tuple[str, ...], wanted: int = -1) -> None:
        self.act("staff", f"decide {item} for {wanted}", lambda: self.site.decide(item, wanted))


def close(watch: Watch, opens: Mapping[str, Bytes]) -> None:
    """Let the players do what they can find, staff decide truly, and the attackers rest; each true game then ranks."""
    site = watch.site
    for _round in range(40):
        for play, data in opens.items():
            _player_acts(watch, PLAYER[play], data)
        items = site.queue()
        if not items:
            break
        for item in items:
            if item in site.queue():
                watch.closing += 1
                watch.decide(item)
    for play, data in opens.items():
        flawless = data.cls != "open" or site.plays[play].is_decided
        if flawless and not watch._ranks_rightly(play):
            watch.broken.append(f"C: {play} is not on the boards in the end")
    if any(one.state in Contest.UNFINISHED for one in site.book.contests if one.user_id in map(site.account, HONEST)):
        watch.broken.append("C: an honest player's contest is not finished")


def _player_acts(watch: Watch, who: str, data: Bytes) -> None:
    site, account = watch.site, watch.site.account(who)
    if not any(known.clicks == data.clicks and account in file.senders for known, file in site.files.values()):
        watch.act(who, f"send {data.clicks}", lambda: site.send(who, data))
    waits = any(known.name == data.name and pk in site.name_waits for pk, (known, _file) in site.files.items())
    if site.claims.get(data.name) not in (None, who) or waits:
        site.asked_names.add((who, data.name))
    if site.claims.get(data.name) == who:
        for pk, (known, _file) in site.files.items():
            if known.is_true and known.clicks == data.clicks:
                site.said_yes[pk] = who


# --- steps ------------------------------------------------------------------------------------------------------------


def copies(play: str, name: str, victim: str, number: int) -> list[Bytes]:
    """The files that an attacker makes of a play."""
    plain = Bytes(play, f"b{play}", f"x{number}", name)
    return [
        plain,
        replace(plain, seal=f"s{play}"),
        replace(plain, numbers="alt"),
        replace(plain, name=victim, numbers="alt"),
        replace(plain, cls="open"),
        replace(plain, name=victim, cls="open"),
        replace(plain, finding=True),
        replace(plain, won=False),
        original(play),
        original(play, "open"),
        replace(plain, seal=f"y{play}{number % 3}", name=victim),
        replace(plain, clicks=f"z{number}"),
        Bytes(f"z{number}", f"bz{number}", f"s{play}", name),
    ]


#: How often attackers send, delete and claim, time passes, honest players act and staff decide; one row a sequence.
MOODS: Final = ((42, 18, 6, 8, 16, 10), (50, 10, 6, 8, 16, 10), (40, 40, 0, 2, 16, 2), (30, 30, 0, 2, 14, 24))


def step(random: Random, watch: Watch, opens: Mapping[str, Bytes], bad: Sequence[str], mood: Sequence[int]) -> None:
    (kind,) = random.choices(("send", "delete", "claim", "wait", "honest", "staff"), mood)
    if kind == "send":
        _attacker_sends(random, watch, bad)
    elif kind == "delete":
        _attacker_deletes(random, watch, bad)
    elif kind == "claim":
        who, name = random.choice(bad), random.choice(["Vera", "Will", "Vera*", "Sly"])
        watch.act(who, f"claim {name}", lambda: watch.site.claim(who, name))
    elif kind == "wait":
        days = random.choice([3, 16])
        watch.act("time", f"{days} days", lambda: watch.site.wait(days))
    elif kind == "honest":
        _honest_acts(random, watch, opens)
    elif items := watch.site.queue():
        evil = [pk for pk in watch.site.files if watch.site.senders(pk) & {watch.site.account(who) for who in bad}]
        watch.decide(random.choice(items), random.choice(evil) if evil else -1)


def _attacker_sends(random: Random, watch: Watch, bad: Sequence[str]) -> None:
    who, play, number = random.choice(bad), random.choice("pppqqr"), random.randrange(6)
    if play == "r":
        clicks, board = random.choice(["r", f"z{number}"]), random.choice(["br", f"bz{number}"])
        data = Bytes(clicks, board, f"sr{number}", random.choice(["Vera*", "Will*", NAME[who]]))
    else:
        data = random.choice(copies(play, NAME[who], NAME[PLAYER[play]], number))
    watch.act(who, f"send {data}", lambda: watch.site.send(who, data))


def _attacker_deletes(random: Random, watch: Watch, bad: Sequence[str]) -> None:
    who = random.choice(bad)
    mine = [pk for pk in watch.site.files if watch.site.account(who) in watch.site.senders(pk)]
    if mine:
        pk = random.choice(mine)
        watch.act(who, f"delete #{pk}", lambda: watch.site.delete(who, pk))


def _honest_acts(random: Random, watch: Watch, opens: Mapping[str, Bytes]) -> None:
    play, other, number, site = random.choice("pq"), random.choice("pq"), random.randrange(3), watch.site
    who, kind = PLAYER[play], random.random()
    if kind < 0.6:
        watch.act(who, f"send {play}", lambda: site.send(who, opens[play]))
    elif kind < 0.75:  # from another program
        data = replace(opens[play], seal=f"y{play}{number}", cls="sealed")
        watch.act(who, f"send {play} again", lambda: site.send(who, data))
    elif kind < 0.85:  # a club's machine, whose folder has games of others
        watch.act(who, f"send {other} from the club", lambda: site.send(who, opens[other]))
    else:
        watch.act(who, "claim", lambda: site.claim(who, NAME[who]))


def walked(random: Random, site: Site, length: int = 14) -> Watch:
    """One sequence, which ends at the first broken promise."""
    opens = {play: original(play, "open" if random.random() < 0.2 else "sealed") for play in "pq"}
    watch, bad, mood = Watch(site), random.choice([BAD, BAD, BAD[1:]]), random.choice(MOODS)
    for _ in range(length):
        step(random, watch, opens, bad, mood)
        if watch.broken:
            return watch
    close(watch, opens)
    return watch
