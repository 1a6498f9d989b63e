"""The sentence of each code of a finding; codes and parameters are stored, and worded when they are shown."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from analysis.recording import Finding
from analysis.statistics import BY_NAME
from players.db.text import storable_params
from players.web.clock import shown_text

_CHECKSUM: Final = _("The file's %(what)s checksum is %(stored)s; it should be %(expected)s.")
_DIFFERS: Final = _("The file says its %(what)s is %(claimed)s; replaying the game gives %(actual)s.")

#: English sentences by code; of several the one that names the parameters of the finding.
SENTENCES: Final[dict[str, tuple[str, ...]]] = {
    # --- the header differs from the replayed game ---
    "time_differs": (
        _("The file says its time is %(claimed_ms)s ms; replaying the game gives %(actual_ms)s ms."),
    ),
    **dict.fromkeys(
        ("bv_differs", "bvdone_differs", "lcl_differs", "rcl_differs", "dcl_differs", "result_differs", "level_differs",
         "nf_differs"),
        (_DIFFERS,),
    ),
    "header_times_differ": (_("The file gives two different times: %(first_ms)s ms and %(second_ms)s ms."),),
    "header_time_early": (_("The game continues past the end time in the file header."),),
    "stamp_level": (_("The level is %(level)s, but the time stamp says %(stamp)s."),),
    "name_differs": (_("The file gives the player's name twice, and the two differ."),),
    # --- the file is not as its program would write it ---
    **dict.fromkeys(("checksum_board", "checksum_name", "checksum_stamp"), (_CHECKSUM,)),
    "point_half_outside": (_("A point lies outside the board on one axis only; Arbiter never writes that."),),
    "file_size": (_("The file says it has %(stated_bytes)s bytes; it has %(actual_bytes)s."),),
    "version_byte": (
        _("The file says version %(version)s, but its program is %(program)s."),
        _("The file says clone %(clone)s wrote it, but its program is %(program)s."),
        _("The file says it's version %(stated)s but is built like version %(built)s."),
    ),
    "stamp_unreadable": (_("We can't read the file's time stamp."),),
    "time_goes_back": (
        _("Events with an earlier time than the event before them: %(late)s. We use that event's time instead."),
        _("The file puts events at 0.01 before the first event at 0 (%(early)s in all); we count them as 0."),
    ),
    "header_dates_differ": (_("The time stamp is %(result)s in the result, but %(header)s in the header."),),
    "program_line": (_("The last line of the file isn't the one Arbiter writes."),),
    "filler": (_("The bytes between the events and the seal aren't what Arbiter writes."),),
    # --- what the file alone proves (analysis.evidence) ---
    "text_format": (_("RawVF is plain text without a seal: anyone can edit it."),),
    "freesweeper": (_("FreeSweeper wrote this file. We know nothing about its seal."),),
    "converted": (_("The file was converted from another format; it says it was made by %(program)s."),),
    "moments_missing": (_("The file doesn't say when the game started and ended."),),
    "seal_absent": (_("The file has no seal."),),
    "seal_length": (_("The file's seal is %(size_bytes)s bytes long; its program never writes that length."),),
    "seal_stub": (_("The file's seal is just the byte %(byte)s repeated."),),
    "version_unknown": (_("The file says it was made by %(program)s, which isn't on our list."),),
    "version_new": (_("The file says it was made by %(program)s, which is newer than the versions we know."),),
    "version_withdrawn": (
        _("The file is dated %(day)s; files from %(program)s only count up to %(last)s: %(reason)s."),
        _(
            "The file arrived on %(received)s; files from %(program)s that arrive after %(last)s count only once a "
            "moderator accepts them: %(reason)s."
        ),
    ),
    "before_version": (_("The file is dated %(day)s, but %(program)s didn't exist before %(first)s."),),
    "moments_differ": (
        _("The game lasted %(dates_ms)s ms according to its dates, but %(events_ms)s ms according to its events."),
    ),
    "start_not_zero": (_("The first event of the game is at %(time_ms)s ms instead of 0."),),
    "events_after_end": (_("The file has events after the winning click: %(count)s. Arbiter never writes any."),),
    "lattice": (
        _("Arbiter only writes whole hundredths of a second, but %(wrong)s of %(all)s times aren't whole hundredths."),
        _("The game's times match a Windows timer only after we multiply all of them by the same factor."),
        _("The times are multiples of %(grid_ms)s ms (strength %(strength)s); no timer we know has that step."),
    ),
    "button_jumps": (
        _(
            "%(jumps)s of %(acts)s button events happened away from the cursor; in the games we know it's at most "
            "%(most_percent)s%%."
        ),
    ),
    "no_path": (_("The file has %(events_per_3bv)s events per 3BV; the games we know have at least %(least)s."),),
    "trailing_bytes": (_("The file has extra bytes after its end: %(count)s."),),
    "not_fair": (_("The program that recorded this game didn't mark it as fair."),),
    "unlikely_board": (
        _("The board has a 3BV of %(bv)s; fewer than one in a million boards are that low."),
        _(
            "%(count)s of the %(mines)s mines are in one %(part)s of the board; fewer than one in a million boards are "
            "like that."
        ),
    ),
    "even_clicks": (_("%(even)s of %(intervals)s pauses between clicks are equal to within %(limit_ms)s ms."),),
    "quick_clicks": (_("%(rate)s clicks per second over the whole game; nobody we know makes more than %(most)s."),),
    "straight_moves": (_("%(straight)s of %(moves)s mouse movements between clicks follow a straight line."),),
    # --- against the player's other games (replays.trust.provisional) ---
    "seal_reused": (_("Same seal as replay #%(replay)s: one of the two files was edited."),),
    "same_board": (_("Same board as replay #%(replay)s, played differently."),),
    "retimed_likely": (_("Differs from the player's %(count)s other games: %(first)s and %(second)s."),),
    # --- the name is not what it looks like ---
    "name_hidden_characters": (_("The name contains invisible characters: %(name)s."),),
    **dict.fromkeys(("name_look_alike", "name_resembles"), (_("The name looks like another player's: #%(player)s, %(name)s."),)),
    # --- played here, or said to be (replays.upload.processing.played_here) ---
    "live_clock": (_("The player's browser clock and ours disagree about this game's time."),),
    "live_guest": (_("The game was played without an account."),),
    "live_differs": (_("The player saw %(what)s = %(seen)s; replaying the game gives %(actual)s."),),
    "live_unknown": (_("The file says this game was played here, but we have no record of it."),),
    "live_jumps": (_("%(jumps)s of %(presses)s presses happened away from where the mouse had just been."),),
    "live_even_steps": (_("%(even)s of %(intervals)s intervals between presses are identical."),),
    "live_too_quick": (
        _("%(count)s cells were opened less than %(limit_ms)s ms after the first number next to them appeared."),
    ),
    # --- harmless ---
    "unfinished": (_("The recording ends before the game is won or lost."),),
    "mode_unknown": (_("We don't recognise the mode %(mode)s, so we count the game under “other rules”."),),
    "level_unknown": (_("We don't recognise the level %(level)s, so only the board decides the level."),),
    "claim_unread": (_("We can't read the header line “%(line)s”, so we don't use it."),),
    "option_twice": (_("Header lines that appear more than once: %(names)s. We use the first of each."),),
    "marathon": (_("The file is one board of a marathon, so we count the game under “other rules”."),),
    "help_not_replayed": (_("We can't replay what the program did by itself (%(names)s), so our numbers may differ."),),
    "text_not_utf8": (_("The file says its %(what)s is UTF-8, but it isn't; we guessed the encoding."),),
    "date": (_("The file has a date that doesn't exist."),),
    "stamp_date": (_("The file's time stamp has a date that doesn't exist."),),
    "date_impossible": (_("The file's date doesn't exist in any calendar."),),
    "date_too_early": (_("The file is dated %(year)s, before Minesweeper existed."),),
    "date_in_future": (_("The file is dated %(day)s, after its upload."),),
}  # fmt: skip
FINDING_CODES: Final = frozenset(SENTENCES)

#: What ``%(what)s`` is, where the code says it.
_WHAT: Final = {
    "bv_differs": "3BV", "bvdone_differs": _("solved 3BV"), "lcl_differs": _("number of left clicks"),
    "rcl_differs": _("number of right clicks"), "dcl_differs": _("number of chords"), "result_differs": _("result"),
    "level_differs": _("level"), "nf_differs": _("no-flag mark"), "checksum_board": _("board"),
    "checksum_name": _("name"), "checksum_stamp": _("time stamp"),
}  # fmt: skip
#: Words of values that are codes; the parameters that may have them hold no other text of a file.
WORDS: Final = {
    "won": _("won"), "not_won": _("not won"), "lost": _("lost"), "unfinished": _("unfinished"), "yes": _("yes"),
    "no": _("no"), "name": _("name"), "nickname": _("nickname"), "country": _("country"),
    "polling_rate": _("the mouse's polling rate"), "equal_steps": _("the share of identical time steps"),
    "hold": _("how long the button is held"),
    "half": _("half"), "quarter": _("quarter"),
    "loaded_boards": _("boards from other programs could be loaded and played as if they were new"),
    "not_official": _("Clone is no longer an official program"),
    "weak_boards": _("a weakness in its random boards was found"),
}  # fmt: skip
_WORDED: Final = frozenset({"what", "claimed", "actual", "seen", "first", "second", "reason", "part"})
_VALUE: Final = re.compile(r"%\((\w+)\)s")


def finding_row(finding: Finding) -> dict[str, Any]:
    return {"code": finding.code, "params": storable_params(finding.params)}


def finding_sentence(code: str, params: Mapping[str, object]) -> str:
    """Return a stored finding as a sentence in the active language, on the reader's clock."""
    values = {name: _shown(name, value) for name, value in params.items()}
    if code == "time_differs":
        values = {name: shown_text(BY_NAME["time_ms"], int(str(value))) for name, value in params.items()}
    if code in _WHAT:
        values["what"] = gettext(_WHAT[code])
    return gettext(next(one for one in SENTENCES[code] if set(_VALUE.findall(one)) == values.keys())) % values


def finding_sentences(findings: list[dict[str, Any]]) -> list[str]:
    return [finding_sentence(one["code"], one["params"]) for one in findings]


def _shown(name: str, value: object) -> object:
    if value == "":
        return "–"
    return gettext(WORDS[value]) if name in _WORDED and isinstance(value, str) and value in WORDS else value
