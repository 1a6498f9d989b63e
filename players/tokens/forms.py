from __future__ import annotations

import datetime
from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

from players.tokens.scopes import Scope

_A_YEAR: Final = 365


class NewTokenForm(forms.Form):
    name = forms.CharField(label=_("Token name"), max_length=64, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    scopes = forms.MultipleChoiceField(
        label=_("Permissions"), choices=Scope.choices, initial=[Scope.READ, Scope.UPLOAD],
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip
    days = forms.TypedChoiceField(
        label=_("Expires in"), coerce=int, initial=_A_YEAR,
        choices=[(30, _("30 days")), (90, _("90 days")), (_A_YEAR, _("1 year"))],
    )  # fmt: skip

    @property
    def lasts(self) -> datetime.timedelta:
        return datetime.timedelta(days=self.cleaned_data["days"])
