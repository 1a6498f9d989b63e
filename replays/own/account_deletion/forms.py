from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from players.accounts.forms import ProofForm
from players.models import User
from replays.models import AccountDeletion

Uploads = AccountDeletion.Uploads


class DeletionForm(ProofForm):
    """Nothing is selected beforehand."""

    field_order = ["uploads", "password", "code", "final"]

    uploads = forms.ChoiceField(
        label=_("Your uploads"),
        widget=forms.RadioSelect,
        choices=[
            (Uploads.LEAVE, _("Keep my replays on the site, but not under my account.")),
            (Uploads.DELETE, _("Delete my uploads.")),
        ],
    )
    final = forms.BooleanField(label=_("I understand that this can't be undone."))

    def __init__(self, data: Mapping[str, Any] | None, *, user: User) -> None:
        super().__init__(data, user=user)
        self.order_fields(self.field_order)
