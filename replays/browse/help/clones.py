"""Places in which each clone keeps its replay files: only what its documentation, or its published source, says."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.utils.translation import gettext_noop as _

_UNDOCUMENTED: Final = _("The documentation doesn't name a folder. Search for the file extension.")


class Clone(NamedTuple):
    """One clone: ``endings`` of its files, its ``systems``, how it saves, where, and where that is written.

    ``is_read``: whether this site reads its files.  ``source``: "" if nothing public was found.
    """

    name: str
    endings: tuple[str, ...]
    systems: str
    saving: str
    place: str
    source: str
    is_read: bool = True


CLONES: Final = (
    Clone(
        "Minesweeper Arbiter", ("avf",), "Windows",
        _("You can set up to three rules for saving games automatically under Preferences, Automation; the counters show "
          "“SAVED” when a game is saved. You can also use the “Save Replay” button after a game."),
        _("Games are saved wherever you choose. The automatic rules build file names from a formula, which may begin "
          "with a folder and a backslash; the documentation doesn't name any other folder. Unless you change the "
          "formula, files are named like Beg_3,21_3BV=5_Yourname.avf."),
        _("Arbiter 0.42 help, sections 4.1.3, 4.6 and 7"),
    ),
    Clone(
        "Metasweeper (元扫雷)", ("evf", "evfs"), "Windows",
        _("You can turn on automatic saving of won games, and save any game from the menu. Saving sets of games (evfs) is a separate setting."),
        _("In the “replay” folder next to the program. If the program can't write there, look in %APPDATA%: the “replay” folder is inside the folder named after Metasweeper and its version."),
        _("The program's published source, src/superGUI.py"),
    ),
    Clone(
        "Vienna MineSweeper (Viennasweeper)", ("rmv",), _("Windows; Linux with Wine"), _("Creates replay files with a checksum."), _UNDOCUMENTED,
        _("sweeper.wien, “About” page"),
    ),
    Clone("Minesweeper Clone", ("mvf",), "Windows", _("Records replays. Games played with it were accepted for the official rankings until 2013."), _UNDOCUMENTED, ""),
    Clone(
        "FreeSweeper", ("avf", "rawvf"), "Windows", _("Saves classic games as AVF, and games in other modes as RawVF."), _UNDOCUMENTED,
        _("RawVF tools, which can read this program's files"),
    ),
    Clone(
        "Minesweeper X", ("mvr",), "Windows",
        _("Games are saved automatically according to the auto-save options for each level (never, high scores, "
          "completed games, games below a time, or all). You can also use “Save Recording” in the Extras menu."),
        _("The format isn't public and no other program can read it, so you can't upload these files."),
        _("Minesweeper X help, auto-save options"), is_read=False,
    ),
)  # fmt: skip
