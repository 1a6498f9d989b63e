"""Bodies of files that are watched: in memory alone, from anybody, a few at a time."""

from __future__ import annotations

import asyncio
import tempfile
from typing import Any

import pytest
from asgiref.sync import async_to_sync

from analysis.limits import SMALL_BODY_BYTES, WATCHED_BYTES, WATCHED_FORM_BYTES
from config.http import bodies
from config.http.bodies import MOST_WATCHED, MOST_WATCHED_OF_ADDRESS, ClientGone, read_body
from players.web.problems import Refused

MOST = WATCHED_BYTES + WATCHED_FORM_BYTES


@pytest.fixture(autouse=True)
def _no_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def spooled(*_arguments: object, **_options: object) -> None:
        raise AssertionError("a body may be spooled to disk")

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", spooled)
    monkeypatch.setattr(bodies, "LATER_SECONDS", 0.0)


def read(size: int, path: str = "/watch/", **options: Any) -> Any:
    """Return the body of a request as ``reading`` reads it."""
    return async_to_sync(reading)(size, path, **options)


async def reading(
    size: int, path: str = "/watch/", *, announced: int | None = None, ends: bool = True, refused: bool = False, address: int = 0
) -> Any:  # fmt: skip
    """Read a body of ``size`` bytes in parts; ``announced``: its Content-Length, ``address``: the number of its sender."""
    parts = [b"x" * min(50_000, size - start) for start in range(0, size, 50_000)] or [b""]
    messages = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if ends:
        messages[-1]["more_body"] = False
    messages.append({"type": "http.disconnect"})

    async def receive() -> Any:
        return messages.pop(0)

    async def refusal(_scope: Any) -> Refused | None:
        return Refused("too_many_requests", "Too many files.", 7) if refused else None

    length = [] if announced is None else [(b"content-length", str(announced).encode())]
    scope: Any = {"method": "POST", "path": path, "headers": length, "client": (f"192.0.2.{address}", 1)}
    return await read_body(scope, receive, refusal)


@pytest.mark.parametrize("path", ["/watch/", "/api/v1/watch/", "/api/v1/watch"])
def test_anybody_may_send_one(path: str) -> None:
    for size in (0, SMALL_BODY_BYTES + 1, MOST):
        with read(size, path) as body:
            assert len(body.read()) == 0
            assert body.seek(0, 2) == size


@pytest.mark.parametrize("announced", [None, 10, MOST + 1, 10**12])
def test_a_larger_one_is_refused_whatever_length_it_states(announced: int | None) -> None:
    with pytest.raises(Refused) as refused:
        read(MOST + 1, announced=announced)
    assert (refused.value.http_status, refused.value.code) == (413, "body_too_large")


def test_who_has_sent_enough_is_refused_before_the_file_is_read() -> None:
    with pytest.raises(Refused) as refused:
        read(1000, refused=True)
    assert (refused.value.http_status, refused.value.retry_seconds) == (429, 7)


def test_who_should_come_later_waits_for_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A client that sends again at once is refused once a second, and not hundreds of times."""
    monkeypatch.setattr(bodies, "LATER_SECONDS", 1000.0)

    async def is_answered(size: int, *, refused: bool) -> bool:
        task = asyncio.create_task(reading(size, refused=refused))
        for _ in range(100):
            await asyncio.sleep(0)
        if task.done():
            assert isinstance(task.exception(), Refused)
        return task.done() or not task.cancel()

    assert not async_to_sync(is_answered)(1000, refused=True)
    assert async_to_sync(is_answered)(MOST + 1, refused=False), "what is too large is so at any time"


def test_one_address_leaves_places_for_others() -> None:
    held = [read(1000) for _ in range(MOST_WATCHED_OF_ADDRESS)]
    with pytest.raises(Refused) as refused:
        read(1000)
    assert (refused.value.http_status, refused.value.code, refused.value.retry_seconds) == (429, "too_many_requests", 2)
    read(1000, address=1).close()
    held.pop().close()
    read(1000).close()
    for body in held:
        body.close()


def test_others_stay_small() -> None:
    with pytest.raises(Refused):
        read(SMALL_BODY_BYTES + 1, "/watch")


def test_a_few_are_in_memory_at_a_time() -> None:
    held = [read(1000, address=number) for number in range(MOST_WATCHED)]
    with pytest.raises(Refused) as refused:
        read(1000)
    assert (refused.value.http_status, refused.value.retry_seconds) == (503, 2)
    held.pop().close()
    held.append(read(1000))
    for _ in range(20):  # of connections that ended, or were refused, nothing stays
        with pytest.raises(Refused):
            read(1000)
    for body in held:
        body.close()
    for _ in range(2 * MOST_WATCHED):
        with pytest.raises(ClientGone):
            read(1000, ends=False)
        with pytest.raises(Refused, match="larger"):
            read(MOST + 1)
    read(1000).close()
