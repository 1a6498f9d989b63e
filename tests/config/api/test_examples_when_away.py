"""The programs in ``docs/examples`` against a site that goes away amid an answer, and one that was updated."""

from __future__ import annotations

import importlib.util
import json
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.error import HTTPError

import pytest

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
#: A page of a list that has no rows.
EMPTY: dict[str, Any] = {"rows": [], "next_cursor": None}


class FakeSite:
    """A server that gives each connection the next of ``answers`` and closes it; ``asked``: the paths."""

    def __init__(self) -> None:
        self.answers: list[bytes] = []
        self.asked: list[str] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.thread = threading.Thread(target=self._serve)
        self.thread.start()

    def _serve(self) -> None:
        while True:
            connection, _ = self.listener.accept()
            with connection, connection.makefile("rb") as request:
                line = request.readline().decode()
                if not line:
                    return
                headers = dict(one.decode().lower().split(": ", 1) for one in iter(request.readline, b"\r\n"))
                request.read(int(headers.get("content-length", 0)))
                self.asked.append(line.split()[1])
                connection.sendall(self.answers.pop(0))

    def close(self) -> None:
        socket.create_connection(self.listener.getsockname()).close()
        self.thread.join(30)
        self.listener.close()


@pytest.fixture
def site() -> Iterator[FakeSite]:
    with closing(FakeSite()) as running:
        yield running


def answer(body: bytes, status: str = "200 OK", missing: int = 0) -> bytes:
    """Return an answer whose body lacks its last ``missing`` bytes."""
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(body) + missing}\r\n\r\n".encode() + body


def json_answer(value: object, status: str = "200 OK") -> bytes:
    return answer(json.dumps(value).encode(), status)


@pytest.fixture
def program(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """Load a program that does not wait."""

    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        monkeypatch.setattr(module, "WAIT_SECONDS", 0.0)
        return module

    return load


def test_a_mirror_asks_again_for_an_answer_that_was_cut(site: FakeSite, program: Callable[[str], ModuleType]) -> None:
    site.answers = [answer(b'{"rows": [', missing=50), b"", json_answer(EMPTY)]
    assert program("mirror").Site(site.url).get("players/") == EMPTY
    assert len(site.asked) == 3


def test_a_mirror_begins_a_list_again_if_the_site_refuses_its_cursor(
    site: FakeSite, program: Callable[[str], ModuleType], tmp_path: Path
) -> None:
    mirror = program("mirror")
    copy = mirror.Copy(tmp_path / "copy")
    with closing(copy.database):
        copy.remember(after="1.2.3.4", list=str(len(mirror.LISTS) - 1), cursor="old")
        site.answers = [json_answer({"code": "bad_cursor"}, "400 Bad Request"), json_answer(EMPTY)]
        mirror.begin(mirror.Site(site.url), copy)
        assert "cursor=old" in site.asked[0]
        assert "cursor=&" in site.asked[1]
        assert copy.state()["list"] == str(len(mirror.LISTS))


def test_a_mirror_tells_of_other_refusals(site: FakeSite, program: Callable[[str], ModuleType]) -> None:
    site.answers = [json_answer({"code": "bad_parameter"}, "400 Bad Request")]
    with pytest.raises(HTTPError) as refused:
        program("mirror").Site(site.url).get("players/")
    refused.value.close()


def test_a_bot_connects_again_when_an_event_is_cut(
    site: FakeSite,
    program: Callable[[str], ModuleType],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    row = {"level": "expert", "statistic": "time", "style": "NF", "text": "40.00", "player": {"name": "Ann"}}
    event = f"id: 7\nevent: record\ndata: {json.dumps(row)}\n\nid: 8\n".encode()
    chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"%x\r\n" % (len(event) + 9) + event
    site.answers = [chunked, answer(b"", "404 Not Found")]
    monkeypatch.setattr(sys, "argv", ["record_bot.py", site.url, str(tmp_path / "place")])
    with pytest.raises(HTTPError) as refused:
        program("record_bot").main()
    refused.value.close()
    assert capsys.readouterr().out == "expert time NF 40.00 Ann\n"
    assert (tmp_path / "place").read_text() == "7"
    assert len(site.asked) == 2


def test_a_folder_is_sent_though_files_vanish_and_answers_are_cut(
    site: FakeSite, program: Callable[[str], ModuleType], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    upload = program("upload_folder")
    there, gone = tmp_path / "there.avf", tmp_path / "gone.avf"
    there.write_bytes(b"a game")
    receipts = {"receipts": [{"name": there.name, "outcome": "stored", "html_url": "/replays/1/", "message": ""}]}
    site.answers = [answer(b'{"kno', missing=9), json_answer({"known": []}), json_answer(receipts)]
    upload.send(upload.Site(site.url, "token"), [(gone, 1, 1), (there, 6, 1)])
    assert capsys.readouterr().out == "there.avf stored /replays/1/\n"
    upload.send(upload.Site(site.url, "token"), [(gone, 1, 1)])
    assert len(site.asked) == 3
