"""Words of the community that are no statistics (English, translated when shown)."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.utils.translation import gettext_noop as _


class Term(NamedTuple):
    """``name`` is the anchor of its line."""

    name: str
    term: str
    text: str


#: The word of which an example is given on the reader's clock.
SUB_N: Final = "sub-n"

TERMS: Final = (
    Term("clone", _("clone"), _("A program that plays by the rules of the original Minesweeper of Windows, and records games.")),
    Term("replay", _("replay"), _("The file in which a clone records a game: the board and every movement and click of the mouse, each with its time.")),
    Term("opening", _("opening (of a board)"), _("Cells without mines around them, joined over sides and corners; one click opens all of them and the numbers at their edge.")),
    Term("island", _("island"), _("Safe cells, joined over sides and corners, that are in no opening and border none.")),
    Term("nf", _("NF"), _("No flags: a game in which no flag was ever placed.")),
    Term("fl", _("FL"), _("With flags: every game that is not NF.")),
    Term("chord", _("chord"), _("A click on an open number with both buttons, or the middle one: if as many flags as the number says are around it, all other closed cells around it open.")),
    Term("one-and-a-half-click", _("1.5 click"), _("Right button down for a flag, then left button down and up for a chord, without lifting the right one in between.")),
    Term("guess", _("guess"), _("A click on a cell that could have been a mine.")),
    Term(SUB_N, _("sub-N"), _("A game that ended at the latest in second N − 1, where the first second is 1.")),
    Term("pb", _("PB"), _("Personal best: a player’s best value of one number, on one level, in one style.")),
    Term("wr", _("WR"), _("World record. This site knows only the games that were uploaded here, and speaks of site records.")),
    Term("sum", _("sum"), _("The three best times of a player on Beginner, Intermediate and Expert, added up.")),
    Term("x5", _("X.5"), _("The mean of a player’s five best games.")),
    Term("debt", _("debt"), _("The seconds missing in a player’s ladder: who has had a 42, a 45 and a 46 owes a 43 and a 44.")),
    Term("upk", _("UPK"), _("Unfair prior knowledge: playing a board that one has seen before. Such games do not count.")),
    Term("minimum-3bv", _("minimum 3BV"), _("Boards that are too easy do not count: each level has the least 3BV that a ranked game may have.")),
    Term("density", _("density"), _("A way of playing in which boards with many mines are sought; such games do not count here.")),
    Term("hopsing", _("Hopsing"), _("Breaking one’s records of time and of 3BV/s in one game.")),
    Term("elmars-syndrome", _("Elmar’s syndrome"), _("Being stuck on the same second.")),
    Term("elmar-technique", _("Elmar technique"), _("A mouse button that is set to press and release at once, each time it is pressed and each time it is released.")),
    Term("rilian-click", _("Rilian click"), _("In old versions of Arbiter, a chord that fails but opens a cell.")),
    Term("superclick", _("superclick"), _("Chording with the left button alone. It is another way of playing, and not compared with the usual one.")),
    Term("seal", _("seal"), _("The checksum that a clone writes into its files and that only the clone can check.")),
)  # fmt: skip
