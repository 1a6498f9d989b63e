from __future__ import annotations

import zoneinfo
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from allauth.account import forms as allauth
from allauth.account.adapter import get_adapter
from allauth.mfa.base import forms as mfa
from allauth.mfa.totp import forms as totp
from babel import Locale
from babel.core import get_global
from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from players.accounts.selectors import account_name, has_second_factor
from players.accounts.services import store_new_account
from players.models import Player, User
from players.people.countries import country_names
from players.tokens.services import tokens_end

DEFAULT_TIME_ZONE: Final = "UTC"
#: The regions of zones, with the territories of CLDR whose names they have; oceans are none.
_REGIONS: Final[Mapping[str, str]] = {
    "Africa": "002", "America": "019", "Antarctica": "AQ", "Asia": "142", "Atlantic": "", "Australia": "AU", "Europe": "150",
    "Indian": "", "Pacific": "",
}  # fmt: skip
#: Older names of zones, which browsers may still send, and those of today.
_ALIASES: Final[Mapping[str, str]] = get_global("zone_aliases")

if TYPE_CHECKING:  # Django's forms are generic for the type checker alone
    _AccountForm = forms.ModelForm[User]
else:
    _AccountForm = forms.ModelForm


_Choices: TypeAlias = list[tuple[str, str]]


def time_zones() -> list[tuple[str, str | _Choices]]:
    """Return UTC and the zones named for a city, by region, with the names of the cities in the active language."""
    return _time_zones((get_language() or settings.LANGUAGE_CODE).replace("hans", "Hans"))


@cache
def _time_zones(language: str) -> list[tuple[str, str | _Choices]]:
    locale = Locale.parse(language, sep="-")
    # CLDR has some cities under the older names of their zones.
    cities = {_ALIASES.get(zone, zone): names["city"] for zone, names in locale.time_zones.items() if "city" in names}
    regions: dict[str, dict[str, str]] = {region: {} for region in _REGIONS}
    for zone in sorted(zoneinfo.available_timezones() - _ALIASES.keys()):
        region, slash, place = zone.partition("/")
        if slash and region in regions:
            regions[region].setdefault(cities.get(zone) or place.split("/")[-1].replace("_", " "), zone)
    oceans = {
        "Atlantic": gettext("Atlantic Ocean"),
        "Indian": gettext("Indian Ocean"),
        "Pacific": gettext("Pacific Ocean"),
    }
    groups: list[tuple[str, str | _Choices]] = [(DEFAULT_TIME_ZONE, DEFAULT_TIME_ZONE)]
    for region, territory in _REGIONS.items():
        found = sorted((city, zone) for city, zone in regions[region].items())
        groups.append((locale.territories.get(territory) or oceans[region], [(zone, city) for city, zone in found]))
    return groups


def country_choices() -> _Choices:
    return [("", gettext("not set")), *country_names().items()]


class _Labelled(forms.Form):
    """A form of allauth without its placeholders: labels say the same, and do not vanish when somebody types."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs.pop("placeholder", None)
        if "email" in self.fields:
            self.fields["email"].label = _("E-mail")
        if "code" in self.fields:
            self.fields["code"].label = _("Verification code")


class SignInForm(_Labelled, allauth.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = _("Username")
        self.fields["password"].help_text = ""  # the page has a link to the reset

    def clean_login(self) -> str:
        return account_name(super().clean_login())


class SignUpForm(_Labelled, allauth.SignupForm):
    time_zone = forms.CharField(
        required=False, max_length=64, widget=forms.HiddenInput(attrs={"data-browser-zone": ""})
    )
    country = forms.ChoiceField(
        label=_("Country (optional)"), required=False, choices=country_choices,
        help_text=_("Shown as a flag next to your name. You can change it later."),
    )  # fmt: skip
    field_order = ["username", "email", "password1", "password2", "country"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if settings.EMAIL_IS_SENT:
            self.fields["email"].help_text = _("Optional. Only used if you forget your password.")
        else:
            del self.fields["email"]

    def clean_time_zone(self) -> str:
        """The browser's zone, or UTC if it is unknown here; an unknown zone must not prevent the sign-up."""
        given: str = self.cleaned_data["time_zone"]
        zone = _ALIASES.get(given, given)
        return zone if zone in zoneinfo.available_timezones() else DEFAULT_TIME_ZONE

    def save_account(self, user: User) -> User:
        return store_new_account(
            user,
            time_zone=self.cleaned_data["time_zone"],
            language=get_language() or "",
            country=self.cleaned_data["country"],
        )


class _EndsTokens(forms.Form):
    """A new password may end the tokens that were made under the old one."""

    end_tokens = forms.BooleanField(
        label=_("Also revoke all API tokens"),
        required=False,
        initial=True,
        help_text=_("You'll be signed out everywhere else either way."),
    )

    def end_access(self, user: User) -> None:
        """End the API tokens, if wanted.  Django ends all other sessions by itself."""
        if self.cleaned_data["end_tokens"]:
            tokens_end(user)


class PasswordChangeForm(_Labelled, allauth.ChangePasswordForm, _EndsTokens):
    field_order = ["oldpassword", "password1", "password2", "end_tokens"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].help_text = ""

    def save(self) -> None:
        super().save()
        self.end_access(self.user)


class PasswordResetForm(_Labelled, allauth.ResetPasswordKeyForm, _EndsTokens):
    field_order = ["password1", "password2", "end_tokens"]

    def save(self) -> None:
        super().save()
        self.end_access(self.user)


class AddressForm(_Labelled, allauth.AddEmailForm):
    """A new e-mail address."""


class ResetLetterForm(_Labelled, allauth.ResetPasswordForm):
    """To which address the letter goes."""


class ReauthenticateForm(_Labelled, allauth.ReauthenticateForm):
    """The password once more."""


class CodeForm(_Labelled, mfa.AuthenticateForm):
    """The code of the second factor."""


class CodeAgainForm(_Labelled, mfa.ReauthenticateForm):
    """The code once more."""


class FirstCodeForm(_Labelled, totp.ActivateTOTPForm):
    """The code that shows that an app has the secret."""


class ProofForm(_Labelled):
    """The password again, and the code where there is a second factor; for what cannot be undone.

    Neither a session nor a password alone is enough then.  An account without a password has the code alone, and one
    without both has nothing to prove itself with: ask ``can_prove`` first.
    """

    password = forms.CharField(
        label=_("Password"), strip=False, widget=forms.PasswordInput(attrs={"autocomplete": "current-password"})
    )
    code = forms.CharField(
        label=_("Verification code"), max_length=32, widget=forms.TextInput(attrs={"autocomplete": "one-time-code"})
    )

    def __init__(self, data: Mapping[str, Any] | None, *, user: User) -> None:
        super().__init__(data)
        self.user = user
        if not user.has_usable_password():
            del self.fields["password"]
        if not has_second_factor(user):
            del self.fields["code"]

    def clean(self) -> dict[str, Any]:
        """Look at the password only if all else is right, and at the code only if the password is: both are counted."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        if "password" in self.fields and not get_adapter().reauthenticate(self.user, cleaned["password"]):
            self.add_error("password", get_adapter().validation_error("incorrect_password"))
        elif "code" in self.fields:
            code = CodeAgainForm({"code": cleaned["code"]}, user=self.user)
            for errors in code.errors.values():
                self.add_error("code", list(errors))
        return cleaned


class PreferencesForm(_AccountForm):
    language = forms.ChoiceField(
        label=_("Language"), required=False, choices=[("", _("same as the browser")), *settings.LANGUAGES]
    )
    time_zone = forms.ChoiceField(label=_("Time zone"), choices=time_zones)
    country = forms.ChoiceField(label=_("Country"), required=False, choices=country_choices)

    class Meta:
        model = User
        fields: ClassVar = ["country", "language", "time_zone", "clock"]
        labels: ClassVar = {"clock": _("Show times")}

    def __init__(self, data: QueryDict | None, *, instance: User, player: Player | None) -> None:
        super().__init__(data, instance=instance, initial={"country": player.country} if player is not None else None)
        zones = self.fields["time_zone"]
        assert isinstance(zones, forms.ChoiceField)  # noqa: S101 - declared above
        if not zones.valid_value(instance.time_zone):  # one without a city, set before
            zones.choices = [*time_zones(), (instance.time_zone, instance.time_zone)]
        zones.widget.attrs["data-suggest-zone"] = _("Use this browser's time zone:")
        self.fields["clock"].help_text = _("How game times are shown to you. This doesn't affect rankings.")
