from __future__ import annotations

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis import warmup
from analysis.board import board_facts
from analysis.statistics import BY_NAME
from players.leaderboards.pages.board_texts import level_text
from players.leaderboards.pages.views import tops_in_order
from players.leaderboards.ranked_games import ranked_games
from players.leaderboards.ranks.stored import Top, top_rows
from players.leaderboards.records.by_game import records_by_game
from players.leaderboards.records.selectors import latest_records
from players.models import ALL_STYLES
from players.web.users import signed_in_user
from replays.browse.home.selectors import site_counts
from replays.browse.lists.board_svg import board_svg
from replays.models import Replay
from replays.own.me.selectors import home_of
from replays.own.me.services import visit_home

_TOP = 5
_NEWEST = 10
_RECORDS = 8
#: Records that are read to show ``_RECORDS`` games: a good game sets many at once.
_EVENTS_READ = 120
_DRAWING_SECONDS = 24 * 60 * 60


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    user = signed_in_user(request)
    if user is not None:
        own = home_of(user, visit_home(user))
        if own.player is not None:
            return render(request, "replays/browse/home/home_own.html", {"own": own, **_news()})
    tops = top_rows(style=ALL_STYLES, count=_TOP)
    context: dict[str, object] = {
        "tops": tops_in_order(tops),
        "counts": site_counts(),
        "row": BY_NAME["time"],
        **_news(),
        **_champion(tops),
    }
    return render(request, "replays/browse/home/home.html", context)


def _news() -> dict[str, object]:
    return {
        "newest": ranked_games().newest(_NEWEST)(),
        "records": records_by_game(latest_records(_EVENTS_READ), _RECORDS),
    }


def _champion(tops: list[Top]) -> dict[str, object]:
    """The context of the drawing: the fastest game of the hardest level that has one."""
    for top in reversed(tops):
        best = top.rows[0] if top.rows else None
        if best is not None and best.replay_id is not None:
            drawing = _drawing(best.replay_id)
            return {"champion": best, "champion_level": top.key.level, "champion_board": drawing}
    return {}


def _drawing(replay_id: int) -> SafeString:
    """The cached drawing of a replay's minefield; "" if the replay was just deleted, or the kernels are not ready."""
    if not warmup.is_ready("analysis"):
        return SafeString()
    key = f"board-drawing:{replay_id}:{get_language()}"  # the board of a replay never changes
    return SafeString(caches["local"].get_or_set(key, lambda: _draw(replay_id), _DRAWING_SECONDS) or "")


def _draw(replay_id: int) -> str:
    replay = Replay.objects.only("level", "bv", "board", "rows", "columns").filter(pk=replay_id).first()
    if replay is None or replay.board is None:
        return ""
    title = _("The board of the fastest game: %(level)s") % {"level": level_text(replay.level)}
    return board_svg(board_facts(replay.board_object()), title, f"3BV {replay.statistic('bv')}")
