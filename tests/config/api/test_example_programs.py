"""The programs in ``docs/examples`` against the real server, each as a process of its own, as a stranger runs it."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from analysis.limits import MAX_REPLAY_BYTES
from players.db.own_connection import disconnected
from players.models import Player, RecordEvent, User
from players.tokens.scopes import Scope
from players.tokens.services import token_create
from replays.browse.changes import events
from replays.models import Like, Replay
from replays.upload.processing.stale import replays_mark
from tests.bench.fuzz.seeds import seeds_of, tiny_game
from tests.e2e.site import Site, running_site
from tests.factories import EPOCH, rank_replays, stored_replay, unrank_replays
from tests.replays.games import game_file
from tests.services import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"


_STARTED: list[subprocess.Popen[str]] = []
_READERS: list[threading.Thread] = []


@pytest.fixture(autouse=True)
def _ended() -> Iterator[None]:
    """End what a test that failed has left."""
    yield
    _end_all()


def _end_all() -> None:
    for process in _STARTED:
        process.kill()
        process.wait()
    for thread in _READERS:
        thread.join(30)
    for process in _STARTED:
        if process.stdout is not None:
            process.stdout.close()
    _READERS.clear()
    _STARTED.clear()


@pytest.fixture
def site(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    monkeypatch.setattr(events, "LOOK_SECONDS", 0.05)
    with running_site() as running:
        yield running
        _end_all()
        wait_until(lambda: not events.HUB.listeners, what="the listeners to be forgotten")
    events._READS.submit(int).result(timeout=60)  # the last read has closed its connection


def start(name: str, *arguments: object, **environment: str) -> subprocess.Popen[str]:
    command = [sys.executable, str(EXAMPLES / name), *map(str, arguments)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
    _STARTED.append(process)
    return process


def run(name: str, *arguments: object, **environment: str) -> str:
    process = start(name, *arguments, **environment)
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    return output


def content(path: Path) -> dict[str, list[Any]]:
    with sqlite3.connect(path) as database:
        return {
            table: database.execute(f"SELECT id, row FROM {table} ORDER BY id").fetchall()  # noqa: S608 - our own names
            for table in ("replays", "players", "records")
        }


_KINDS = ("rank", "change", "recompute", "at once", "delete", "hide", "like", "rename", "merge", "roll back", "clock")


def change(source: random.Random, owner: User) -> None:
    """One change of a site, by whatever way: rows come, change, go, are computed anew, hidden, liked, ranked, merged."""
    pks = list(Replay.objects.values_list("pk", flat=True))
    players = list(Player.objects.filter(merged_into=None, user=None))
    kind = source.choice(["add", "add", *_KINDS])
    if kind == "add" or len(pks) < 3:
        stored_replay(source.choice(players), time_ms=source.randint(1, 99) * 1000)
    elif kind == "rank":
        rank_replays([stored_replay(source.choice(players), time_ms=source.randint(1, 99) * 1000)])
    elif kind == "change":
        Replay.objects.filter(pk__in=source.sample(pks, 2)).update(software=f"clone {source.random()}")
    elif kind == "recompute":
        rows = source.sample(list(Replay.objects.filter(status="done").values_list("pk", flat=True)), 2)
        Replay.objects.filter(pk__in=rows).update(ioe=0.5)  # as an older formula had it
        replays_mark(luck=False)
    elif kind == "at once":
        write_at_once(source.choice(players), source.random())
    elif kind == "delete":
        ranked = list(RecordEvent.objects.values_list("replay", flat=True))
        replay = Replay.objects.get(pk=source.choice(pks))
        if replay.pk in ranked:
            unrank_replays([replay])
        replay.delete()
    elif kind == "hide":
        free = set(pks) - set(RecordEvent.objects.values_list("replay", flat=True))
        Replay.objects.filter(pk__in=sorted(free)[:1]).update(status=source.choice(["rejected", "done"]))
    elif kind == "like":
        Like.objects.get_or_create(replay_id=source.choice(pks), user=owner, defaults={"created_at": EPOCH})
    elif kind == "clock":
        Replay.objects.filter(pk__in=source.sample(pks, 2)).update(time_precision_ms=source.choice([1, 10, None]))
    elif kind == "rename":
        Player.objects.filter(pk=source.choice(players).pk).update(name=f"name {source.random()}")
    elif kind == "merge" and len(players) > 3:
        Player.objects.filter(pk=players[-1].pk).update(merged_into=players[0])
        Player.objects.create(name=f"new {source.random()}")
    else:
        with transaction.atomic():
            stored_replay(source.choice(players))
            transaction.set_rollback(True)


def write_at_once(player: Player, seed: float) -> None:
    """Several writers whose transactions overlap, and end in another order than they began."""
    begun = threading.Barrier(3)

    def write(number: int) -> None:
        source = random.Random(seed + number)
        with transaction.atomic():
            old = stored_replay(player, ranked=False)
            begun.wait(30)
            time.sleep(source.random() / 100)
            stored_replay(player, ranked=False)
            if source.random() < 0.5:
                old.delete()

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda number: disconnected(write, number), range(3)))


def follows(site: Site, owner: User, folder: Path, changes: int, between: int) -> None:
    source = random.Random(changes)
    for name in ("Ann", "Bo", "Cy", "Di"):
        Player.objects.create(name=name)
    for _ in range(20):
        change(source, owner)
    run("mirror.py", site.url, folder / "copy", "--once")
    for number in range(changes):
        change(source, owner)
        if number % between == 0:
            stopped = start("mirror.py", site.url, folder / "copy")
            wait_until(lambda: (folder / "copy").exists(), what="the copy")
            for _ in range(between // 2):
                change(source, owner)  # while it reads
            stopped.send_signal(signal.SIGKILL)
            stopped.communicate()
    for player in Player.objects.filter(merged_into=None, user=None):
        rank_replays([stored_replay(player, time_ms=500)])  # nothing else of the player changes after it
    run("mirror.py", site.url, folder / "copy", "--once")
    run("mirror.py", site.url, folder / "fresh", "--once")
    copy, fresh = content(folder / "copy"), content(folder / "fresh")
    assert copy == fresh
    assert all(fresh.values())
    whole = [json.loads(text) for _, text in fresh["players"]]
    assert any(row["times"] for row in whole), "players without bests prove nothing"


def test_a_mirror_follows_and_equals_a_fresh_one(site: Site, owner: User, tmp_path: Path) -> None:
    follows(site, owner, tmp_path, changes=40, between=20)


@pytest.mark.long(beside="tests/config/api/test_example_programs.py::test_a_mirror_follows_and_equals_a_fresh_one")
def test_a_mirror_follows_for_long(site: Site, owner: User, tmp_path: Path) -> None:
    follows(site, owner, tmp_path, changes=int(os.environ.get("MIRROR_CHANGES", "800")), between=100)


def test_a_mirror_of_a_restored_site_begins_anew(site: Site, owner: User, tmp_path: Path) -> None:
    from players.db.changes import begin_anew

    stored_replay(Player.objects.create(name="Ann"))
    run("mirror.py", site.url, tmp_path / "copy", "--once")
    before = content(tmp_path / "copy")
    begin_anew()
    Replay.objects.all().delete()
    run("mirror.py", site.url, tmp_path / "copy", "--once")
    assert before["replays"]
    assert not content(tmp_path / "copy")["replays"]


@pytest.mark.long(beside="tests/config/api/test_example_programs.py::test_a_mirror_follows_and_equals_a_fresh_one")
def test_a_bot_that_is_killed_tells_every_record(site: Site, client: Client, tmp_path: Path) -> None:
    player, state, told = Player.objects.create(name="Ann"), tmp_path / "place", list[str]()
    for number in range(3):
        bot = listening_bot(site, state, told)
        wait_until(state.exists, what="the bot to listen")
        rank_replays([stored_replay(player, time_ms=50_000 - 1_000 * number)])
        newest = f"expert time all {50 - number}.00 Ann"
        wait_until(lambda newest=newest: newest in told, seconds=60, what=newest)  # type: ignore[misc]  # a bound name
        bot.send_signal(signal.SIGKILL)
        bot.wait()
        rank_replays([stored_replay(player, time_ms=49_500 - 1_000 * number)])  # while it is dead
    listening_bot(site, state, told)
    expected = set(record_lines(client))
    assert len(expected) > 100
    wait_until(lambda: expected <= set(told), what="every record")
    assert set(told) == expected


def listening_bot(site: Site, state: Path, told: list[str]) -> subprocess.Popen[str]:
    bot = start("record_bot.py", site.url, state)
    assert bot.stdout is not None
    reader = threading.Thread(target=told.extend, args=[(line.strip() for line in bot.stdout if line.endswith("\n"))])
    reader.start()
    _READERS.append(reader)
    return bot


def record_lines(client: Client) -> Iterator[str]:
    """Yield what the bot prints of each site record, as the list of records has it."""
    for style in ("all", "NF", "FL"):
        cursor = ""
        while cursor is not None:
            page = client.get("/api/v1/records/", {"style": style, "size": "200", "cursor": cursor}).json()
            for row in page["rows"]:
                yield f"{row['level']} {row['statistic']} {row['style']} {row['text']} {row['player']['name']}"
            cursor = page["next_cursor"]


@pytest.mark.long(beside="tests/config/api/test_example_programs.py::test_a_mirror_follows_and_equals_a_fresh_one")
def test_a_folder_that_was_just_copied_is_uploaded(site: Site, owner: User, tmp_path: Path) -> None:
    token = token_create(owner, "folder", [Scope.UPLOAD])[1]
    folder = tmp_path / "replays"
    folder.mkdir()
    assert "has no replay files" in run("upload_folder.py", site.url, folder, "--once", SWEEPBOOK_TOKEN=token)
    for number, changed in enumerate((time.time(), time.time() + 10**6)):
        path = folder / f"{number}.rawvf"
        path.write_bytes(game_file(number + 1))
        os.utime(path, (changed, changed))
    said = run("upload_folder.py", site.url, folder, "--once", SWEEPBOOK_TOKEN=token)
    assert said.count(" stored ") == 2
    assert "1 files have just changed" in said


def test_a_folder_is_uploaded_once(site: Site, owner: User, tmp_path: Path) -> None:
    token = token_create(owner, "folder", [Scope.UPLOAD])[1]
    folder = tmp_path / "replays"
    (folder / "old").mkdir(parents=True)
    (folder / "one.avf").write_bytes(game_file())
    (folder / "old" / 'bad "name".avf').write_bytes(b"no replay")
    two_replays = next(seed.data for seed in seeds_of(tiny_game(), "tiny") if seed.format == "evfs")
    (folder / "set.evfs").write_bytes(two_replays)
    (folder / "empty.avf").touch()
    (folder / "large.avf").write_bytes(bytes(MAX_REPLAY_BYTES + 1))
    (folder / "notes.txt").touch()
    for path in folder.rglob("*.*"):
        os.utime(path, (1e9, 1e9))
    said = run("upload_folder.py", site.url, folder, "--once", SWEEPBOOK_TOKEN=token)
    assert said.count("\n") == 6
    assert said.count(" stored ") == 4
    assert "empty.avf is passed over: empty" in said
    assert "large.avf is passed over: larger than 5 MiB" in said
    assert Replay.objects.get(original_name="one.avf").uploader == owner
    said = run("upload_folder.py", site.url, folder, "--once", SWEEPBOOK_TOKEN=token)
    assert "one.avf is there already" in said
    assert Replay.objects.filter(original_name="one.avf").count() == 1
