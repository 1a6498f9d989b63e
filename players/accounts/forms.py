"""Forms of accounts."""

from __future__ import annotations

import zoneinfo
from typing import TYPE_CHECKING, ClassVar

from django import forms
from django.conf import settings
from django.contrib.auth.forms import BaseUserCreationForm
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from players.models import Player, User
from players.people.countries import country_names

DEFAULT_TIME_ZONE = "UTC"

if TYPE_CHECKING:  # Django's forms are generic for the type checker alone
    _NewAccountForm = BaseUserCreationForm[User]
    _AccountForm = forms.ModelForm[User]
else:
    _NewAccountForm, _AccountForm = BaseUserCreationForm, forms.ModelForm


def time_zones() -> list[tuple[str, str]]:
    """UTC and the zones of the time zone database that are named for a place, with their labels."""
    named = sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone and not zone.startswith("Etc/"))
    return [(zone, zone.replace("_", " ")) for zone in (DEFAULT_TIME_ZONE, *named)]


class SignUpForm(_NewAccountForm):
    """A name, a password, and an address for those who may forget it."""

    email = forms.EmailField(
        label=_("E-mail"), required=False, help_text=_("Only for a forgotten password. May stay empty.")
    )
    time_zone = forms.CharField(
        required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-browser-zone": ""})
    )

    class Meta:
        model = User
        fields: ClassVar = ["username", "email"]

    def clean_time_zone(self) -> str:
        """The browser's zone, or UTC if it is unknown here; an unknown zone must not prevent the sign-up."""
        zone: str = self.cleaned_data["time_zone"]
        return zone if zone in zoneinfo.available_timezones() else DEFAULT_TIME_ZONE


class PreferencesForm(_AccountForm):
    """How pages look for this account."""

    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=[("", _("as the browser asks")), *settings.LANGUAGES]
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=time_zones)

    class Meta:
        model = User
        fields: ClassVar = ["language", "time_zone", "clock", "email"]
        labels: ClassVar = {"clock": _("Clocks"), "email": _("E-mail")}

    def __init__(self, data: QueryDict | None, *, instance: User, player: Player | None) -> None:
        super().__init__(data, instance=instance)
        if player is not None:  # the country is a column of the player
            self.fields["country"] = forms.ChoiceField(
                label=_("Country"), required=False, initial=player.country,
                choices=[("", _("not said")), *country_names().items()],
            )  # fmt: skip
        self.fields["clock"].help_text = _("How times of games are shown to you. Ranks are the same either way.")
