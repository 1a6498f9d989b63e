from __future__ import annotations

from django.http import HttpRequest

from players.web.users import signed_in_user
from replays.trust.ownership.selectors import MOST_COUNTED, waiting_count


def games_waiting(request: HttpRequest) -> dict[str, object]:
    """``games_waiting``: the count as a text, "" if there are none; computed only by templates that show it."""

    def text() -> str:
        user = signed_in_user(request) if hasattr(request, "user") else None
        count = 0 if user is None else waiting_count(user)
        return f"{MOST_COUNTED}+" if count > MOST_COUNTED else str(count or "")

    return {"games_waiting": text}
