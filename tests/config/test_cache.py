"""The cache and the queue run no code of others: whatever stands in the cache is a plain value or a miss."""

from __future__ import annotations

import datetime
import io
import os
import pickle
from pathlib import Path
from typing import Any

import msgpack
import numpy as np
import pytest
import redis
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from kombu.exceptions import ContentDisallowed
from kombu.serialization import loads

from config import redis_urls
from config.cache import MsgpackSerializer
from config.celery import app
from tests.services import Broker


class _Evil:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (f"touch {self.path}",)


def _object_array(code: Path) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.array([_Evil(code)], dtype=object), allow_pickle=True)
    return stream.getvalue()


def _planted(path: Path) -> dict[str, bytes]:
    pack, ext = msgpack.packb, msgpack.ExtType
    return {
        **{f"pickle {protocol}": pickle.dumps(_Evil(path), protocol) for protocol in range(6)},
        "numpy file": _object_array(path),
        "array of objects": pack(ext(1, pack(["|O", [1], b"\0" * 8]))),
        "array of a record": pack(ext(1, pack([[["a", "|O"]], [1], b"\0" * 8]))),
        "array too short": pack(ext(1, pack(["<i8", [10], b"\0" * 8]))),
        "array of many": pack(ext(1, pack(["<i8", [2**40, 2**40], b"\0" * 8]))),
        "array of no type": pack(ext(1, pack(["no type", [1], b"\0"]))),
        "array of a number": pack(ext(1, b"\5")),
        "another type": pack(ext(7, b"")),
        "list as key": b"\x81\x90\x01",
        "deep": b"\x91" * 100_000,
        "cut off": pack([1, 2, 3])[:-1],
        "not UTF-8": b"\xa1\xff",
        "an hour of no calendar": b"\xc7\x0c\xff" + b"\xff" * 12,
    }


@pytest.fixture
def server(broker: Broker) -> Any:
    with redis.Redis.from_url(redis_urls.client_url(settings.CACHE_URL)) as client:
        yield client


@pytest.mark.django_db
def test_what_is_planted_in_the_cache_is_a_miss_and_runs_nothing(server: Any, tmp_path: Path) -> None:
    cache.set("tally", [1])  # nothing is wrong with the name
    assert cache.get("tally") == [1]
    executed = tmp_path / "executed"
    for name, data in _planted(executed).items():
        server.set(cache.make_key("tally"), data)
        assert cache.get("tally", "miss") == "miss", name
    assert not executed.exists()


@pytest.mark.django_db
def test_a_page_does_without_what_is_planted(server: Any, client: Client, tmp_path: Path) -> None:
    page = "/leaderboards/improvements/expert/"
    assert client.get(page).status_code == 200
    keys = [key for key in server.scan_iter() if b"LIMITS" not in key]
    assert keys, "the page caches nothing"
    for data in _planted(tmp_path / "executed").values():
        for key in keys:
            server.set(key, data)
        assert client.get(page).status_code == 200
    assert not (tmp_path / "executed").exists()


_NUMBERS = st.one_of(st.booleans(), st.integers(-(2**63), 2**64 - 1), st.floats(allow_nan=False), st.text(), st.none())


@given(st.recursive(_NUMBERS, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_values_come_back(value: Any) -> None:
    assert MsgpackSerializer().loads(_bytes(MsgpackSerializer().dumps(value))) == value


@pytest.mark.parametrize("dtype", ["?", "<i4", ">u2", "<f8"])
def test_arrays_come_back_with_type_and_shape(dtype: str) -> None:
    array = np.arange(12).astype(dtype).reshape(3, 4)[:, ::2]
    found = MsgpackSerializer().loads(_bytes(MsgpackSerializer().dumps(array)))
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert np.array_equal(found, array)


@pytest.mark.parametrize("value", [np.array([object()]), datetime.timedelta(1), Path()], ids=type)
def test_other_values_are_not_cached(value: object) -> None:
    with pytest.raises(TypeError):
        MsgpackSerializer().dumps(value)


def test_a_worker_takes_json_alone(tmp_path: Path) -> None:
    executed = tmp_path / "executed"
    message = pickle.dumps(_Evil(executed))
    assert list(app.conf.accept_content) == ["json"]
    with pytest.raises(ContentDisallowed):
        loads(message, "application/x-python-serialize", "binary", accept=set(app.conf.accept_content))  # type: ignore[no-untyped-call]
    assert app.conf.task_serializer == "json"
    assert not executed.exists()


def _bytes(data: bytes | int) -> bytes:
    """Return a value as Redis answers it: numbers as text."""
    return data if isinstance(data, bytes) else str(data).encode()
