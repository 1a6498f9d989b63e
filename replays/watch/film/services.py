from __future__ import annotations

from typing import Final

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from players.models import User
from players.web.api import Values
from players.web.rate_limits import RateLimit, client_address, count_or_refuse

FILM_LIMIT: Final = RateLimit("films", "600/minute")


def count_film(request: HttpRequest | Request, number: int = 1) -> None:
    """Count films, odds, routes or formulas for the visitor's address, apart from positions.  Raises ``Refused``."""
    count_or_refuse(FILM_LIMIT, client_address(request), _("Too many replays loaded. Try again in a minute."), number)


def store_viewer_settings(user: User, values: Values) -> None:
    """Replace all settings; ``values`` must be validated."""
    user.viewer_settings = values
    user.save(update_fields=["viewer_settings"])
