from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser

from players.models import User


def may_decide_names(viewer: User | AbstractBaseUser | AnonymousUser | None) -> bool:
    """Return whether ``viewer`` is a moderator, or staff that may change names; the permission to view is not enough."""
    return isinstance(viewer, User) and viewer.may_moderate("players.change_identity")
