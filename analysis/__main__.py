"""Print every number of replay files: ``python -m analysis FILE…``.

Folders are searched for the endings of the formats; a set of replays (EVFS) counts as its parts.  A file that cannot be
read is named on standard error, and the exit status is then 1.

    python -m analysis game.avf                          a table
    python -m analysis --format csv replays/ > all.csv   a row a replay, the columns named as in the API
    python -m analysis --format arbiter replays/         the columns of Minesweeper Arbiter's own list
    python -m analysis --format ndjson --luck game.avf   a JSON object a replay, with the numbers of luck
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final, TextIO, TypeAlias

from analysis import formats
from analysis.analyse import Analysis, analyse_many
from analysis.click_machine import Result
from analysis.errors import ReplayError
from analysis.formats import evfs
from analysis.limits import MAX_REPLAY_BYTES
from analysis.luck import luck_of
from analysis.recording import Level, Mode, Recording
from analysis.spreadsheets import without_formulas
from analysis.statistics import ANALYSED, LUCK, ON_REQUEST, Statistic, of_random_zini
from analysis.zini import rzini

Value: TypeAlias = float | int | str | None
Row: TypeAlias = dict[str, Value]
Writer: TypeAlias = Callable[["Iterable[Measured]", tuple[Statistic, ...], TextIO], None]

_ENDINGS: Final = frozenset({".evfs", *(f".{module.NAME}" for module in formats.FORMATS)})
#: Replays whose derived statistics are computed together.
_BATCH: Final = 64
_ARBITER_LEVELS: Final = {Level.BEGINNER: 1, Level.INTERMEDIATE: 2, Level.EXPERT: 3}
_ARBITER_DATES: Final = ("Day", "Month", "Year", "Hour", "Min", "Sec")
#: The columns behind the style, by the statistic that they show.
_ARBITER_COUNTS: Final = {
    **{f"cell{number}": f"cell{number}" for number in range(9)},
    "Lcl": "lcl", "Rcl": "rcl", "Dcl": "dcl", "Leff": "lce", "Reff": "rce", "Deff": "dce",
    "Openings": "op", "Islands": "isl", "Path": "path", "GZiNi": "gzini", "HZiNi": "hzini",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Measured:
    """An analysed replay; ``values``: by the registry's ``name``."""

    file: str
    analysis: Analysis
    values: dict[str, Value]

    def facts(self) -> Row:
        """Columns that are no statistics."""
        recording, game = self.analysis.recording, self.analysis.game
        board, played_at = recording.board, recording.played_at
        return {
            "file": self.file,
            "format": recording.format,
            "software": recording.software,
            "player": recording.player,
            "played_at": played_at.isoformat() if played_at else None,
            "level": board.level.value,
            "rows": board.rows,
            "columns": board.columns,
            "mines": board.mine_count,
            "mode": recording.mode.value,
            "style": self.analysis.style.value,
            "result": game.result.value,
            "game_hash": self.analysis.game_hash,
            "findings": " ".join(finding.code for finding in self.analysis.findings),
        }


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    failed: list[str] = []

    def complain(file: str, error: Exception) -> None:
        failed.append(file)
        sys.stderr.write(f"{file}: {error}\n")

    rows = ANALYSED + (LUCK if options.luck else ()) + (ON_REQUEST if options.rzini else ())
    recordings = _recordings(_files(options.files, complain), complain)
    games = _games(recordings, complain, luck=options.luck, random_zini=options.rzini)
    _WRITERS[options.format](games, rows, sys.stdout)
    return 1 if failed else 0


def write_table(games: Iterable[Measured], rows: tuple[Statistic, ...], out: TextIO) -> None:
    """Write a block a replay: its facts, then a line a statistic with its label."""
    for game in games:
        for name, value in game.facts().items():
            out.write(f"{name:<18}{_shown(value)}\n")
        for row in rows:
            out.write(f"{row.public:<18}{_shown(game.values[row.name]):<16}{row.label}\n")
        out.write("\n")


def write_csv(games: Iterable[Measured], rows: tuple[Statistic, ...], out: TextIO) -> None:
    """Write a row a replay; a value that is not defined is empty."""
    lines = csv.writer(out, lineterminator="\n")
    for number, game in enumerate(games):
        facts = game.facts()
        if number == 0:
            lines.writerow([*facts, *(row.public for row in rows)])
        lines.writerow([*map(_cell, facts.values()), *(game.values[row.name] for row in rows)])


def write_ndjson(games: Iterable[Measured], rows: tuple[Statistic, ...], out: TextIO) -> None:
    """Write a JSON object a line; ``null`` for what is not defined."""
    for game in games:
        statistics = {row.public: game.values[row.name] for row in rows}
        out.write(json.dumps({**game.facts(), "statistics": statistics}, ensure_ascii=False) + "\n")


def write_arbiter(games: Iterable[Measured], _rows: tuple[Statistic, ...], out: TextIO) -> None:
    """Write Arbiter's columns, which programs for its list read: won games of its three levels and rules; hundredths are cut off."""
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow([*_ARBITER_DATES, "mode", "Time", "BBBV", "BBBVs", "style", *_ARBITER_COUNTS])
    for game in games:
        recording = game.analysis.recording
        level, when = recording.board.level, recording.played_at
        listed = level in _ARBITER_LEVELS and recording.mode is Mode.STANDARD
        if not listed or game.analysis.game.result is not Result.WON:
            continue
        date = (when.day, when.month, when.year, when.hour, when.minute, when.second) if when else ("",) * 6
        time_ms, bvs = game.analysis.game.time_ms, game.values["bvs"]
        lines.writerow(
            [
                *date,
                _ARBITER_LEVELS[level],
                f"{time_ms // 10 / 100:.2f}",
                game.values["bv"],
                "" if bvs is None else f"{bvs:.2f}",
                game.analysis.style.value,
                *(_whole(game.values[name]) for name in _ARBITER_COUNTS.values()),
            ]
        )


_WRITERS: Final[dict[str, Writer]] = {
    "table": write_table, "csv": write_csv, "arbiter": write_arbiter, "ndjson": write_ndjson,
}  # fmt: skip


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m analysis", description="Print every number of replay files.")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="replays or folders of them")
    parser.add_argument("--format", choices=list(_WRITERS), default="table")
    parser.add_argument("--luck", action="store_true", help="the numbers of luck too, which take longer")
    parser.add_argument("--rzini", action="store_true", help="random ZiNi and its rates too")
    return parser


def _files(paths: Iterable[Path], complain: Callable[[str, Exception], None]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the content of every replay, those of folders in the order of their names."""
    for path in paths:
        found = sorted(one for one in path.rglob("*") if one.suffix.lower() in _ENDINGS) if path.is_dir() else [path]
        for file in found:
            try:
                with file.open("rb") as opened:
                    data = opened.read(MAX_REPLAY_BYTES + 1)
                    if evfs.recognises(data):  # only replays have that limit
                        data += opened.read()
                if evfs.recognises(data):
                    yield from ((f"{file}:{cell.name}", cell.data) for cell in evfs.cells(data))
                else:
                    yield str(file), data
            except (OSError, ReplayError) as error:
                complain(str(file), error)


def _recordings(
    files: Iterable[tuple[str, bytes]], complain: Callable[[str, Exception], None]
) -> Iterator[tuple[str, Recording]]:
    for file, data in files:
        try:
            yield file, formats.read(data)
        except ReplayError as error:
            complain(file, error)


def _games(
    recordings: Iterable[tuple[str, Recording]],
    complain: Callable[[str, Exception], None],
    *,
    luck: bool,
    random_zini: bool,
) -> Iterator[Measured]:
    recordings = iter(recordings)
    while batch := list(islice(recordings, _BATCH)):
        outcomes = analyse_many([recording for _, recording in batch])
        for (file, recording), outcome in zip(batch, outcomes, strict=True):
            if isinstance(outcome, ReplayError):
                complain(file, outcome)
                continue
            values: dict[str, Value] = dict(outcome.values)
            if luck:
                values |= luck_of(recording).values
            if random_zini:
                stored = {name: outcome.values[name] for name in ("time", "ce", "cl")} | {
                    "win": outcome.game.result is Result.WON
                }
                values |= of_random_zini(rzini(recording.board), stored)
            yield Measured(file, outcome, values)


def _shown(value: Value) -> str:
    if value is None:
        return "-"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _cell(value: Value) -> Value:
    return without_formulas(value) if isinstance(value, str) else value


def _whole(value: Value) -> Value:
    return round(value) if isinstance(value, float) else value


if __name__ == "__main__":
    sys.exit(main())
