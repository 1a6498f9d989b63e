"""Nothing waits in the thread of a page: no sleep, no lock that another request holds for long (S10 of the attacks).

This walks over the source.  It sees calls by their names: what a package does inside (the pool of database connections,
the client of Redis) it does not see; those have time limits of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
#: Programs and threads that answer no page, and code of the event loop, which waits without a thread.
_NO_PAGES: Final = {
    "/management/": "commands",
    "config/site/": "the supervisor of `make run`",
    "replays/play/referee/": "the process that decides rooms",
    "replays/upload/intake/from_disk/": "the command that imports folders",
}
#: What is left, by file and function.
_ALLOWED: Final = {
    ("replays/play/solo/playing/ending.py", "_until_done", "sleep"): "a thread of its own takes over games",
    ("replays/odds/calculator/calculator_client.py", "stop", "wait"): "of a process that was killed",
}
#: Locks, each held for a few statements in memory.
_SHORT_LOCKS: Final = {
    "config/api/views.py": "the schema, of which its queue lets one be made",
    "config/http/vitals.py": "never waited for",
    "players/leaderboards/filtered/store.py": "the table of boards",
    "players/accounts/mail_backend.py": "never waited for",
    "players/web/counters.py": "the table of counters",
    "replays/odds/calculator/calculator_client.py": "never waited for",
    "replays/play/sockets/tickets.py": "the table of tickets",
    "replays/play/solo/playing/unsaved.py": "the table of games",
    "replays/upload/kernels.py": "never waited for",
}
_WAITING: Final = {"sleep", "acquire", "wait", "result", "join_thread", "getconn"}
_WAITERS: Final = {"Semaphore", "BoundedSemaphore", "Condition", "Barrier", "Event"}


@cache
def _files() -> list[tuple[str, ast.Module]]:
    return list(_parsed())


def _parsed() -> Iterator[tuple[str, ast.Module]]:
    for room in ("config", "players", "replays"):
        for path in sorted((ROOT / room).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if not any(folder in name for folder in _NO_PAGES):
                yield name, ast.parse(path.read_text(encoding="utf-8"))


def _calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """The calls outside of coroutines that are not awaited, each with the name of its function."""

    def walk(node: ast.AST, function: str) -> Iterator[tuple[str, ast.Call]]:
        if isinstance(node, ast.AsyncFunctionDef | ast.Await):
            return
        if isinstance(node, ast.FunctionDef):
            function = node.name
        if isinstance(node, ast.Call):
            yield function, node
        for child in ast.iter_child_nodes(node):
            yield from walk(child, function)

    return walk(tree, "")


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _module(call: ast.Call) -> str:
    return getattr(getattr(call.func, "value", None), "id", "")


def _does_not_wait(call: ast.Call) -> bool:
    return any(
        word.arg == "blocking" and isinstance(word.value, ast.Constant) and not word.value.value
        for word in call.keywords
    )


def waiting_calls() -> set[tuple[str, str, str]]:
    return {
        (name, function, _name(call))
        for name, tree in _files()
        for function, call in _calls(tree)
        if _name(call) in _WAITING and not _does_not_wait(call)
    }


def test_no_page_sleeps_or_waits_for_another() -> None:
    assert waiting_calls() == set(_ALLOWED)


def test_locks_of_threads_are_few_and_none_has_places_to_wait_at() -> None:
    made = {
        (name, _name(call))
        for name, tree in _files()
        for _function, call in _calls(tree)
        if _module(call) == "threading" and _name(call) in _WAITERS | {"Lock", "RLock"}
    }
    assert {name for name, _kind in made} == set(_SHORT_LOCKS)
    assert {kind for name, kind in made if name != "players/accounts/mail_backend.py"} == {"Lock"}
