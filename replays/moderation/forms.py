from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.decision_log import MAX_REASON, Kind, Rule
from players.models import MAX_NAME_CHARS, User
from replays.models import BanAppeal
from replays.moderation.services import Verdict
from replays.moderation.things import RULES

#: How long bans of the forms last, in days; 0: without an end.
DAYS: Final = ((1, _("1 day")), (7, _("7 days")), (30, _("30 days")), (365, _("1 year")), (0, _("Permanent")))
_RULES: Final = [("", _("Choose…")), *Rule.choices]


def end_of(days: int) -> datetime | None:
    return timezone.now() + timedelta(days=days) if days else None


class ReportForm(forms.Form):
    rule = forms.ChoiceField(label=_("What's wrong?"), widget=forms.RadioSelect)
    text = forms.CharField(
        label=_("Reason in one sentence (optional)"), max_length=MAX_REASON, required=False,
        help_text=_("Only moderators see this."), widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip

    def __init__(self, data: object = None, *, kind: Kind) -> None:
        super().__init__(data)  # type: ignore[arg-type]  # of a request
        self.fields["rule"].choices = [(rule.value, rule.label) for rule in RULES[kind]]  # type: ignore[attr-defined]


class VerdictForm(forms.Form):
    """A decision about a thing; what is possible depends on its kind, and is checked by the service."""

    action = forms.CharField(max_length=16)
    rule = forms.ChoiceField(choices=_RULES, required=False)
    reason = forms.CharField(max_length=MAX_REASON, required=False)
    new_name = forms.CharField(max_length=MAX_NAME_CHARS, required=False)
    ban = forms.TypedChoiceField(choices=[("", ""), *DAYS], coerce=int, empty_value=None, required=False)

    def verdict(self) -> Verdict:
        given = self.cleaned_data
        bans = given["ban"] is not None
        until = end_of(given["ban"]) if bans else None
        return Verdict(given["action"], given["rule"], given["reason"], given["new_name"], bans, until)


class BanForm(forms.Form):
    username = forms.CharField(
        label=_("Username"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )
    rule = forms.ChoiceField(label=_("Reason"), choices=_RULES)
    reason = forms.CharField(
        label=_("Reason in one sentence (the user will see it)"), max_length=MAX_REASON, required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )  # fmt: skip
    days = forms.TypedChoiceField(label=_("Ban length"), choices=DAYS, coerce=int, initial=7)

    def clean_username(self) -> User:
        user = User.objects.filter(username=self.cleaned_data["username"]).first()
        if user is None:
            raise forms.ValidationError(_("This account doesn't exist."))
        return user


class AppealForm(forms.Form):
    text = forms.CharField(
        label=_("Why is the ban wrong?"), max_length=BanAppeal.MAX_CHARS,
        widget=forms.Textarea(attrs={"rows": 6}), help_text=_("Only moderators read this."),
    )  # fmt: skip
