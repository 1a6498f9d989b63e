from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import models
from django.utils.translation import gettext_lazy as _
from rest_framework.permissions import SAFE_METHODS

if TYPE_CHECKING:
    from rest_framework.views import APIView  # which imports the authentication of the settings, and so this module


class Scope(models.TextChoices):
    """A kind of requests.  A view names the scope of each of its methods that write, in ``token_scopes``.

    Without a name no token may be used.
    """

    READ = "read", _("read: everything the account can see")
    UPLOAD = "upload", _("upload: send and change replays, play live")
    DELETE = "delete", _("delete: your own uploads")


def required_scope(view: APIView | None, method: str) -> Scope | None:
    """The scope that ``method`` of ``view`` needs; None if the view names none, and no token may be used."""
    named: dict[str, Scope] = getattr(view, "token_scopes", {})
    return named.get(method, Scope.READ if method in SAFE_METHODS else None)
