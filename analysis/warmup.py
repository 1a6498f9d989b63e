"""Compiling kernels before they are needed: ``python -m analysis.warmup [GROUP …]``.

A *group* of kernels is what one kind of work needs.  That work is done on small games and positions, so that numba
compiles its kernels, or loads them from the cache (``analysis.kernel_cache``).  A file beside the compiled
kernels then says that the group is ready, until its source changes; :func:`is_ready` looks for that file, which a web
process can do at the beginning of a request.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:  # the web process asks only whether groups are ready
    import numpy as np
    from numpy.typing import NDArray

    from analysis.recording import Recording

_ROOT: Final = Path(__file__).resolve().parent.parent
_CORNER_PX: Final = 8


@dataclass(frozen=True, slots=True)
class Group:
    """A group of kernels: ``source`` is the file of the work that needs them, ``work()`` a small piece of that work."""

    source: str
    work: Callable[[], None]


def compile_group(name: str) -> None:
    """Compile the kernels of a group, or load them into this process."""
    GROUPS[name].work()
    with contextlib.suppress(OSError):  # a folder that nobody can write to: is_ready does not look there either
        marker = _marker(name)
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch()


def is_ready(name: str) -> bool:
    """Return whether a group's kernels are compiled, so work begins at once; True if the folder is not writable."""
    folder = next(path for path in (_folder(), *_folder().parents) if path.exists())  # it may have to be made yet
    return _marker(name).exists() or not os.access(folder, os.W_OK)


def compile_missing(names: Iterable[str], *, wait: bool = False) -> None:
    """Compile those of the groups ``names`` that are not ready.

    While another process compiles, perhaps other groups: ``wait`` until it is done, else return at once.
    """
    folder = _folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "warmup.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        for name in names:
            if not is_ready(name):
                compile_group(name)


def _folder() -> Path:
    return Path(os.environ.get("NUMBA_CACHE_DIR") or _ROOT / "analysis" / "kernels" / "__pycache__")


def _marker(name: str) -> Path:
    return _folder() / f"ready-{name}-{_stamp(name)}"


@cache
def _stamp(name: str) -> str:
    """Changes with the sources of the group, and with what compiles them."""
    import numba

    from analysis.kernel_cache import source_stamp

    parts = [source_stamp(_ROOT / GROUPS[name].source, _ROOT), numba.__version__, sys.version]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


# --- a bit of each kind of work; imports stand here, so that asking whether a group is ready loads none of it ----------


def _recording(mines: NDArray[np.uint8], clicked: Sequence[tuple[int, int]]) -> Recording:
    """A game on the board ``mines`` with a left click on each of the cells ``clicked``, (row, column)."""
    from analysis.formats import rawvf
    from analysis.recording import Board, Kind, Recording, events_from

    events = events_from(
        [
            (100 * number, 16 * column + _CORNER_PX, 16 * row + _CORNER_PX, kind)
            for number, (row, column) in enumerate(clicked)
            for kind in (Kind.MOVE, Kind.LEFT_PRESS, Kind.LEFT_RELEASE)
        ]
    )
    return Recording(format=rawvf.NAME, format_variant="", board=Board(mines), events=events)


def _analysis() -> None:
    """Write, read, analyse and test a game of one click on a board with its mines in the last row but one corner.

    Of the other formats with kernels of their own, no events are read.
    """
    import numpy as np

    from analysis import formats
    from analysis.analyse import analyse
    from analysis.evidence import evidence_of
    from analysis.formats import rawvf
    from analysis.formats.evf import events as evf
    from analysis.formats.rmv import events as rmv

    mines = np.zeros((8, 8), np.uint8)
    mines[7, :7] = 1
    evidence_of(analyse(formats.read(rawvf.write(_recording(mines, [(0, 0)])))))
    end, fields = np.frombuffer(b"\0", np.uint8), np.empty((1, 4), np.int32)  # of the types that the readers have
    evf.scan(end, 0, np.zeros(2, np.int64), fields)
    rmv.scan(end, 1, fields)


def _film() -> None:
    import numpy as np

    from analysis.analyse import analyse
    from analysis.film import encode, encode_odds, film_of, odds_of
    from analysis.zini import route

    mines = np.zeros((4, 4), np.uint8)
    mines[1, 1] = 1
    film = film_of(analyse(_recording(mines, [(0, 0)])))
    encode(film)
    encode_odds(odds_of(film))
    route(film.board)


def _bots() -> None:
    from analysis.bots import demo_games

    list(demo_games(1, 3, until=datetime(2024, 1, 1, tzinfo=UTC)))


def _luck() -> None:
    import numpy as np

    from analysis.luck import luck_of

    mines = np.zeros((4, 4), np.uint8)
    mines[1, 1] = mines[3, 3] = 1
    luck_of(_recording(mines, [(0, 0), (0, 1), (1, 0)]))


def _tools() -> None:
    """Probabilities, reasons and advice of one small position, and a game move by move."""
    from analysis.deduction import deduce
    from analysis.probability import Position
    from analysis.solver import Options, Rules, Solver, Strength, generate
    from analysis.solver.course import course_of

    position = Position.of_rows(["1.", ".."], mines=1)
    deduce(position)
    Solver().choose(position)
    course_of(Options(Strength.RANDOM), generate((4, 4, 1), Rules.XP, 0), Rules.XP)


def _live() -> None:
    import numpy as np

    from analysis.live import LiveGame
    from analysis.recording import Board, Kind

    mines = np.zeros((4, 4), np.uint8)
    mines[3, 3] = 1
    game = LiveGame(4, 4, 16)
    game.feed([(0, _CORNER_PX, _CORNER_PX, Kind.LEFT_PRESS), (1, _CORNER_PX, _CORNER_PX, Kind.LEFT_RELEASE)])
    game.lay(Board(mines))
    game.findings()


def _fair() -> None:
    """A board for a live game, and whether it needs a guess."""
    from analysis import fair
    from analysis.solver.boards import needs_no_guess

    board = fair.board(bytes(fair.SECRET_BYTES), bytes(fair.NONCE_BYTES), 8, 8, 10, fair.Rules.NO_GUESS, 0)
    needs_no_guess(board.mines.copy(), (0, 0))


def _matches() -> None:
    from analysis.recording import Level
    from analysis.solver import Solver
    from analysis.solver.boards import Rules, generate

    Solver().play(generate(Level.BEGINNER, Rules.NO_GUESS, seed=1), rules=Rules.NO_GUESS)


def _rooms() -> None:
    """A board is laid, and its moves are decided, one by one and at once."""
    import numpy as np

    from analysis.multiplayer.laying import Laying, lay
    from analysis.multiplayer.server_game import MOVE, ServerGame

    game = ServerGame(lay(Laying(rows=8, columns=8)))
    game.open(0, 1)
    game.replay(np.array([(1, 1, 0)], MOVE))


#: In the order in which a new site needs them.
GROUPS: Final[dict[str, Group]] = {
    "analysis": Group("analysis/evidence/__init__.py", _analysis),
    "live": Group("analysis/live/__init__.py", _live),
    "fair": Group("analysis/fair.py", _fair),
    "bots": Group("analysis/bots/demo.py", _bots),
    "film": Group("analysis/film/__init__.py", _film),
    "luck": Group("analysis/luck/measure.py", _luck),
    "tools": Group("analysis/solver/course.py", _tools),
    "rooms": Group("analysis/multiplayer/server_game.py", _rooms),
    "matches": Group("analysis/solver/__init__.py", _matches),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile the kernels that have not been compiled yet.")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help=f"of {', '.join(GROUPS)}; default: all of them")
    parser.add_argument("--low-priority", action="store_true", help="let other work of the machine go first")
    arguments = parser.parse_args()
    if arguments.low_priority:
        os.nice(10)
    compile_missing(arguments.groups or GROUPS, wait=True)


if __name__ == "__main__":
    main()
