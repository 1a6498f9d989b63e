from __future__ import annotations

import datetime
from typing import Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from players.models import User
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

    def __init__(self, data: QueryDict | None, *, user: User) -> None:
        super().__init__(data)
        if not user.has_role:
            scopes = self.fields["scopes"]
            assert isinstance(scopes, forms.MultipleChoiceField)  # noqa: S101 - see above
            scopes.choices = [choice for choice in Scope.choices if choice[0] != Scope.MODERATE]

    @property
    def lasts(self) -> datetime.timedelta:
        return datetime.timedelta(days=self.cleaned_data["days"])
