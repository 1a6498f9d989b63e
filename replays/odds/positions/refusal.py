from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from players.db.text import encodable

Cell = tuple[int, int]

SENTENCES: dict[str, str] = {
    "bad_request": _("We can't read this request."),
    "body_too_large": _("The request is larger than %(limit)s bytes."),
    "too_many_requests": _("You've requested too many positions. Try again in %(seconds)s s."),
    "too_hard": _("This position would take too long to compute here."),
    "busy": _("Too many positions are being computed. Try again in %(seconds)s s."),
    "no_mines": _("Give the number of mines, or their density between 0 and 1."),
    "bad_mines": _("The number of mines must be a whole number, 0 or more."),
    "bad_flags": _("Flags must be “trusted” or “ignored”."),
    "no_cells": _("A position needs at least one cell."),
    "bad_cell": _(
        "Row %(row)s, column %(column)s is “%(value)s”. A cell is 0 to 8, . (closed), F (flag) or ? (open, "
        "number unknown)."
    ),
    "ragged_rows": _("Row %(row)s has %(found)s cells, but the first row has %(wanted)s."),
    "too_large": _("The position has %(cells)s cells; the limit is %(limit)s."),
    "long_side": _("One side is %(value)s cells long; the limit is %(limit)s."),
    "too_many_mines": _("The mine count is %(mines)s, but only %(closed)s cells are closed."),
    "too_wide": _(
        "Too many numbers in this position depend on each other, so counting the layouts would take too long here."
    ),
    "impossible_position": _("No mine layout fits %(numbers)s."),
    "impossible_with_mines": _("With a mine count of %(mines)s, no layout fits %(numbers)s."),
}

#: The field of the page that holds what is wrong, by the kind of the refusal.
_FIELDS = {
    **dict.fromkeys(("no_mines", "bad_mines", "too_many_mines"), "mines"),
    **dict.fromkeys(("no_cells", "bad_cell", "ragged_rows", "too_large", "long_side"), "position"),
}
#: Kinds of refusals that share a code.
_SHOWN_AS = {"impossible_with_mines": "impossible_position"}


class Refusal(Exception):
    """A position that is not evaluated.

    ``kind``: of the sentence.  ``code``: stable, for programs.  ``cells``: (row, column) from 0 of what is wrong.
    """

    def __init__(
        self,
        kind: str,
        values: Mapping[str, object] | None = None,
        *,
        cells: Sequence[Cell] = (),
        http_status: int = 400,
    ) -> None:
        super().__init__(kind)
        self.kind = kind
        self.code = _SHOWN_AS.get(kind, kind)
        self.values = dict(values or {})
        self.cells = tuple(cells)
        self.http_status = http_status

    @property
    def field(self) -> str:
        """An empty text if no single field holds what is wrong."""
        return _FIELDS.get(self.kind, "")

    @property
    def sentence(self) -> str:
        return encodable(gettext(SENTENCES[self.kind]) % self.values)
