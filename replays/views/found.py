"""The replay that an address names."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from replays.models import Replay
from replays.selectors import replay_detail
from replays.views.upload import viewer_of


def replay_or_404(request: HttpRequest, pk: int) -> Replay:
    """One that the visitor may see; others are as good as absent."""
    try:
        return replay_detail(pk, viewer_of(request))
    except Replay.DoesNotExist as error:
        raise Http404 from error
