"""Tests of what the referee remembers of a player."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from replays.play.referee.players import Session
from replays.play.wire.rows import AnswerResult

_MOST = 256


@given(st.lists(st.integers(1, 700), min_size=1, max_size=2_000))
def test_the_last_answers_of_a_page(steps: list[int]) -> None:
    """Pages may leave numbers out; what is remembered is bounded all the same."""
    session, given_answers, own = Session(), {}, 0
    for step in steps:
        own += step
        assert session.known(own) is None, "it is new"
        given_answers[own] = AnswerResult.OPENED, own + 7
        session.remember(own, given_answers[own])
    assert len(session.answers) <= _MOST
    for number in range(max(1, own - _MOST + 1), own + 1):
        assert session.known(number) == given_answers.get(number, (AnswerResult.ALREADY_OPEN, 0))
    assert session.known(max(0, own - 10 * _MOST)) is not None, "a move that is long past is not played again"
