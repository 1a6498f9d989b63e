from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from players.web.errors import handle_bad_addresses
from players.web.parameters import form_of
from replays.models import Replay
from replays.watch.clips import store
from replays.watch.clips.clip_times import FROM, TO, seconds
from replays.watch.clips.services import MOST_MS, Clip, State, ask, clip_of
from replays.watch.pictures.selectors import pictured_replay
from replays.watch.pictures.tags import moment_ms

_Form: Final = form_of(FROM, TO)
_SECOND: Final = 1000


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@handle_bad_addresses
def clip_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose a clip, ask for it, see how far it is.  ``t``: the moment in the middle of what is proposed."""
    replay = pictured_replay(pk)
    if request.method == "POST":
        clip = _clip(replay, request.POST)
        ask(clip, request)
        return redirect(clip.address("replay-clip"))
    context: dict[str, object] = {"replay": replay}
    if "from" not in request.GET:
        begin, end = _proposed(replay, request.GET.get("t", ""))
        return render(request, "replays/watch/clips/clip.html", context | {"begin": begin, "end": end})
    clip = _clip(replay, request.GET)
    state = clip.state
    context |= {
        "begin": seconds(clip.from_ms), "end": seconds(clip.to_ms), "state": state.value,
        "is_waiting": state in (State.WAITING, State.DRAWING), "gif": clip.address("replay-clip-gif"), "here": clip.address("replay-clip"),
    }  # fmt: skip
    return render(request, "replays/watch/clips/clip.html", context)


@require_safe
@handle_bad_addresses
def clip_gif(request: HttpRequest, pk: int) -> HttpResponse:
    """Send a clip that was drawn, if the replay still has pictures."""
    replay = pictured_replay(pk)
    clip = _clip(replay, request.GET)
    data = store.read(clip.name)
    if data is None:
        raise Http404(_("This clip hasn't been made yet."))
    response = HttpResponse(data, content_type="image/gif")
    response["Cache-Control"] = "private, no-cache"
    response["X-Content-Type-Options"] = "nosniff"
    name = f"sweepbook-{pk}-{seconds(clip.from_ms)}.gif"
    response["Content-Disposition"] = f'inline; filename="{name}"'
    return response


def _clip(replay: Replay, query: QueryDict) -> Clip:
    values = _Form(query).values()
    return clip_of(replay, values["from"], values["to"])


def _proposed(replay: Replay, moment: str) -> tuple[str, str]:
    """The six seconds around a moment; without one the last of the game."""
    length = int(replay.statistic("time_ms") or 0)
    middle = moment_ms(moment)
    begin = length - MOST_MS if middle is None else middle - MOST_MS // 2
    begin = max(0, min(begin, length - MOST_MS))
    return seconds(begin), seconds(max(_SECOND, min(length, begin + MOST_MS)))
