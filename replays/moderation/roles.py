from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from players.decision_log import log_switch
from players.models import User


def moderator_set(user: User, by: User | None, *, moderator: bool) -> bool:
    """Give or take the role; returns whether that changed anything.  ``by``: None for the command line.

    Raises ``ValidationError`` for an account that is banned or closed.
    """
    with transaction.atomic():
        row = User.objects.select_for_update(no_key=True).get(pk=user.pk)
        if row.is_moderator == moderator:
            return False
        if moderator and (row.is_banned or not row.is_active):
            raise ValidationError(_("A banned or closed account can't be a moderator."))
        row.is_moderator = moderator
        row.save(update_fields=["is_moderator"])
        log_switch(row, "is_moderator", by)
    return True
