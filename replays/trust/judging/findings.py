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
from replays.models import GameLink

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
    "version_unknown", "version_withdrawn", "before_version", "moments_differ", "start_not_zero", "events_after_end",
    "lattice", "button_jumps", "no_path", "trailing_bytes",
    # --- another file has it (replays.trust.evidence) ---
    *(kind.value for kind in GameLink.Kind if kind != GameLink.Kind.SAME_GAME), "retimed_likely",
    # --- the name is not what it looks like ---
    "name_hidden_characters", "name_look_alike",
    # --- played here, or said to be (replays.upload.processing.live_hooks) ---
    "live_clock", "live_interrupted", "live_guest", "live_differs", "live_unknown", "live_jumps", "live_even_steps",
    "live_too_quick",
    # --- harmless ---
    "unfinished", "mode_unknown", "text_not_utf8", "date", "stamp_date", "date_impossible", "date_too_early",
    "date_in_future",
})  # fmt: skip

SENTENCES: tuple[str, ...] = (
    _("The recording ends before the game is decided."),
    _("The file states %(claimed)s as its %(what)s; the replayed game gives %(actual)s."),
    _("%(late)s events are earlier than the event before; they take its time."),
    _("The mode %(word)s is not known; the game counts as played by other rules."),
    _("The level is %(level)s, but the time stamp says %(stamp)s."),
    _("The name at the end of the file is not the name in its header."),
    _("The two times in the header of the file contradict each other."),
    _("The game goes on after the time that the header states."),
    _("A point lies outside the board on one axis alone, which Arbiter never writes."),
    _("The %(what)s checksum of the file is %(stored)s, it should be %(expected)s."),
    _("The time stamp of the file has a wording that is not known."),
    _("The time stamp of the file holds a date that does not exist."),
    _("The file says version 0 and has the form of version 2."),
    _("The %(what)s of the game lies beyond the year 9999."),
    _("The file holds a date that does not exist."),
    _("The file says that it has %(stated)s bytes; it has %(actual)s."),
    _("The %(what)s is not the UTF-8 that the file promises; its encoding is a guess."),
    _("The file states a date that no calendar holds."),
    _("The file states the year %(year)s, before the game existed."),
    _("The file states %(date)s, after it was uploaded."),
    _("The bytes between the events and the seal are not such as Arbiter writes."),
    _("The last line of the file is not the one that Arbiter writes."),
    _("The file says version %(version)s and is of the program %(program)s."),
    _("The result states a score of %(score)s s, the end %(time)s ms."),
    _("The result states the time stamp %(result)s, the header %(header)s."),
    _("The name in the result is not the name in the header of the file."),
    _("The game ends at %(end)s ms, and again at %(again)s ms."),
    _("RawVF is plain text without a seal: any editor can change it."),
    _("FreeSweeper wrote the file; nothing is known of its seal."),
    _("The file was made from one of another format; it names %(program)s."),
    _("The file has no seal."),
    _("The seal of the file is the byte %(byte)s repeated."),
    _("The seal of the file has %(size)s bytes, which its program never writes."),
    _("%(count)s bytes stand behind the end of the file."),
    _("The file names %(program)s as its program, which is not in the list."),
    _("The file is of %(day)s; %(program)s is there only since %(first)s."),
    _("The file is of %(day)s; files of %(program)s count until %(last)s: %(reason)s."),
    _(
        "The file came on %(day)s; files of %(program)s that came after %(last)s count only when staff accept them: %(reason)s."
    ),
    _("The file does not say when the game began and when it ended."),
    _("By its dates the game lasted %(dates)s ms, by its events %(events)s ms."),
    _("The %(what)s of the game stands at %(time)s ms instead of 0."),
    _("%(count)s events stand behind the one that won; Arbiter writes none."),
    _("Arbiter writes hundredths of a second; %(wrong)s of %(all)s times are none."),
    _("%(share)s of the times lie on the timer of Clone 0.97; in honest files nearly all do."),
    _("The times stand in a grid of %(grid)s ms (strength %(strength)s): hundredths that were scaled."),
    _("%(jumps)s of %(acts)s button events do not stand where the cursor was; at most %(most)s should."),
    _("The file has %(events)s events a 3BV; games played by hand have at least %(least)s."),
    _("The file states %(stated)s right clicks; %(found)s are in it."),
    _("The opening clicks are those of replay #%(replay)s, whatever their times."),
    _("The board is that of replay #%(replay)s, played in another way."),
    _("The seal is that of replay #%(replay)s: one of the two files was edited."),
    _("Unlike %(count)s other games of the player: %(first)s and %(second)s."),
    _("The clock starts at 0 after %(late)s events at 0.01; they take the time 0."),
    _("The name holds characters that are not visible: %(name)s."),
    _("The name looks like that of player #%(player)s, %(name)s."),
    _("The clocks of browser and site do not agree on the time of the game."),
    _("The process of the site that held the game ended while it was played."),
    _("The game was played without an account."),
    _("The player saw %(what)s = %(seen)s; the replayed game gives %(actual)s."),
    _("The file says that it was played here; no such game was."),
    _("%(jumps)s of %(presses)s presses are not where the mouse was before them."),
    _("%(even)s of %(intervals)s intervals between presses are equal."),
    _("%(count)s cells were opened less than %(limit)s ms after the first number beside them."),
)
#: Values that are words and are translated too.
WORDS: tuple[str, ...] = (
    _("time"), _("solved 3BV"), _("number of left clicks"), _("number of right clicks"), _("number of double clicks"),
    _("result"), _("level"), _("name"), _("nickname"), _("country"), _("no-flag mark"), _("won"), _("not won"), _("lost"), _("unfinished"), _("yes"), _("no"),
    _("the rate of the mouse"), _("the share of equal time steps"), _("the time for which the button is held"),
    _("first event"), _("opening"), _("boards of other programs could be loaded and played as if they were new"), _("Clone is no official program since"), _("a weakness of its random boards was found"),
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
