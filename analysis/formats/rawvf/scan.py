"""RawVF, the scanner of the event lines: one pass, compiled, every place checked against the end before it is read.

A fault is a small number; ``analysis.formats.rawvf.events`` makes the error of it.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numba import njit
from numpy.typing import NDArray

from analysis.formats.rawvf.words import BLAST, FIRST_BOARD, FIRST_GAME, FIRST_OTHER, FIRST_SCROLL
from analysis.limits import MAX_LINE_CHARS, MAX_TIME_MS

Bytes: TypeAlias = NDArray[np.uint8]

OK, TIME, WORD, CELL, POINT, HELD, END, LONG, FULL = range(9)

_LARGEST = 1_000_000_000  # numbers stop growing here; far above every limit, far below an overflow
_LOWEST_PX, _HIGHEST_PX = -32768, 32767

_BLANK, _TAB, _LF, _CR = 32, 9, 10, 13
_MINUS, _DOT, _ZERO, _NINE, _OPEN, _CLOSE = 45, 46, 48, 57, 40, 41


@njit(cache=True)
def scan(
    text: Bytes, offset: int, fields: NDArray[np.int32], words: Bytes, lengths: NDArray[np.int64]
) -> tuple[int, int, int, int, int]:
    """Read all lines from ``offset``.

    Parameters
    ----------
    text : uint8, the file
    offset : int, where the first line begins
    fields : int32, shape (capacity, 4), receives time_ms, x_px, y_px and the number of the code
    words, lengths : the table of words

    Returns
    -------
    count : mouse events found
    fault : 0, or what is wrong
    at : where the line with the fault begins
    decimals : the most decimals of a time
    outcome : number of the last word for a win or a loss; -1 without
    """
    count, most_decimals, outcome = 0, 0, -1
    begin, size = offset, text.size
    while begin < size:
        end = begin
        while end < size and text[end] != _LF:
            end += 1
        if end - begin > MAX_LINE_CHARS + 1:
            return count, LONG, begin, most_decimals, outcome
        stop = end
        while stop > begin and (text[stop - 1] == _BLANK or text[stop - 1] == _TAB or text[stop - 1] == _CR):
            stop -= 1
        if skip_blanks(text, begin, stop) < stop:
            fault, word, time_ms, decimals, x, y = scan_line(text, begin, stop, words, lengths)
            if fault != OK:
                return count, fault, begin, most_decimals, outcome
            if word < FIRST_GAME:
                if count == fields.shape[0]:
                    return count, FULL, begin, most_decimals, outcome
                fields[count, 0], fields[count, 1], fields[count, 2], fields[count, 3] = time_ms, x, y, word
                count += 1
                most_decimals = max(most_decimals, decimals)
            elif word < FIRST_OTHER:
                outcome = word
        begin = end + 1
    return count, OK, begin, most_decimals, outcome


@njit(cache=True)
def scan_line(
    text: Bytes, begin: int, stop: int, words: Bytes, lengths: NDArray[np.int64]
) -> tuple[int, int, int, int, int, int]:
    """One line that is not blank: fault, number of its word, time in ms, decimals of the time, x, y."""
    time_ms, decimals = 0, -1
    at = skip_blanks(text, begin, stop)
    if text[at] == _MINUS or is_digit(text[at]):
        time_ms, decimals, at = scan_time(text, at, stop)
        if decimals < 0 or abs(time_ms) > MAX_TIME_MS:
            return TIME, 0, 0, 0, 0, 0
        if at == stop or (text[at] != _BLANK and text[at] != _TAB):
            return TIME, 0, 0, 0, 0, 0
        at = skip_blanks(text, at, stop)
    word, at = scan_word(text, at, stop, words, lengths)
    # A board event has no time, a mouse or scroll event must have one, a game event may.
    timed = decimals >= 0
    if word < 0 or (word >= FIRST_BOARD and timed and word != BLAST):
        return WORD, 0, 0, 0, 0, 0
    if not timed and (word < FIRST_GAME or FIRST_SCROLL <= word < FIRST_BOARD):
        return TIME, 0, 0, 0, 0, 0
    if word < FIRST_GAME:
        fault, x, y = scan_point(text, at, stop)
        return fault, word, time_ms, decimals, x, y
    bare = at == stop
    if word >= FIRST_SCROLL and not (word == BLAST and bare):
        _, found, at = scan_pair(text, at, stop)
        if not found:
            return CELL, 0, 0, 0, 0, 0
    return (OK if at == stop else END), word, time_ms, decimals, 0, 0


@njit(cache=True)
def scan_point(text: Bytes, at: int, stop: int) -> tuple[int, int, int]:
    """Read the part after the code of a mouse event; return fault, x, y."""
    at = skip_blanks(text, at, stop)
    if at < stop and text[at] != _OPEN:
        _, found, at = scan_pair(text, at, stop)
        if not found:
            return CELL, 0, 0
        at = skip_blanks(text, at, stop)
    if at == stop or text[at] != _OPEN:
        return POINT, 0, 0
    (x, y), found, at = scan_pair(text, at + 1, stop)
    at = skip_blanks(text, at, stop)
    if not found or at == stop or text[at] != _CLOSE or not in_range(x) or not in_range(y):
        return POINT, 0, 0
    at = skip_blanks(text, at + 1, stop)
    if at == stop:
        return OK, x, y
    if text[at] != _OPEN:
        return END, 0, 0
    at += 1
    while at < stop and is_button(text[at]):
        at += 1
    if at != stop - 1 or text[at] != _CLOSE:
        return HELD, 0, 0
    return OK, x, y


@njit(cache=True)
def scan_pair(text: Bytes, at: int, stop: int) -> tuple[tuple[int, int], bool, int]:
    """Two whole numbers with blanks between them: the numbers, whether they are there, where they end."""
    first, found, at = scan_number(text, skip_blanks(text, at, stop), stop)
    if not found or at == stop or (text[at] != _BLANK and text[at] != _TAB):
        return (0, 0), False, at
    second, found, at = scan_number(text, skip_blanks(text, at, stop), stop)
    return (first, second), found, at


@njit(cache=True)
def scan_number(text: Bytes, at: int, stop: int) -> tuple[int, bool, int]:
    """A whole number with an optional minus: its value, whether it is there, where it ends."""
    negative = at < stop and text[at] == _MINUS
    if negative:
        at += 1
    begin, value = at, 0
    while at < stop and is_digit(text[at]):
        value = min(value * 10 + int(text[at]) - _ZERO, _LARGEST)
        at += 1
    return (-value if negative else value), at > begin, at


@njit(cache=True)
def scan_time(text: Bytes, at: int, stop: int) -> tuple[int, int, int]:
    """Seconds as whole milliseconds, by the digits: value, decimals (-1: no such time), where they end.

    More than three decimals are read only if the others are 0.
    """
    negative = text[at] == _MINUS
    seconds, found, at = scan_number(text, at, stop)
    if not found:
        return 0, -1, at
    decimals, fraction_ms, weight = 0, 0, 100
    if at < stop and text[at] == _DOT:
        at += 1
        while at < stop and is_digit(text[at]):
            digit = int(text[at]) - _ZERO
            if weight == 0 and digit != 0:
                return 0, -1, at
            fraction_ms += weight * digit
            weight //= 10
            decimals += 1
            at += 1
        if decimals == 0:
            return 0, -1, at
    time_ms = abs(seconds) * 1000 + fraction_ms
    return (-time_ms if negative else time_ms), decimals, at


@njit(cache=True)
def scan_word(text: Bytes, at: int, stop: int, words: Bytes, lengths: NDArray[np.int64]) -> tuple[int, int]:
    """A word of the table: its number (-1: none of them), where it ends."""
    end = at
    while end < stop and is_word_sign(text[end]):
        end += 1
    for word in range(lengths.size):
        if lengths[word] == end - at:
            place = 0
            # Bit 5 makes letters small and leaves digits as they are.
            while place < lengths[word] and (text[at + place] | 32) == words[word, place]:
                place += 1
            if place == lengths[word]:
                return word, end
    return -1, end


@njit(cache=True)
def skip_blanks(text: Bytes, at: int, stop: int) -> int:
    """The first place from ``at`` that holds no blank or tab."""
    while at < stop and (text[at] == _BLANK or text[at] == _TAB):
        at += 1
    return at


@njit(cache=True)
def is_digit(sign: int) -> bool:
    """Return whether ``sign`` is one of 0 to 9."""
    return _ZERO <= sign <= _NINE


@njit(cache=True)
def is_word_sign(sign: int) -> bool:
    """Return whether ``sign`` may be part of a word: a digit, or a letter without accent."""
    return is_digit(sign) or 97 <= (sign | 32) <= 122


@njit(cache=True)
def is_button(sign: int) -> bool:
    """Return whether ``sign`` is l, r or m, in upper or lower case."""
    small = sign | 32
    return small == 108 or small == 114 or small == 109


@njit(cache=True)
def in_range(pixel: int) -> bool:
    """Return whether a point can hold the pixel."""
    return _LOWEST_PX <= pixel <= _HIGHEST_PX
