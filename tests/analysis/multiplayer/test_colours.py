"""Dealing colours: golden draws, and what holds after any draws."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.multiplayer.colours import HUES, SHADES, Colour, Dealer, first_least
from analysis.multiplayer.server_game import ServerGame
from tests.analysis.multiplayer.golden import DEFAULT, GOLDEN, mines_of
from tests.effort import examples

COLOURS = GOLDEN["colours"]


def drawing(numbers: list[int]) -> Callable[[int], int]:
    """Draws that give these numbers, one after the other."""
    remaining = iter(numbers)
    return lambda _: next(remaining)


def test_the_golden_draws() -> None:
    dealer = Dealer(drawing([number for pair in COLOURS["draws"] for number in pair]))
    assert [[*dealer.colour_of(player)] for player in range(1, len(COLOURS["draws"]) + 1)] == COLOURS["results"]


def test_draws_of_zero() -> None:
    dealer = Dealer(lambda _: 0)
    colours = [dealer.colour_of(player) for player in range(1, 62)]
    golden = COLOURS["all_draws_zero"]
    places = {"1st": 1, "12th": 12, "13th": 13, "60th": 60, "61st": 61}
    assert {name: [*colours[place - 1]] for name, place in places.items()} == {name: golden[name] for name in places}
    assert len(set(colours[:60])) == golden["distinct_in_60"]


def test_a_draw_is_below_the_number_of_hues_and_of_shades() -> None:
    asked: list[int] = []

    def draw(below: int) -> int:
        asked.append(below)
        return below - 1

    assert Dealer(draw).colour_of(1) == (HUES - 1, SHADES - 1)
    assert asked == [HUES, SHADES]


@given(st.integers(), st.integers(0, 200))
@settings(max_examples=examples(300), deadline=None)
def test_uses_stay_within_one_of_each_other(seed: int, players: int) -> None:
    dealer = Dealer(random.Random(seed).randrange)
    for player in range(players):
        dealer.colour_of(player)
        if player == HUES - 1:
            assert len({colour.hue for colour in dealer.dealt.values()}) == HUES
        if player == HUES * SHADES - 1:
            assert len(set(dealer.dealt.values())) == HUES * SHADES
        hues = Counter(dict.fromkeys(range(HUES), 0))
        shades = Counter({(hue, shade): 0 for hue in range(HUES) for shade in range(SHADES)})
        for colour in dealer.dealt.values():
            hues[colour.hue] += 1
            shades[colour] += 1
        assert max(hues.values()) - min(hues.values()) <= 1
        for hue in range(HUES):
            uses = [shades[hue, shade] for shade in range(SHADES)]
            assert max(uses) - min(uses) <= 1


@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.data())
def test_the_first_of_the_least_used_from_the_drawn_one_on(uses: list[int], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(uses) - 1))
    found = first_least(uses, start)
    assert uses[found] == min(uses)
    passed = [(start + k) % len(uses) for k in range((found - start) % len(uses))]
    assert all(uses[index] > min(uses) for index in passed)


@given(st.integers(), st.integers(0, 80), st.integers(1, 80))
@settings(max_examples=examples(200), deadline=None)
def test_another_process_goes_on_from_the_dealt_colours(seed: int, before: int, after: int) -> None:
    """The colour of who left and came back is the same there, and the next ones are as if nothing had happened."""
    numbers = [random.Random(seed + place).randrange(10**6) for place in range(2 * (before + after))]
    place = iter(range(len(numbers)))

    def draw(below: int) -> int:
        return numbers[next(place)] % below

    dealer = Dealer(draw)
    first = [dealer.colour_of(player) for player in range(before)]
    stored = {player: Colour(*colour) for player, colour in dealer.dealt.items()}
    other = Dealer(draw, stored)
    assert [other.colour_of(player) for player in range(before)] == first
    second = [other.colour_of(player) for player in range(before, before + after)]

    place = iter(range(len(numbers)))
    undisturbed = Dealer(draw)
    assert [undisturbed.colour_of(player) for player in range(before + after)] == first + second


def test_who_was_only_refused_takes_no_colour() -> None:
    """The reference deals one at a click that it refuses, so spectators use colours up."""
    game, dealer = ServerGame(mines_of(DEFAULT)), Dealer(lambda _: 0)
    for cell, player in ((6, 1), (5, 2), (-1, 3), (0, 4)):
        if game.open(cell, player).result.accepted:
            dealer.colour_of(player)
    assert dealer.dealt == {1: (0, 0), 4: (1, 0)}
