from __future__ import annotations

from players.models import User
from players.web.api import Values


def store_viewer_settings(user: User, settings: Values) -> None:
    """Replace all settings; ``settings`` must be validated."""
    user.viewer_settings = settings
    user.save(update_fields=["viewer_settings"])
