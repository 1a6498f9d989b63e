"""Dealing colours to users; the paper's section 3.

There are hues, and shades of each.  A hue is drawn at random; from it on, in a circle, the first of those hues is taken
that were dealt least often so far; then a shade of it in the same way.  So the first 12 users have 12 hues, and the
first 60 have 60 colours.

A user keeps the colour for the whole game, also after leaving and coming back; a new board deals anew.  It is dealt at
the first move that is accepted, so who only watches, or was only refused, takes none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Final, NamedTuple

HUES: Final = 12
SHADES: Final = 5


class Colour(NamedTuple):
    """Both from 0."""

    hue: int
    shade: int


class Dealer:
    """The colours of one game.

    ``dealt``: the colour of each player who has one.  It is all of the state: the counts follow from it.
    """

    def __init__(
        self,
        draw: Callable[[int], int],
        dealt: Mapping[int, Colour] = MappingProxyType({}),
    ) -> None:
        """``draw(n)``: a random number of 0 to n - 1 (``random.Random().randrange``)."""
        self._draw = draw
        self.dealt: dict[int, Colour] = {}
        self._hue_uses = [0] * HUES
        self._shade_uses = [[0] * SHADES for _ in range(HUES)]
        for player, colour in dealt.items():
            self._keep(player, Colour(*colour))

    def colour_of(self, player: int) -> Colour:
        """The colour of a player, dealt now if there is none yet."""
        if player not in self.dealt:
            hue = first_least(self._hue_uses, self._draw(len(self._hue_uses)))
            uses = self._shade_uses[hue]
            self._keep(player, Colour(hue, first_least(uses, self._draw(len(uses)))))
        return self.dealt[player]

    def _keep(self, player: int, colour: Colour) -> None:
        self.dealt[player] = colour
        self._hue_uses[colour.hue] += 1
        self._shade_uses[colour.hue][colour.shade] += 1


def first_least(uses: Sequence[int], start: int) -> int:
    """The first index from ``start`` on, in a circle, whose value is the least of all."""
    least = min(uses)
    return next(index for index in chain(range(start, len(uses)), range(start)) if uses[index] == least)
