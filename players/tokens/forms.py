"""The form of a new API token."""

from __future__ import annotations

import datetime
from typing import Final

from django import forms
from django.utils.translation import gettext_lazy as _

from players.tokens.scopes import Scope

DAYS: Final = (30, 90, 365)


class NewTokenForm(forms.Form):
    """What a token is for, what it may do, and how long."""

    name = forms.CharField(
        label=_("What is it for?"), max_length=64, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may"), choices=Scope.choices, initial=[Scope.READ, Scope.UPLOAD],
        widget=forms.CheckboxSelectMultiple,
    )  # fmt: skip
    days = forms.TypedChoiceField(
        label=_("It ends after"), coerce=int, initial=DAYS[-1],
        choices=[(30, _("30 days")), (90, _("90 days")), (365, _("a year"))],
    )  # fmt: skip

    @property
    def lasts(self) -> datetime.timedelta:
        """How long the token lasts."""
        return datetime.timedelta(days=self.cleaned_data["days"])
