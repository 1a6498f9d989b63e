from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from analysis import formats
from analysis.recording import Level
from analysis.statistics import BY_NAME, STATISTICS
from analysis.time_convention import time_decimals
from players.leaderboards import ranked_games
from players.leaderboards.boards import COMBINED_STATISTICS, ON_LEVEL
from players.leaderboards.pages.board_texts import level_text
from players.leaderboards.ranks.rows import BoardRow
from players.leaderboards.ranks.stored import Top
from players.templatetags.led import clock_text, led
from players.web.clock import counts_from_one, shown_text
from players.web.share import Share, card_of
from players.web.users import signed_in_user
from replays.browse.home.drawings import cell_symbols
from replays.browse.home.news import latest_news
from replays.browse.home.selectors import drawn, fastest, fastest_games, rooms_with_players, site_counts, trial
from replays.models import Replay
from replays.own.me.selectors import home_of
from replays.own.me.services import visit_home
from replays.upload.intake.permissions import may_upload

_TOP: Final = 5
_NEWEST: Final = 8
_NEWS: Final = 6
_BOARDS: Final = sum(map(len, ON_LEVEL.values())) + len(COMBINED_STATISTICS)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    user = signed_in_user(request)
    if user is not None:
        own = home_of(user, visit_home(user))
        if own.player is not None:
            return render(request, "replays/browse/home/home_own.html", {"own": own, "rooms": rooms_with_players()})
    tops = fastest_games(_TOP)
    context: dict[str, object] = {
        "tops": tops,
        "row": BY_NAME["time"],
        "statistics": len(STATISTICS),
        "boards": _BOARDS,
        "formats": ", ".join(module.NAME.upper() for module in formats.FORMATS),
        "may_upload": may_upload(request.user),
        "share": Share(reverse("home")),
        **_hero(tops),
        **_trial(tops),
    }
    return render(request, "replays/browse/home/home.html", context)


@require_safe
@vary_on_headers("HX-Request")
def news(request: HttpRequest) -> HttpResponse:
    """News and the newest replays: a page, or for the script of the home page what that one lacks."""
    newest = [(line, Replay.Result(line.result).label) for line in ranked_games.newest(_NEWEST)]
    context = {"news": latest_news(_NEWS), "newest": newest, "counts": site_counts()}
    part = request.headers.get("HX-Request") == "true"
    return render(request, f"replays/browse/home/{'_news' if part else 'news'}.html", context)


def _hero(tops: Sequence[Top]) -> dict[str, object]:
    """The context of the film: the fastest game of the hardest level that has one; {} if it cannot be drawn."""
    found = fastest(tops)
    if found is None:
        return {}
    level, best = found
    shown = drawn(best.replay_id) if best.replay_id is not None else None
    if shown is None:
        return {}
    clock = led(clock_text(_time(best)), _("Time"))
    leds = {"mines_led": led(f"{shown.mines_left:03}", _("Mines left")), "clock_led": clock}
    share = Share(reverse("home"), picture=card_of(best.replay_id, level_text(level), best.player.shown_name))
    return {
        "hero": shown, "hero_level": level, "champion": best, "first_second": int(counts_from_one()), "share": share, **leds,
    }  # fmt: skip


def _trial(tops: Sequence[Top]) -> dict[str, object]:
    """The context of the board to play on: that of the fastest Beginner game; {} if there is none."""
    found = fastest(tops, Level.BEGINNER.value)
    if found is None:
        return {}
    _level, best = found
    board = trial(best.replay_id) if best.replay_id is not None else None
    if board is None:
        return {}
    text = _time(best)
    decimals = "0" * time_decimals(best.precision_ms)
    config = {
        "rows": board.rows, "columns": board.columns, "mines": board.packed, "count": board.mines, "first": board.first,
        "best": best.value, "from_one": int(counts_from_one()), "texts": _trial_texts(best),
    }  # fmt: skip
    return {
        "trial": board, "trial_best": best, "trial_time": text, "cell_symbols": cell_symbols(), "trial_config": config,
        "trial_led": led(clock_text(text), best.player.shown_name), "own_led": led(f"{counts_from_one():03}.{decimals}", _("You")),
    }  # fmt: skip


def _time(best: BoardRow) -> str:
    return shown_text(BY_NAME["time"], best.value, precision_ms=best.precision_ms)


def _trial_texts(best: BoardRow) -> dict[str, str]:
    """Sentences of ``browse/home/try.js`` with ``{time}`` and ``{gap}``, and the names of cells for ``play/solo/table/keys.js``."""
    name = {"name": best.player.shown_name}
    return {
        "won": _("Cleared in {time} s, {gap} s behind %(name)s.") % name,
        "faster": _("Cleared in {time} s: faster than %(name)s!") % name,
        "lost": _("You hit a mine after {time} s."),
        "cell": _("Row {row}, column {column}: {shows}"),
        "cell.empty": _("empty"), "cell.closed": _("closed"), "cell.flag": _("flag"), "cell.question": _("question mark"),
        "cell.blast": _("exploded mine"), "cell.wrong_flag": _("wrong flag"), "cell.mine": _("mine"),
        "cell.pending": _("being opened"),
    }  # fmt: skip
