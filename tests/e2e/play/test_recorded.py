"""Tests that the page records of the mouse what the mouse did: games of bots, by real mouse events."""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import Final

import numpy as np
import pytest

from analysis.bots.bot import play_game
from analysis.bots.hand import CELL_PX
from analysis.bots.profiles import DEMO_PROFILES
from analysis.recording import LEVEL_SHAPES, Kind, Level, Recording
from tests.e2e.play.conftest import OpenGame
from tests.e2e.play.table import GamePage
from tests.effort import amount

GAMES: Final = amount(long=20, usual=1)
_MOUSE: Final = {
    Kind.LEFT_PRESS: ("pressed", "left"), Kind.LEFT_RELEASE: ("released", "left"), Kind.RIGHT_PRESS: ("pressed", "right"),
    Kind.RIGHT_RELEASE: ("released", "right"), Kind.MIDDLE_PRESS: ("pressed", "middle"), Kind.MIDDLE_RELEASE: ("released", "middle"),
    Kind.MOVE: ("moved", "none"),
}  # fmt: skip
_MAX_BYTES: Final = 25_000
_MAX_BYTES_A_SECOND: Final = 400  # of games that take longer than a minute or so; the busiest hand of the 20 has 357
#: Bytes of all INPUT messages, packed by the site's own module.
_PACKED: Final = """
async () => {
  const address = [...document.scripts].map((script) => script.src).find((src) => src.includes("/play/solo/solo"));
  const { encode } = await import(new URL("../wire.js", address));
  return socketDouble.sent.filter((message) => message.type === "input").reduce((sum, message) => sum + encode(message).length, 0);
}
"""


def _game(number: int) -> tuple[Level, Recording]:
    level = (Level.BEGINNER, Level.EXPERT, Level.INTERMEDIATE)[number % 3]
    profile = DEMO_PROFILES[number % len(DEMO_PROFILES)]
    recording = play_game(profile, level, "NF" if number % 4 == 1 else "FL", seed=number, must_win=True)
    # The hand of a bot is where its first click is; a mouse has to get there.
    way = recording.events[:1].copy()
    way["kind"] = Kind.MOVE
    way["time_ms"] -= 5
    events = np.concatenate([way, recording.events])
    stays = (events["kind"][1:] == Kind.MOVE) & (np.diff(events["x_px"]) == 0) & (np.diff(events["y_px"]) == 0)
    return level, replace(recording, events=events[~np.concatenate([[False], stays])])


def _drive(game: GamePage, recording: Recording) -> float:
    """Do with the mouse what the recording says, its times in ms from the answer; that moment, s since 1970."""
    # Events carry their own times, so they need not be waited for; they begin when the game has begun.
    begin_s: float = game.page.evaluate("(performance.timeOrigin + socketDouble.gameAt) / 1000") + 1.0
    for event in recording.events:
        kind, button = _MOUSE[Kind(event["kind"])]
        x, y = game.left + int(event["x_px"]), game.top + int(event["y_px"])
        game.mouse(kind, x, y, button, at_s=begin_s + int(event["time_ms"]) / 1000)
    return begin_s


@pytest.mark.long(
    beside="tests/e2e/play/test_solo.py::test_a_newcomer_finishes_a_game_within_three_clicks_and_keeps_it"
)
@pytest.mark.parametrize("number", range(GAMES))
def test_recorded_events_equal_what_was_sent(open_game: OpenGame, number: int) -> None:
    level, recording = _game(number)
    assert recording.cell_px == CELL_PX
    game = open_game(f"/play/{level.value}/", stored={"zoom": str(CELL_PX)}, width=1400)
    assert (game.rows, game.columns) == LEVEL_SHAPES[level][:2]
    begin_s = _drive(game, recording)
    game.page.wait_for_timeout(150)  # the last moves go by themselves
    recorded = game.events()
    zero_ms: float = game.page.evaluate("performance.timeOrigin + socketDouble.gameAt")
    sent = [
        (1000 * begin_s - zero_ms + int(e["time_ms"]), Kind(e["kind"]), int(e["x_px"]), int(e["y_px"]))
        for e in recording.events
    ]
    assert [kind for _time, kind, _x, _y in recorded] == [kind for _time, kind, _x, _y in sent]
    assert [(x, y) for _time, _kind, x, y in recorded] == [(x, y) for _time, _kind, x, y in sent]
    # Chromium turns the timestamps handed to it into its own clock once, and the page learns that clock's zero once more;
    # between the two the machine may set its clock.  That shift is the same for all events of a game.
    shifts_ms = [now - then for (now, *_), (then, *_) in zip(recorded, sent, strict=True)]
    worst_ms = max(abs(shift - median(shifts_ms)) for shift in shifts_ms)
    assert worst_ms <= 2
    seconds = (sent[-1][0] - sent[0][0]) / 1000
    assert game.page.evaluate(_PACKED) <= max(_MAX_BYTES, _MAX_BYTES_A_SECOND * seconds)
