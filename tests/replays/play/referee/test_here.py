"""Tests of how many visitors have a room open, whether they have played or not."""

from __future__ import annotations

from collections.abc import Callable

from replays.play import wire
from replays.play.referee.bus import Command, Entry, Visitor
from replays.play.referee.loop import PLAYERS_SECONDS, Referee
from tests.replays.play.referee.conftest import Clock, FakeWeb, a_room, turn

ANN, BO = (Visitor(f"guest-{name}", name, True, name * 16) for name in ("ann", "bo"))


def told(web: FakeWeb) -> list[int]:
    """Return the numbers of visitors that everybody was told, in turn."""
    web.hear()
    return [frame.here for frame in web.all_frames if isinstance(frame, wire.Here)]


def without_cell(web: FakeWeb) -> list[list[tuple[str, bool]]]:
    """Return the visitors without a cell that everybody was told, in turn."""
    web.hear()
    return [
        [(row.name, row.plays) for row in frame.visitors]
        for frame in web.all_frames
        if isinstance(frame, wire.Visitors)
    ]


def test_visitors_are_named_until_they_open_a_cell(
    web: FakeWeb, clock: Clock, new_referee: Callable[[], Referee]
) -> None:
    room, referee = a_room(), new_referee()

    def wait() -> None:
        for _second in range(3):
            turn(referee, clock, seconds=PLAYERS_SECONDS + 1)

    web.join(room, 1, ANN)
    web.join(room, 2, BO._replace(may_play=False))
    wait()
    assert without_cell(web)[-1] == [("ann", True), ("bo", False)]
    pictures = [messages for _connection, messages in web.pictures]
    assert any(isinstance(message, wire.Visitors) and len(message.visitors) == 2 for message in pictures[-1])
    web.play(room, ANN, 6)
    wait()
    assert without_cell(web)[-1] == [("bo", False)]
    web.put(Entry.COMMAND, room, int(Command.RESTART), 0)
    wait()
    web.hear()
    newest = [messages for _connection, messages in web.pictures][-1]
    named = [message for message in newest if isinstance(message, wire.Visitors)]
    assert [row.name for row in named[0].visitors] == ["ann", "bo"], "the next board begins without cells"


def test_a_finished_board_that_stays_says_so_to_late_comers(
    web: FakeWeb, clock: Clock, new_referee: Callable[[], Referee]
) -> None:
    room = a_room(next_board="by-owner", rows=4, columns=6, area=4, area_mines=3, modulus=101, start_number=7)
    referee = new_referee()
    web.join(room, 1, ANN)
    web.play(room, ANN, *range(24))

    def told_at_join(connection: int) -> list[tuple[int, int]]:
        web.join(room, connection, BO)
        for _second in range(3):
            turn(referee, clock, seconds=PLAYERS_SECONDS + 1)
        web.hear()
        _connection, messages = web.pictures[-1]
        return [(one.epoch, one.next_in_ms) for one in messages if isinstance(one, wire.Finished)]

    assert told_at_join(2) == [(1, 0)]
    referee = new_referee()
    assert told_at_join(3) == [(1, 0)], "after a restart too"
    web.put(Entry.COMMAND, room, int(Command.RESTART), 0)
    assert told_at_join(4) == []


def test_visitors_count_before_they_play(web: FakeWeb, clock: Clock, new_referee: Callable[[], Referee]) -> None:
    room, referee = a_room(), new_referee()

    def wait() -> None:
        for _second in range(3):
            turn(referee, clock, seconds=PLAYERS_SECONDS + 1)

    web.join(room, 1, ANN)
    web.join(room, 2, BO)
    wait()
    assert told(web)[-1] == 2
    pictures = [messages for _connection, messages in web.pictures]
    assert [message.here for message in pictures[-1] if isinstance(message, wire.Here)] == [2]
    web.join(room, 3, BO)  # in another tab
    wait()
    assert told(web)[-1] == 2
    web.put(Entry.LEAVE, room, 1)
    wait()
    assert told(web)[-1] == 1
    silent = len(told(web))
    wait()
    assert len(told(web)) == silent, "it is told when it changes"
