"""Groups of kernels: when they are ready; only one process compiles them."""

from __future__ import annotations

import fcntl
import subprocess
import sys
import threading
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from numba import typeof

from analysis import formats, warmup
from analysis.formats.evf import events as evf_events
from analysis.formats.rmv import events as rmv_events
from analysis.warmup import GROUPS, Group, compile_group, compile_missing
from tests.conftest import REAL_IS_READY
from tests.encoders import native
from tests.replays.games import recording

ROOT = Path(__file__).resolve().parents[2]
is_ready = REAL_IS_READY


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """The compiled groups in their order; there are two, whose work only appends to this list."""
    calls: list[str] = []
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(warmup, "is_ready", is_ready)
    groups = {name: Group("analysis/limits.py", partial(calls.append, name)) for name in ("one", "other")}
    monkeypatch.setattr(warmup, "GROUPS", groups)
    warmup._stamp.cache_clear()
    return calls


def test_a_group_is_ready_when_it_was_compiled(done: list[str]) -> None:
    assert not is_ready("one")
    compile_group("one")
    assert is_ready("one")
    assert not is_ready("other")
    compile_missing(["one", "other"])
    assert done == ["one", "other"]


def test_a_change_of_its_source_makes_a_group_wait_again(done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    compile_group("one")
    monkeypatch.setattr("analysis.kernel_cache.source_stamp", lambda _path, _root: "another")
    warmup._stamp.cache_clear()
    assert not is_ready("one")


def test_one_process_compiles(done: list[str], tmp_path: Path) -> None:
    with (tmp_path / "warmup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        compile_missing(["one"])
    assert done == []
    compile_missing(["one"])
    assert done == ["one"]


def test_a_process_of_its_own_waits_for_one_that_compiles_others(done: list[str], tmp_path: Path) -> None:
    """Else a new site, whose bots compile first, would have no films until somebody asked for one."""
    waiting = threading.Thread(target=compile_missing, args=[["one"]], kwargs={"wait": True})
    with (tmp_path / "warmup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        waiting.start()
        waiting.join(0.2)
        assert done == []
    waiting.join(30)
    assert done == ["one"]


def test_where_nothing_can_be_stored_nobody_waits(done: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda _path, _mode: False)
    assert is_ready("one")


@pytest.mark.long(beside="tests/analysis/test_warmup.py::test_a_group_is_ready_when_it_was_compiled")
@pytest.mark.parametrize("name", GROUPS)
def test_groups_begin_in_files_that_exist_and_have_kernels(name: str) -> None:
    assert (ROOT / GROUPS[name].source).is_file()
    code = (
        f"import sys; from analysis import warmup; warmup.is_ready({name!r}); "
        "print(any(name.startswith('analysis.kernels') for name in sys.modules))"
    )
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert shown.strip() == "False", "asking whether a group is ready loads none of it"


def test_nothing_is_compiled_after_a_group_was(tmp_path: Path) -> None:
    """A real game needs no kernel that the work of the group has not compiled."""
    code = (
        "from analysis.warmup import GROUPS\n"
        "GROUPS['analysis'].work()\n"
        "from analysis.formats import read, rawvf\n"
        "from analysis.analyse import analyse_many\n"
        "from analysis.bots import demo_games\n"
        "from datetime import UTC, datetime\n"
        "from numba.core import event\n"
        "games = [rawvf.write(game) for game in demo_games(5, 4, until=datetime(2024, 1, 1, tzinfo=UTC))]\n"
        "with event.install_recorder('numba:compile') as recorder:\n"
        "    analyse_many([read(game) for game in games])\n"
        "print(len([one for _, one in recorder.buffer if one.is_start]))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert shown.strip() == "0"


def test_nothing_is_compiled_in_a_room_after_its_group_was() -> None:
    """Laying, showing steps, every kind of move, a log and a snapshot."""
    code = (
        "from analysis.warmup import GROUPS\n"
        "GROUPS['rooms'].work()\n"
        "import numpy as np\n"
        "from analysis.multiplayer.server_game import MOVE, MoveKind, Rules, ServerGame\n"
        "from analysis.multiplayer.laying import Laying, lay, steps\n"
        "from numba.core import event\n"
        "with event.install_recorder('numba:compile') as recorder:\n"
        "    mines = lay(Laying())\n"
        "    steps(Laying(), 5, 5)\n"
        "    mines.setflags(write=False)\n"
        "    game = ServerGame(mines, Rules(flags=True, chords=True))\n"
        "    for kind in MoveKind:\n"
        "        game.move(np.int32(6), np.uint16(300), kind)\n"
        "    game = ServerGame.restore(mines, game.state())\n"
        "    game.replay(np.array([(9, 1, 0), (-1, 2, 0)], MOVE))\n"
        "print(len([one for _, one in recorder.buffer if one.is_start]))\n"
    )
    shown = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    assert shown.strip() == "0"


@pytest.mark.parametrize(("module", "variant"), [(evf_events, "v4"), (rmv_events, "2")])
def test_readers_are_compiled_for_what_they_are_called_with(
    monkeypatch: pytest.MonkeyPatch, module: Any, variant: str
) -> None:
    """Otherwise the first file of the format would be compiled for while its reader has a second of processor time."""
    types: list[object] = []
    scan = module.scan

    def noted(*arguments: object) -> object:
        types.append(tuple(map(typeof, arguments)))
        return scan(*arguments)

    monkeypatch.setattr(module, "scan", noted)
    warmup._analysis()
    formats.read(native.write(replace(recording(), format=module.__name__.split(".")[2], format_variant=variant)))
    assert len(types) == 2
    assert types[0] == types[1]
