"""The name under which migration 0005 imports :class:`players.models.LogPosition`."""

from players.models import LogPosition

Moment = LogPosition
