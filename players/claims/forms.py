"""The form of a claim."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from players.models import MAX_NAME_CHARS


class ClaimForm(forms.Form):
    """A name exactly as in the replay file."""

    name = forms.CharField(label=_("Name in your replays"), max_length=MAX_NAME_CHARS, strip=False)
