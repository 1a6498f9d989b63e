"""Tests that closed cells stay unknown: games on twin boards get the same bytes until the boards part.

Both boards of a pair agree on all that is opened, and differ elsewhere.  The same clicks are played on both over real
sockets; what the site sends may differ in ``MASKS`` of ``line.py`` alone.  After that a cell is clicked that is safe on
one of them and a mine on the other, whose answers must differ: so the bytes that were equal do tell of the board.
"""

from __future__ import annotations

import itertools
import re
import secrets
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
import pytest
from django.test import Client

from analysis.board import board_facts
from analysis.fair import Rules
from analysis.recording import LEVEL_SHAPES, Board, Kind, Level
from players.models import User
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.sockets.visitors import Visitor, guest_of
from replays.play.solo import solo_consumer
from replays.play.solo.playing.played_game import PlayedGame
from tests.e2e.site import Site, running_site
from tests.effort import amount
from tests.replays.conftest import store as store
from tests.replays.play.twins.boards import Mines, around, drawn, flood, number, parting, twin
from tests.replays.play.twins.line import Heard, Line
from tests.services import wait_until

LEFT: Final = (Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
RIGHT: Final = (Kind.RIGHT_PRESS, Kind.RIGHT_RELEASE)
CHORD: Final = (Kind.MIDDLE_PRESS, Kind.MIDDLE_RELEASE)
MODES: Final = [
    *itertools.product((Level.BEGINNER, Level.INTERMEDIATE, Level.EXPERT), Rules),
    (Level.BEGINNER_9X9, Rules.XP),
    (Level.CUSTOM, Rules.XP),
]
OWN_SHAPE: Final = (12, 40, 90)
NOTHING: Final[Heard] = ("nothing", b"")
#: Pairs of each mode.
PAIRS: Final = amount(long=100, usual=2)
#: Button events of a game, for each takes a while by the clock of the site.
MOST_CLICKS: Final = 24


@dataclass
class Figures:
    """Counts of what was compared."""

    pairs: int = 0
    modes: set[str] = field(default_factory=set)
    messages: int = 0
    bytes: int = 0
    other_3bv: int = 0
    differing_pairs: int = 0
    differences: Counter[str] = field(default_factory=Counter)

    def __str__(self) -> str:
        kinds = ", ".join(f"{count} {kind}" for kind, count in self.differences.most_common()) or "none"
        return (
            f"twin boards: {self.pairs} pairs in {len(self.modes)} modes, {self.other_3bv} with another 3BV; "
            f"{self.messages} messages, {self.bytes} bytes compared; "
            f"pairs that differ: {self.differing_pairs}; differing messages: {kinds}"
        )


class Planted:
    """The board that the next games are played on, and how long the search for one takes."""

    def __init__(self) -> None:
        self.mines: Mines = np.zeros((1, 1), np.uint8)
        self.pieces: Iterator[tuple[bool, int]] = iter(())

    def board(self) -> Board:
        return Board(self.mines)

    def begin(self, pair: Pair, which: int) -> None:
        """The next game is played on one of the boards of ``pair``."""
        attempt = pair.attempts[which]
        self.mines = pair.boards[which]
        self.pieces = iter([*((False, done) for done in range(400, attempt, 400)), (True, attempt)])

    def search(self, *_given: Any, **_more: Any) -> SimpleNamespace:
        """In place of the process that looks for boards: pieces in which nothing is found, and one in which it is."""
        return SimpleNamespace(value=next(self.pieces))


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Planted:
    """Boards of the test instead of those that are drawn."""
    made = Planted()
    monkeypatch.setattr(PlayedGame, "board", lambda game, attempt=0: made.board())
    monkeypatch.setattr("replays.odds.calculator.calculator_client.calculate", made.search)
    return made


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch, transactional_db: None, store: Any, planted: Planted) -> Iterator[Site]:
    """The site, which takes as many games from this address as there are."""
    monkeypatch.setattr("django.conf.settings.PLAY_SOCKETS_OF_ADDRESS", 10_000)
    solo_consumer._new_games.cache_clear()
    with running_site() as running:
        yield running


@dataclass(frozen=True)
class Pair:
    """Two boards, and the clicks of the same game on both."""

    target: dict[str, Any]
    boards: tuple[Mines, Mines]
    clicks: list[tuple[int, tuple[Kind, ...]]]
    lost_after: int  # clicks after which the connection is lost; -1: never
    parts_at: int
    attempts: tuple[int, int]


def shape_and_target(level: Level, rules: Rules) -> tuple[tuple[int, int, int], dict[str, Any]]:
    shape = OWN_SHAPE if level is Level.CUSTOM else LEVEL_SHAPES[level]
    own = dict(zip(("rows", "columns", "mines"), shape, strict=True)) if level is Level.CUSTOM else {}
    return shape, {"level": level.value, "rules": rules.value, **own}


def make_pair(rng: np.random.Generator, level: Level, rules: Rules) -> Pair:
    """A game of some clicks, and a second board that differs where it has not come to."""
    shape, target = shape_and_target(level, rules)
    while True:
        first = int(rng.integers(shape[0] * shape[1]))
        mines = drawn(rng, shape, first, opens=rules is not Rules.XP)
        clicks, is_open = played(rng, mines, first)
        other = twin(rng, mines, is_open)
        parts = list(parting(mines, other, is_open))
        flags = {cell for cell, kinds in clicks if kinds == RIGHT}
        parts = [cell for cell in parts if cell not in flags]
        if parts:
            break
    assert all(number(mines, cell) == number(other, cell) for cell in is_open)
    assert not any(other.ravel()[list(is_open)])
    lost_after = int(rng.integers(len(clicks))) if rng.random() < 0.3 else -1
    attempts = tuple(int(one) for one in rng.choice(3_000, 2, replace=False))
    return Pair(target, (mines, other), clicks, lost_after, int(rng.choice(parts)), (attempts[0], attempts[1]))


def played(rng: np.random.Generator, mines: Mines, first: int) -> tuple[list[tuple[int, tuple[Kind, ...]]], set[int]]:
    """Clicks that open no mine: on cells, on flags, on numbers whose flags are complete; and the cells they open."""
    flat = mines.ravel()
    is_open = flood(mines, first, set())
    flags: set[int] = set()
    clicks: list[tuple[int, tuple[Kind, ...]]] = [(first, LEFT)]
    for _ in range(int(rng.integers(MOST_CLICKS // 2))):
        closed = [cell for cell in range(flat.size) if cell not in is_open and cell not in flags]
        safe = [cell for cell in closed if not flat[cell]]
        if not safe:
            break
        chordable = [
            cell
            for cell in sorted(is_open)
            if {one for one in around(cell, *mines.shape) if flat[one]} == flags & set(around(cell, *mines.shape))
        ]
        what = rng.random()
        if what < 0.3:  # a flag, right or wrong
            edge = [cell for cell in closed if flat[cell] and is_open & set(around(cell, *mines.shape))] or closed
            cell = int(rng.choice(edge if rng.random() < 0.8 else closed))
            flags.add(cell)
            clicks.append((cell, RIGHT))
        elif what < 0.5 and chordable:
            cell = int(rng.choice(chordable))
            clicks.append((cell, CHORD))
            for one in around(cell, *mines.shape):
                if not flat[one] and one not in flags:
                    is_open |= flood(mines, one, is_open, flags)
        else:
            cell = int(rng.choice(safe))
            clicks.append((cell, LEFT))
            is_open |= flood(mines, cell, is_open, flags)
    return clicks, is_open


def play(site: Site, planted: Planted, pair: Pair, which: int, visitor: Visitor) -> Line:
    """The game of ``pair`` on one of its boards, up to the click at which they part."""
    planted.begin(pair, which)
    with Line(site, visitor, pair.target) as line:
        line.begin()
        for place, (cell, kinds) in enumerate(pair.clicks):
            line.click(cell, kinds)
            if place == pair.lost_after:
                line.again()
        line.say(wire.Resync())
        line.hear(wire.Game)
        line.before_parting = len(line.heard)
        line.parted = line.click(pair.parts_at, LEFT)
        if which == 0:  # on the other board it was a mine
            line.say(wire.Leave())
        line.hear(wire.Over)
        return line


def new_guest() -> Visitor:
    return guest_of(secrets.token_hex(8))


def compare(pair: Pair, lines: list[Line], figures: Figures) -> list[tuple[Heard, Heard]]:
    """Count what two games were told before the boards part; returns the messages in which they differ."""
    first, second = (line.heard[: line.before_parting] for line in lines)
    told = [
        *itertools.zip_longest(first, second, fillvalue=NOTHING),
        *zip(lines[0].pings, lines[1].pings, strict=False),
    ]
    differing = [(one, two) for one, two in told if one != two]
    figures.pairs += 1
    figures.modes.add(f"{pair.target['level']} {pair.target['rules']}")
    figures.messages += len(told)
    figures.bytes += sum(len(data) for (_kind, data), _two in told)
    figures.other_3bv += len({board_facts(Board(mines)).bv for mines in pair.boards}) == 2
    figures.differing_pairs += bool(differing)
    figures.differences.update("/".join(dict.fromkeys((one[0], two[0]))) for one, two in differing)
    return differing


def test_twin_boards_get_the_same_bytes_until_they_part(
    site: Site, planted: Planted, capsys: pytest.CaptureFixture[str]
) -> None:
    figures, rng = Figures(), np.random.default_rng(20_231)
    examples: list[tuple[Heard, Heard]] = []
    for level, rules in MODES:
        for _ in range(PAIRS):
            pair = make_pair(rng, level, rules)
            lines = [play(site, planted, pair, which, new_guest()) for which in (0, 1)]
            examples += compare(pair, lines, figures)
            one, two = (line.parted for line in lines)
            assert one is not None
            assert one != two, "the boards did not part, so nothing was shown"
    with capsys.disabled():
        sys.stdout.write(f"\n{figures}\n")
    assert examples == []


# --- pages and API of a running game ----------------------------------------------------------------------------------

#: What pages and API of two running games may differ in: their names, commitments, times of the day, tickets, and the
#: tokens of forms.
PAGE_MASKS: Final = (
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}",
    r"\b[0-9a-f]{64}\b",
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+]00:00| UTC)",
    r"(?<=\"ticket\":\")[^\"]+",
    r"(?<=name=\"csrfmiddlewaretoken\" value=\")\w+",
)


@pytest.mark.long(
    beside="tests/replays/play/twins/test_twin_boards.py::test_twin_boards_get_the_same_bytes_until_they_part"
)
def test_pages_and_api_tell_nothing_of_a_running_game(site: Site, planted: Planted, owner: User) -> None:
    client = Client()
    client.force_login(owner)
    rng, read = np.random.default_rng(5), 0
    for level, rules in ((Level.EXPERT, Rules.XP), (Level.BEGINNER, Rules.NO_GUESS)):
        pair = make_pair(rng, level, rules)
        told = [pages_of(site, planted, pair, which, client, owner) for which in (0, 1)]
        differing = [
            (path, one, two)
            for path in told[0]
            for one, two in zip(told[0][path].split("<"), told[1][path].split("<"), strict=True)
            if one != two
        ]
        assert differing == []
        read += sum(map(len, told[0].values()))
    assert read > 10_000


def pages_of(site: Site, planted: Planted, pair: Pair, which: int, client: Client, owner: User) -> dict[str, str]:
    """Return, by address, what the player of a running game is told outside of the socket, masked."""
    planted.begin(pair, which)
    with Line(site, Visitor(owner.pk, "", owner.username), pair.target) as line:
        line.begin()
        for cell, kinds in pair.clicks:
            line.click(cell, kinds)
        wait_until(LiveGame.objects.filter(state=LiveGame.State.PLAYING).exists, seconds=20, what="the row of the game")
        name = str(LiveGame.objects.get().pk)
        level = f"/play/{pair.target['level']}/"
        paths = ["/play/", level, f"/play/games/{name}/", f"/play/verify/?game={name}", "/play/rooms/", "/"]
        paths += ["/api/v1/play/games/", f"/api/v1/play/games/{name}/"]
        answers = {path.replace(name, "NAME"): client.get(path) for path in paths}
        answers["ticket"] = client.post(
            "/api/v1/play/tickets/", {"purpose": "solo", **pair.target}, content_type="application/json"
        )
        assert {answer.status_code for answer in answers.values()} == {200}
        line.say(wire.Leave())
        line.hear(wire.Over)
    wait_until(LiveGame.objects.filter(state=LiveGame.State.ABANDONED).exists, seconds=20, what="the end of the game")
    LiveGame.objects.all().delete()  # the second game is as new to its player as the first
    return {path: masked_page(answer.content.decode()) for path, answer in answers.items()}


def masked_page(page: str) -> str:
    for mask in PAGE_MASKS:
        page = re.sub(mask, "…", page)
    return page
