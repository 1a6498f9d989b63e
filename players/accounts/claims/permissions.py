from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser

from players.models import User


def may_decide_names(viewer: User | AbstractBaseUser | AnonymousUser | None) -> bool:
    """Return whether ``viewer`` is staff with the permission to change names; the permission to view is not enough."""
    return isinstance(viewer, User) and viewer.acts_as_staff and viewer.has_perm("players.change_identity")
