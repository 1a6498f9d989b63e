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
    Term("corpse", _("corpse"), _("A lost game. Completion, estimated time and STNB are made to compare corpses.")),
    Term("rtime", _("rtime"), _("The time of a game on a clock that starts at 0. Where clocks start at 1, an rtime of 37.82 is shown as 38.82.")),
    Term("opening-phase", _("opening phase"), _("The beginning of a game, while nearly all cells are closed.")),
    Term("fifty-fifty", _("50/50"), _("Two cells of which one is a mine, and no click elsewhere will tell which.")),
    Term("md1", _("MD(1)"), _("The rule of one number: if it needs no more mines, its closed cells are safe; if it needs as many as it has closed cells, all of them are mines.")),
    Term("md2", _("MD(2)"), _("The rule of two numbers that share cells: if A needs more mines than B by as many as the cells that only A sees, those are mines, and the cells that only B sees are safe.")),
    Term("nmd3", _("NMD(3)"), _("The rule of three numbers: B shares cells with A and with C, which share none. If B needs more mines than A and C together by as many as the cells that only B sees, those are mines.")),
    Term("component", _("component"), _("Closed cells that are tied together by the numbers they share. Apart from the count of all mines, components say nothing about each other.")),
    Term("room", _("room"), _("One board with many players at once. When all safe cells are open, the next board follows.")),
    Term("sealed", _("sealed room"), _("A room where the mines stay on our server. In an open room every browser knows them: clicks open at once, but anyone can cheat.")),
    Term("start-number", _("start number"), _("The number from which the multiplayer paper lays the mines of a board. The same number, size and mines give the same board again.")),
    Term("area", _("area"), _("A square part of a room’s board. Whole areas all have the same number of mines, so no part of the board is thin.")),
    Term("cover", _("cover"), _("All cells that a click opens on a fresh board. In a room, a click on a number also opens every opening that touches it.")),
    Term("stamp", _("stamp"), _("The number of a move in a room, 1, 2, 3 …, in the order in which clicks reach the server.")),
    Term("colouring", _("colouring"), _("Each player in a room has a colour. A cell takes the colour of the player with the lowest stamp that opens it.")),
    Term("repair", _("repair"), _("Changing the colour of a cell when a click with a lower stamp arrives late. Whatever the order of arrival, all players end with the same picture.")),
    Term("blast", _("blast"), _("A click on a mine in a room. The mine stays visible, and you stay in the game.")),
)  # fmt: skip
