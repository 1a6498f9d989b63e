from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from players.db.text import encodable
from players.web.problems import Refused

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
#: The fields of a request by those of the page.
_API_FIELDS = {"mines": "mines", "position": "rows"}
#: The codes of kinds that are none themselves.
CODES = {
    "impossible_with_mines": "impossible_position",
    **dict.fromkeys(("no_mines", "bad_mines", "bad_flags"), "bad_request"),
}


class Refusal(Refused):
    """A position that is not evaluated.

    ``kind``: of the sentence.  ``cells``: (row, column) from 0 of what is wrong.  ``field``: of the page, "" if no single
    one holds what is wrong.
    """

    def __init__(
        self,
        kind: str,
        values: Mapping[str, object] | None = None,
        *,
        cells: Sequence[Cell] = (),
        retry_seconds: int | None = None,
    ) -> None:
        self.kind, self.cells, self.field = kind, tuple(cells), _FIELDS.get(kind, "")
        sentence = encodable(gettext(SENTENCES[kind]) % (values or {"seconds": retry_seconds}))
        super().__init__(
            CODES.get(kind, kind), sentence, retry_seconds,
            errors={_API_FIELDS[self.field]: sentence} if self.field else {},
            more={"cells": [list(cell) for cell in cells]} if cells else {},
        )  # fmt: skip
