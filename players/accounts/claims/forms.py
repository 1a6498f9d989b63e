from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import MAX_NAME_CHARS, Claim


class ClaimForm(forms.Form):
    """A name exactly as in the replay file."""

    name = forms.CharField(label=_("Name in your replays"), max_length=MAX_NAME_CHARS, strip=False)


class AskStaffForm(forms.Form):
    text = forms.CharField(
        label=_("Why is this name yours?"),
        max_length=Claim.MAX_CHARS,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_(
            "Only moderators read this. Add anything that shows the name is yours: web pages, videos, or people who know you."
        ),
    )


class DecisionForm(forms.Form):
    decision = forms.ChoiceField(choices=[("approve", "approve"), ("refuse", "refuse")])
    reason = forms.CharField(max_length=255, required=False)
