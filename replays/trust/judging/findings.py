"""Findings: their codes, and translating their sentences.

The analysis writes a finding as an English sentence with values filled in, and the row stores that sentence.  Here is
the pattern of each sentence; a stored sentence that matches a pattern is translated with its values.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from analysis.statistics import BY_NAME
from analysis.time_convention import value_text

#: Codes of ``Finding`` in ``analysis`` and in ``replays.upload.processing``; a test compares them with the sources.
FINDING_CODES: Final = frozenset({
    # --- the header differs from the replayed game ---
    "time_differs", "bv_differs", "bvdone_differs", "lcl_differs", "rcl_differs", "dcl_differs", "result_differs",
    "level_differs", "nf_differs", "header_times_differ", "header_time_early", "stamp_level", "name_differs",
    # --- the file is not as its program would write it ---
    "checksum_board", "checksum_name", "checksum_stamp", "point_half_outside", "file_size", "version_byte",
    "stamp_unreadable", "time_goes_back", "header_dates_differ", "program_line", "filler",
    # --- what the file alone proves (analysis.evidence) ---
    "text_format", "freesweeper", "converted", "moments_missing", "seal_absent", "seal_length", "seal_stub",
    "version_unknown", "version_new", "version_withdrawn", "before_version", "moments_differ", "start_not_zero", "events_after_end",
    "lattice", "button_jumps", "no_path", "trailing_bytes", "not_fair",
    # --- another file has it (replays.trust.evidence) ---
    "seal_reused", "same_board", "retimed_likely",
    # --- the name is not what it looks like ---
    "name_hidden_characters", "name_look_alike", "name_resembles",
    # --- played here, or said to be (replays.upload.processing.live_hooks) ---
    "live_clock", "live_interrupted", "live_guest", "live_differs", "live_unknown", "live_jumps", "live_even_steps",
    "live_too_quick",
    # --- harmless ---
    "unfinished", "mode_unknown", "level_unknown", "claim_unread", "option_twice", "marathon", "help_not_replayed", "text_not_utf8", "date", "stamp_date", "date_impossible", "date_too_early",
    "date_in_future",
})  # fmt: skip

SENTENCES: tuple[str, ...] = (
    _("The recording ends before the game is won or lost."),
    _("The file says its %(what)s is %(claimed)s; replaying the game gives %(actual)s."),
    _("Events with an earlier time than the event before them: %(late)s. We use that event's time instead."),
    _("We don't recognise the mode %(word)s, so we count the game under “other rules”."),
    _("We don't recognise the level %(level)s, so only the board decides the level."),
    _("The file is one board of a marathon, so we count the game under “other rules”."),
    _("We can't read the header line “%(line)s”, so we don't use it."),
    _("We can't read the file's question mark setting, so we treat it as off."),
    _("Header lines that appear more than once: %(names)s. We use the first of each."),
    _("We can't replay what the program did by itself (%(names)s), so our numbers may differ."),
    _("The level is %(level)s, but the time stamp says %(stamp)s."),
    _("The name at the end of the file differs from the one in its header."),
    _("The two times in the file's header contradict each other."),
    _("The game continues past the end time in the file header."),
    _("A point lies outside the board on one axis only; Arbiter never writes that."),
    _("The file's %(what)s checksum is %(stored)s; it should be %(expected)s."),
    _("We can't read the file's time stamp."),
    _("The file's time stamp has a date that doesn't exist."),
    _("The file says it's version 0 but is built like version 2."),
    _("The %(what)s of the game is after the year 9999."),
    _("The file has a date that doesn't exist."),
    _("The file says it has %(stated)s bytes; it has %(actual)s."),
    _("The file says its %(what)s is UTF-8, but it isn't; we guessed the encoding."),
    _("The file's date doesn't exist in any calendar."),
    _("The file is dated %(year)s, before Minesweeper existed."),
    _("The file is dated %(date)s, after its upload."),
    _("The bytes between the events and the seal aren't what Arbiter writes."),
    _("The last line of the file isn't the one Arbiter writes."),
    _("The file says clone %(clone)s wrote it, but its program is %(program)s."),
    _("The file says version %(version)s, but its program is %(program)s."),
    _("The result gives a score of %(score)s s, but the end of the file says %(time)s ms."),
    _("The time stamp is %(result)s in the result, but %(header)s in the header."),
    _("The name in the result differs from the one in the file's header."),
    _("The game ends at %(end)s ms, and again at %(again)s ms."),
    _("RawVF is plain text without a seal: anyone can edit it."),
    _("FreeSweeper wrote this file. We know nothing about its seal."),
    _("The file was converted from another format; it says it was made by %(program)s."),
    _("The file has no seal."),
    _("The file's seal is just the byte %(byte)s repeated."),
    _("The file's seal is %(size)s bytes long; its program never writes that length."),
    _("The file has extra bytes after its end: %(count)s."),
    _("The file says it was made by %(program)s, which isn't on our list."),
    _("The file says it was made by %(program)s, which is newer than the versions we know."),
    _("The file is dated %(day)s, but %(program)s didn't exist before %(first)s."),
    _("The file is dated %(day)s; files from %(program)s only count up to %(last)s: %(reason)s."),
    _(
        "The file arrived on %(day)s; files from %(program)s that arrive after %(last)s count only once a "
        "moderator accepts them: %(reason)s."
    ),
    _("The file doesn't say when the game started and ended."),
    _("The game lasted %(dates)s ms according to its dates, but %(events)s ms according to its events."),
    _("The %(what)s of the game is at %(time)s ms instead of 0."),
    _("The file has events after the winning click: %(count)s. Arbiter never writes any."),
    _("Arbiter only writes whole hundredths of a second, but %(wrong)s of %(all)s times aren't whole hundredths."),
    _("%(share)s of the times match a timer of 15.625 ms."),  # of stored rows: it says nothing any more
    _("The game's times match a Windows timer only after we multiply all of them by the same factor."),
    _("The times are multiples of %(grid)s ms (strength %(strength)s); no timer we know has that step."),
    _("%(jumps)s of %(acts)s button events happened away from the cursor; in the games we know it's at most %(most)s."),
    _("The file has %(events)s events per 3BV; the games we know have at least %(least)s."),
    _("The program that recorded this game didn't mark it as fair."),
    _("The file gives the number of right clicks as %(stated)s, but we count %(found)s."),
    _("Opens cells with the same clicks as replay #%(replay)s, ignoring the times."),
    _("Same board as replay #%(replay)s, played differently."),
    _("Same seal as replay #%(replay)s: one of the two files was edited."),
    _("Differs from the player's %(count)s other games: %(first)s and %(second)s."),
    _("The file puts events at 0.01 before the first event at 0 (%(late)s in all); we count them as 0."),
    _("The name contains invisible characters: %(name)s."),
    _("The name looks like another player's: #%(player)s, %(name)s."),
    _("The player's browser clock and ours disagree about this game's time."),
    _("Our server process restarted during the game."),
    _("The game was played without an account."),
    _("The player saw %(what)s = %(seen)s; replaying the game gives %(actual)s."),
    _("The file says this game was played here, but we have no record of it."),
    _("%(jumps)s of %(presses)s presses happened away from where the mouse had just been."),
    _("%(even)s of %(intervals)s intervals between presses are identical."),
    _("%(count)s cells were opened less than %(limit)s ms after the first number next to them appeared."),
)
#: Values that are words and are translated too.
WORDS: tuple[str, ...] = (
    _("time"), _("solved 3BV"), _("number of left clicks"), _("number of right clicks"), _("number of chords"),
    _("result"), _("level"), _("name"), _("nickname"), _("country"), _("no-flag mark"), _("won"), _("not won"), _("lost"), _("unfinished"), _("yes"), _("no"),
    _("the mouse's polling rate"), _("the share of identical time steps"), _("how long the button is held"),
    _("first event"), _("opening"), _("boards from other programs could be loaded and played as if they were new"), _("Clone is no longer an official program"), _("a weakness in its random boards was found"),
)  # fmt: skip
_MILLISECONDS: Final = re.compile(r"\d+(?= ms$)")
_VALUE = re.compile(r"%\((\w+)\)s")


def finding_sentence(text: str, *, from_one: bool = False) -> str:
    """``text`` (English, as stored) in the active language; unchanged if it matches no known sentence.

    ``from_one``: the reader sees times on a clock that starts at 1.
    """
    for sentence, pattern in _patterns():
        match = pattern.fullmatch(text)
        if match:
            values = match.groupdict()
            if from_one and values.get("what") == "time":
                values |= {name: _MILLISECONDS.sub(_on_clock_from_one, values[name]) for name in ("claimed", "actual")}
            values = {name: gettext(value) if value in WORDS else value for name, value in values.items()}
            return gettext(sentence) % values
    return text


def _on_clock_from_one(found: re.Match[str]) -> str:
    return value_text(BY_NAME["time_ms"], int(found[0]), from_one=True)


@cache
def _patterns() -> list[tuple[str, re.Pattern[str]]]:
    return [(sentence, _pattern(sentence)) for sentence in SENTENCES]


def _pattern(sentence: str) -> re.Pattern[str]:
    """The regular expression of a sentence, with a named group for each value."""
    parts = _VALUE.split(sentence)  # text, name, text, name, … text
    return re.compile(
        "".join(f"(?P<{part}>.*)" if index % 2 else re.escape(part) for index, part in enumerate(parts)), re.DOTALL
    )
