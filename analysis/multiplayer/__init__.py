"""Minesweeper of many players on one board, as the multiplayer paper has it.

Source: *Analysis of the core algorithms of a multiplayer Minesweeper course project* (in Chinese, 6 June 2022), called
the paper here, and the program that belongs to it, called the reference.  Golden values of both are in
``tests/analysis/multiplayer/golden.json``.

* A board is laid from a few numbers (``laying``), so a server may send these instead of the mines.
* A click opens its *cover*: a mine alone; a zero with its opening; a number with every opening that it
  touches.  Openings are all or nothing, so what is open after any clicks is the union of their covers.
* The server decides in the order in which clicks arrive and stamps those that it accepts 1, 2, 3 …; cells that a click
  opens belong to its player (``server_game.ServerGame``).
* A client (the browser's ``clientgame.js``) floods by itself and takes for every cell the least stamp whose cover holds
  it.  A minimum does not depend on the order of what arrives, nor on its arriving twice, so all clients end in the picture of
  the server.
* Users get colours that are as far apart as can be (``colours``).

Words: a *room* is a shared board with its players; a *move* is a click (or flag, or chord) that was accepted; its
*stamp* is its number in the room; the *referee* is the process that decides; the *start number* is the random number
from which a board is laid.  A cell is row * columns + column, both from 0.

Where the paper is open or contradicts its program:

* Laying multiplies until delta is above the number of cells of the area, not until it is below that of the mines (by
  the letter a swap takes 400,000 multiplications and more, and only three columns could ever be drawn).
* Delta starts from the start number once a board, not once an area.
* The first multiplier of a board is 2, the third Fibonacci number.
* An area cut by the edge holds its share of the mines rounded down.
* A clicked zero opens its whole opening, not its neighbours that are zeros alone.
* A drawn hue is below the number of hues.
* A client takes the flood of its own click back when the server refuses it; neither the paper nor the reference does.
* Scores: a cell that a move opens counts 1 for its player, borders too; a mine counts one blast and no score, stays
  shown, and nobody is out; the board is over when all safe cells are open.  The paper says nothing of these.

What a board laid like this is not: secret or fair.  Whoever knows the start number knows every mine; it follows from
41 open cells; small start numbers give the same boards; and mines are not spread evenly (see ``laying``).  So boards
of rooms are never ranked.
"""
