from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Q

from players.models import User
from players.usernames import looks, reserved_looks


def similar_account_exists(name: str) -> bool:
    """Return whether an account or a reserved name looks like ``name``."""
    sought = looks(name)
    if {sought.written, sought.folded} & reserved_looks():
        return True
    return User.objects.filter(Q(looks_written=sought.written) | Q(looks_folded=sought.folded)).exists()


def account_name(typed: str) -> str:
    """The name of the account that somebody means who typed ``typed``: capitals do not matter.  Else ``typed``."""
    sought = looks(typed).folded
    names = list(User.objects.filter(looks_folded=sought).values_list("username", flat=True))
    same = [name for name in names if name.casefold() == typed.casefold()]
    return same[0] if len(same) == 1 and typed not in names else typed


def has_second_factor(user: User) -> bool:
    return bool(Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP).exists())


def address_is_verified(user: User) -> bool:
    return bool(EmailAddress.objects.filter(user=user, email=user.email.lower(), verified=True).exists())
