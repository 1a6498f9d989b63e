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
    Term("clone", _("clone"), _("A program that follows the rules of the original Windows Minesweeper and "
                                "records games.")),
    Term("replay", _("replay"), _("The file in which a clone records a game: the board, and every mouse movement and "
                                  "click with its time.")),
    Term("opening", _("opening (of a board)"), _("Cells without mines around them, joined by sides and corners. One click opens them all, along with the numbers around the edge.")),
    Term("island", _("island"), _("A group of safe cells, connected by sides or corners, none of them part of an opening or next to one.")),
    Term("nf", _("NF"), _("No flags: a game played without flags.")),
    Term("fl", _("FL"), _("With flags: every game that isn't NF.")),
    Term("chord", _("chord"), _("A click on an open number with both buttons, or with the middle one. If the number "
                                "has all its flags, the other closed cells around it open.")),
    Term("one-and-a-half-click", _("1.5 click"), _("Press and hold the right button to place a flag, then press and "
                                                   "release the left button to chord, without releasing the right "
                                                   "one.")),
    Term("guess", _("guess"), _("Clicking a cell that could have been a mine.")),
    Term(SUB_N, _("sub-N"), _("A game finished in less than N seconds on a clock that starts at 1.")),
    Term("pb", _("PB"), _("Personal best: a player's best value of a statistic on one level and in one style.")),
    Term("wr", _("WR"), _("World record. We only know the games on this site, so we call our own records “site records”.")),
    Term("sum", _("sum"), _("The sum of a player's best times on Beginner, Intermediate and Expert.")),
    Term("x5", _("X.5"), _("The mean of a player's five best games.")),
    Term("debt", _("debt"), _("The seconds missing from a player's ladder: if you've had a 42, a 45 and a 46, "
                              "you owe a 43 and a 44.")),
    Term("upk", _("UPK"), _("Unfair prior knowledge: playing a board you've seen before. Such games don't count.")),
    Term("minimum-3bv", _("minimum 3BV"), _("Boards that are too easy don't count: each level has a minimum "
                                            "3BV for ranked games.")),
    Term("density", _("density"), _("Playing boards with as many mines as possible. These games don't count here.")),
    Term("hopsing", _("Hopsing"), _("Setting time and 3BV/s records in the same game.")),
    Term("elmars-syndrome", _("Elmar's syndrome"), _("Being stuck on the same second, unable to beat it.")),
    Term("elmar-technique", _("Elmar technique"), _("A mouse button set up to send a full click both when you press it "
                                                    "and when you release it.")),
    Term("rilian-click", _("Rilian click"), _("A chord that fails but still opens a cell, in old versions of "
                                              "Arbiter.")),
    Term("superclick", _("superclick"), _("Chording with the left button alone. This is a different way of playing, so "
                                          "it isn't compared with normal chording.")),
    Term("seal", _("seal"), _("The checksum a clone writes into its files. Only the clone itself can check it.")),
    Term("corpse", _("corpse"), _("A lost game. Completion, estimated time and STNB are meant for comparing corpses.")),
    Term("rtime", _("rtime"), _("The time of a game on a clock that starts at 0. On clocks that start at 1, an "
                                "rtime of 37.82 shows as 38.82.")),
    Term("opening-an-area", _("opening an area"), _("What one click opens, by two rules. Click rule: the cell itself and, unless it is a mine, the zeros around it. Spreading rule: each open zero opens all the cells around it, and so on.")),
    Term("three-parameters", _("the three parameters"), _("Time, 3BV/s and STNB: the three numbers Chinese players compare.")),
    Term("fifty-fifty", _("50/50"), _("Two cells share one mine, and no other click can tell you which one has it.")),
    Term("md1", _("MD(1)"), _("The one-number rule: if all the mines around a number are found, the other cells around it are safe; if a number still needs as many mines as it has closed cells left, those cells are all mines.")),
    Term("md2", _("MD(2)"), _("The two-number rule, for numbers that share cells: if A needs more mines than B, and the excess equals the number of cells only A touches, those cells are mines, and the cells only B touches are safe.")),
    Term("nmd3", _("NMD(3)"), _("The three-number rule: B shares cells with A and with C, but A and C share none. If B needs more mines than A and C together, and the excess equals the number of cells only B touches, those cells are mines.")),
    Term("subtraction-formula", _("subtraction formula"), _("What two neighbouring numbers tell about the cells that only one of them touches: the cells they share cancel out. MD(2) is this rule.")),
    Term("idle-cell", _("idle cell"), _("A cell that is neither open nor flagged.")),
    Term("idle-set", _("idle set"), _("Idle cells that belong together. Order 1: the idle cells around one open cell. Order k + 1: the union, intersection or difference of a set of order k and one of order 1.")),
    Term("sage", _("Sage"), _("The idle cells in no set of order 1: no open cell touches them.")),
    Term("adjacent-cell", _("adjacent cell"), _("A cell that touches a known cell at a side or a corner.")),
    Term("sub-area", _("sub-area"), _("Known cells and all the closed, unmarked cells around them.")),
    Term("junction", _("junction"), _("A cell that splits a sub-area: once you assume it is a mine, or safe, the rest falls into independent parts.")),
    Term("isolated-cells", _("isolated cells"), _("The closed cells in no component: only the total mine count says anything about them.")),
    Term("bottleneck", _("bottleneck"), _("A point in the game where you can only go on by guessing.")),
    Term("component", _("component"), _("Closed cells connected by the numbers they share. Apart from the total mine "
                                        "count, components don't affect each other.")),
    Term("room", _("room"), _("One board that many players open at once. When all safe cells are open, the next "
                              "board starts.")),
    Term("sealed", _("sealed room"), _("A room where the mines stay on our server. In an open room every browser knows the mines: cells open instantly, but anyone can cheat.")),
    Term("start-number", _("start number"), _("The number the multiplayer algorithm starts from when it generates the "
                                              "mines. The same number, size and mine count always give the same "
                                              "board.")),
    Term("fibonacci", _("Fibonacci number"), _("One of 2, 3, 5, 8 …: each is the sum of the two before it. At each cell the multiplayer algorithm multiplies by the next one.")),
    Term("area", _("area"), _("A square section of a room's board. Every full-size area has the same number of mines, so mines are spread evenly.")),
    Term("cover", _("cover"), _("All cells a click opens on a fresh board. In a room, clicking a number also "
                                "opens every opening that touches it.")),
    Term("stamp", _("stamp"), _("The number of a move in a room (1, 2, 3 …), in the order clicks reach the server.")),
    Term("colouring", _("colouring"), _("Each player in a room has a colour. If several players open the same cell, the click with the lowest stamp (the first click) decides its colour.")),
    Term("repair", _("repair"), _("Correcting a cell's colour when a click with a lower stamp arrives late, so everyone ends up with the same picture no matter what order the clicks arrive in.")),
    Term("blast", _("blast"), _("Clicking a mine in a room. You lose no points and stay in the game; the mine stays "
                                "visible.")),
)  # fmt: skip
