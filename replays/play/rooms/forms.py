from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from analysis.multiplayer.laying import LayingError
from players.db.text import storable_text
from replays.play.models import Room
from replays.play.models.rooms import MAX_ROOM_CELLS
from replays.play.referee.boards import board_of

#: Boards that are laid before a room is made: the first, and the next, whose start number is drawn.
_BOARDS_TRIED: Final = (1, 2)


_DEFAULTS: Final = Room()

if TYPE_CHECKING:
    _ModelForm = forms.ModelForm[Room]  # the class itself takes no parameters at run time
else:
    _ModelForm = forms.ModelForm


class RoomForm(_ModelForm):
    """A setting that is missing has its default."""

    class Meta:
        model = Room
        fields: ClassVar = [
            "name", "rows", "columns", "area", "area_mines", "modulus", "start_number",
            "sealed", "flags", "chords", "coop", "guests", "listed", "next_board",
        ]  # fmt: skip
        help_texts: ClassVar = {
            "start_number": gettext_lazy("Start number of the first board. Leave it empty for a random board."),
            "sealed": gettext_lazy("The mines stay on our server. In an open room every browser knows them."),
        }

    def __init__(self, data: Any = None, **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        for name in ("rows", "columns", "area", "area_mines", "modulus", "next_board"):
            self.fields[name].required = False

    def clean_name(self) -> str:
        name = storable_text(self.cleaned_data["name"]).strip()
        if not name:
            raise forms.ValidationError(_("Give the room a name."))
        return name

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        for name in list(self.fields):
            if values.get(name) in (None, "") and name not in self.errors and name != "start_number":
                values[name] = getattr(_DEFAULTS, name)
        if self.errors:
            return values
        if not values["sealed"] and (values["flags"] or values["chords"]):
            raise forms.ValidationError(_("Flags and chords require a sealed board."), code="needs_seal")
        if values["rows"] * values["columns"] > MAX_ROOM_CELLS:
            raise forms.ValidationError(
                _("A board can have at most %(limit)s cells.") % {"limit": MAX_ROOM_CELLS}, code="too_many_cells"
            )
        _check_laying(Room(**{name: values.get(name) for name in self.fields}))
        return values


def _check_laying(room: Room) -> None:
    try:
        for epoch in _BOARDS_TRIED:
            board_of(room, epoch)
    except LayingError as error:
        raise forms.ValidationError(_laying_sentence(error), code=error.code) from error


def _laying_sentence(error: LayingError) -> str:
    if error.code == "out_of_range":
        return _("%(name)s must be between %(least)d and %(most)d.") % error.params
    if error.code == "start_number_zero":
        return _("The start number is a multiple of the modulus.")
    return _("No board can be generated from these numbers.")
