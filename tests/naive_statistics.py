"""Statistics by the definitions of the data page, one game at a time in plain Python: the slow twin of the registry.

Board, clicks and ZiNi come from the twins ``naive_board``, ``naive_game`` and ``naive_zini``; nothing of the kernels or of
``analysis.statistics`` is used, its names and formulas are written out again here.
"""

from __future__ import annotations

from functools import cache
from math import isclose, log, sqrt
from typing import Final

from analysis.recording import Board, Recording
from tests import naive_game
from tests.naive_board import naive_board
from tests.naive_zini import column_first, naive_greedy, naive_reference_human, row_first

Number = float | int | None
Numbers = dict[str, Number]

#: K of stnb by rows, columns and mines; first as the data page has it, then as the library has it since 2023.
_K: Final = {
    (8, 8, 10): (47.299, 36.0),
    (16, 16, 40): (153.73, 162.0),
    (16, 30, 99): (435.001, 435.0),
}
_PX: Final = 16


def naive_statistics(recording: Recording) -> Numbers | None:
    """Return every stored statistic but luck, by column; None if no cell is ever opened."""
    game = naive_game.numbers(recording)
    if game is None:
        return None
    won = game.pop("result") == "won"
    played: Numbers = {
        name: value
        for name, value in game.items()
        if isinstance(value, int | float) and name not in ("start_index", "end_index")
    }
    known = {**board_numbers(recording.board), **played}
    return known | derived(recording.board, known, won=won)


@cache
def board_numbers(board: Board) -> Numbers:
    """Return what depends on the mines alone; computed once a board, since ZiNi takes a second here."""
    facts = naive_board(board)
    shown = list(facts.shown.values())
    return {
        "bv": facts.bv,
        "op": len(facts.openings),
        "isl": len(facts.islands),
        **{f"cell{number}": shown.count(number) for number in range(9)},
        "gzini": naive_greedy(board, row_first, openings_first=False),
        "hzini": naive_greedy(board, row_first, openings_first=True),
        "gzini_ref": naive_greedy(board, column_first, openings_first=False),
        "hzini_ref": naive_reference_human(board, column_first),
    }


def over(one: Number, other: Number) -> float | None:
    """Return the quotient, None if either is not defined or the divisor is 0."""
    return None if one is None or other is None or other == 0 else one / other


def derived(board: Board, known: Numbers, *, won: bool) -> Numbers:
    """Return what the data page computes from other numbers; solved 3BV counts, so that lost games compare."""
    bv, b, op, path = (float(known[name] or 0) for name in ("bv", "bvdone", "op", "path"))
    t = float(known["time_ms"] or 0) / 1000
    lefts, rights, doubles = (int(known[name] or 0) for name in ("lcl", "rcl", "dcl"))
    cl, ce = lefts + rights + doubles, sum(int(known[name] or 0) for name in ("lce", "rce", "dce"))
    cells = path / _PX
    bvs = over(b, t)
    rqp = over(t + 1, bvs)
    qg = over(t**1.7, b)
    completion = over(b, bv)
    ces = over(ce, t)
    mov = over(cells, t)
    cpo = over(ce - b, op) if won else None
    found: Numbers = {
        "time": t,
        "cl": cl,
        "ce": ce,
        "ce_strict": sum(int(known[name] or 0) for name in ("lce", "rce_strict", "dce")),
        "bvs": bvs,
        "rqp": rqp,
        "qg": qg,
        "ios": log(b) / log(t) if t > 1 and b > 0 else None,
        "rv": None if rqp is None else sqrt(100 * rqp + 0.25) - 0.5,
        "ces": ces,
        "cls": over(cl, t),
        "corr": over(ce, cl),
        "thrp": over(b, ce),
        "ioe": over(b, cl),
        "cpo": cpo,
        "coo": None if cpo is None else cpo + 1,
        "mov": mov,
        "iome": over(b, cells),
        "sao": None if mov is None or ces is None else mov * ces,
        "completion": completion,
        "estime": over(t, completion),
        **stnb(board, completion, qg),
    }
    for kind in ("g", "h"):
        zini = known[f"{kind}zini"] if won else None
        found |= {f"{kind}zinis": over(zini, t), f"{kind}znt": over(zini, ce), f"{kind}zne": over(zini, cl)}
    return found


def stnb(board: Board, completion: float | None, qg: float | None) -> Numbers:
    shape = (board.rows, board.columns, int(board.mines.sum()))
    if shape not in _K or completion is None:
        return {"stnb": None, "stnb2023": None}
    first, second = (over(sqrt(completion) * k, qg) for k in _K[shape])
    return {"stnb": first, "stnb2023": second}


def is_close(one: Number, other: Number) -> bool:
    """Return whether counts are equal and other numbers agree to 1e-12."""
    if one is None or other is None:
        return one is other
    return one == other if isinstance(other, int) else isclose(one, other, rel_tol=1e-12)


def differences(found: Numbers, expected: Numbers) -> list[tuple[str, Number, Number]]:
    """Return each name with both values where they differ, names that one side lacks among them."""
    names = sorted(found.keys() | expected.keys())
    missing: list[tuple[str, Number, Number]] = [
        (name, found.get(name), expected.get(name)) for name in names if name not in found or name not in expected
    ]
    common = [(name, found[name], expected[name]) for name in names if name in found and name in expected]
    return missing + [row for row in common if not is_close(row[1], row[2])]
