"""The slow twin of ``analysis.fair``, written from the description of fair-1; shares no code with it."""

from __future__ import annotations

import hashlib
import hmac


def naive_mines(
    secret: bytes,
    nonce: bytes,
    shape: tuple[int, int, int],
    rules: str,
    first: tuple[int, int],
    attempt: int = 0,
) -> set[tuple[int, int]]:
    """The cells with mines; ``shape``: rows, columns, mines; ``rules``: xp, win7 or no-guess."""
    rows, columns, mines = shape
    reach = 0 if rules == "xp" else 1
    free = [
        (row, column)
        for row in range(rows)
        for column in range(columns)
        if abs(row - first[0]) > reach or abs(column - first[1]) > reach
    ]
    text = " ".join(str(part) for part in (rows, columns, mines, rules, *first, attempt))
    message = b"sweepbook fair-1" + b"\x00" + text.encode("ascii") + b"\x00" + nonce
    stream: list[int] = []
    counter = used = 0
    chosen = set()
    for _ in range(mines):
        number = None
        while number is None:
            if used == len(stream):
                digest = hmac.new(
                    secret, message + bytes((0, 0, counter // 256, counter % 256)), hashlib.sha256
                ).digest()
                stream += [int.from_bytes(digest[at : at + 4], "big") for at in range(0, 32, 4)]
                counter += 1
            word = stream[used]
            used += 1
            if word < (2**32 // len(free)) * len(free):
                number = word % len(free)
        # The cells behind the swap are those not drawn yet, the first of them in the place of the drawn one.
        chosen.add(free[number])
        free[number] = free[0]
        del free[0]
    return chosen
