from __future__ import annotations

import uuid
import zlib
from collections.abc import Iterable
from dataclasses import asdict
from typing import Final

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from analysis.fair import Rules
from analysis.limits import MAX_REPLAY_BYTES
from analysis.recording import LEVEL_SHAPES, Level
from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.leaderboards.pages.board_texts import level_text
from players.web.clock import counts_from_one, shown_text
from players.web.errors import not_found
from players.web.links import replay_address
from players.web.problems import Refused
from players.web.users import signed_in_user
from replays.play.models import LiveGame
from replays.play.sockets.visitors import guest_in, set_guest_cookie, visitor_of
from replays.play.solo.selectors import best_time_ms, decided_games, game_detail, game_of_replay, last_games
from replays.play.solo.services import UNKEPT_GAMES_DAYS
from replays.play.solo.shapes import BadShape, GameShape, shape_of
from replays.play.solo.unranked_reasons import reason_text, texts
from replays.trust.judging.permissions import replay_or_404
from replays.watch.any_file.film_alone import film_alone
from replays.watch.any_file.selectors import watched_file
from replays.watch.film.services import count_film

_MS: int = 1_000
#: Games after which a guest is told how to keep them.
_SAVE_AFTER: Final = 3
_CELL_SIZES_PX: Final = (16, 20, 24, 28, 32, 40, 48)


@require_safe
def play(request: HttpRequest) -> HttpResponse:
    levels = [
        {
            "value": level.value, "text": level_text(level.value), "rows": rows, "columns": columns, "mines": mines,
            "address": reverse("play-level", args=[level.value]),
        }
        for level, (rows, columns, mines) in LEVEL_SHAPES.items()
    ]  # fmt: skip
    return render(request, "replays/play/solo/play.html", {"levels": levels, "rules": LiveGame.Rules.choices})


@require_safe
@ensure_csrf_cookie
@never_cache
def play_level(request: HttpRequest, level: str) -> HttpResponse:
    """The page on which a game is played: ``?rules=``, and for ``custom`` ``?rows=&columns=&mines=``."""
    if level not in [one.value for one in Level]:
        return not_found(request, _("This level doesn't exist."))
    try:
        shape = shape_of({**request.GET.dict(), "level": level})
    except BadShape as error:
        return render(request, "replays/play/solo/play.html", {"problem": str(error), **_form(request)}, status=400)
    response = render(request, "replays/play/solo/solo.html", _solo_context(request, shape))
    # With the opener policy that every page has, this gives the page a clock of microseconds; it loads nothing foreign.
    response.headers["Cross-Origin-Embedder-Policy"] = "require-corp"
    set_guest_cookie(response, visitor_of(request))  # the page shows the guest's games of next time
    return response


def _form(request: HttpRequest) -> dict[str, object]:
    given = {name: request.GET.get(name, "") for name in ("rows", "columns", "mines", "rules")}
    return {"given": given, "rules": LiveGame.Rules.choices, "levels": []}


def _solo_context(request: HttpRequest, shape: GameShape) -> dict[str, object]:
    user, guest = signed_in_user(request), guest_in(request)
    from_one = counts_from_one()
    unranked = shape.unranked or ("" if user is not None else "guest")
    best = best_time_ms(user, shape.level)
    allowed = {"left_chords": settings.RANK_LEFT_CHORDS, "touch": settings.RANK_TOUCH}
    config = {
        **asdict(shape),
        "ranked": not unranked, "reason": unranked, "rank_settings": allowed, "texts": texts(),
        "account": 0 if user is None else user.pk, "from_one": from_one, "best_ms": best,
    }  # fmt: skip
    return {
        "level": shape.level.value, "level_text": level_text(shape.level.value), "rows": shape.rows,
        "columns": shape.columns, "mines": shape.mines, "mines_shown": f"{shape.mines:03}",
        "from_one": from_one, "time_shown": f"{from_one:03}", "rules": shape.rules.value, "ranked": not unranked,
        "unranked_text": reason_text(unranked), "settings": allowed, "shape_ranks": not shape.unranked,
        "guest_games": decided_games(guest, _SAVE_AFTER) if user is None else 0, "save_after": _SAVE_AFTER,
        "kept_days": UNKEPT_GAMES_DAYS,
        "last_games": list(game_lines(last_games(user, guest, shape.level))),
        "user": user, "play_config": config, "levels": [one.value for one in LEVEL_SHAPES],
        "all_rules": LiveGame.Rules.choices, "rules_text": capfirst(LiveGame.Rules(shape.rules.value).label),
        "sitting": f"{shape.level.value} {shape.rows} {shape.columns} {shape.mines} {shape.rules.value}",
        "cell_sizes": _CELL_SIZES_PX, "key_names": _key_names(),
    }  # fmt: skip


def _key_names() -> list[tuple[str, str]]:
    """Return what a key can do (``solo/settings.js``), with its name."""
    return [
        ("open", _("Open")), ("flag", _("Flag")), ("chord", _("Chord")), ("mark", _("Flag or chord")),
        ("restart", _("New game")),
    ]  # fmt: skip


def game_lines(games: Iterable[LiveGame]) -> Iterable[dict[str, object]]:
    for game in games:
        seconds = (game.time_ms or 0) / _MS
        done = game.counts.get("bvdone", 0)
        yield {
            "id": str(game.pk), "address": game.get_absolute_url(), "result": game.result, "state": game.state,
            "reason": game.reason, "time_text": "" if game.time_ms is None else time_text(game.time_ms),
            "bv": game.bv, "bvdone": done, "bvs": value_text(BY_NAME["bvs"], done / seconds) if seconds else "",
            "replay_url": "" if game.replay_id is None else replay_address(game.replay_id), "when": game.created_at,
        }  # fmt: skip


def time_text(time_ms: int) -> str:
    return shown_text(BY_NAME["time"], time_ms / _MS, precision_ms=1)


@require_safe
def verify(request: HttpRequest) -> HttpResponse:
    """Drawing the board of a game again, in the browser; ``?game=`` or ``?replay=`` fills in the form."""
    found = _game_to_verify(request)
    context: dict[str, object] = {"rules": LiveGame.Rules.choices, "game": found, "verify_config": None}
    if found is not None:
        context["verify_config"] = verification(found)
    return render(request, "replays/play/solo/verify.html", context)


def _game_to_verify(request: HttpRequest) -> LiveGame | None:
    game, replay = request.GET.get("game", ""), request.GET.get("replay", "")
    if replay.isascii() and replay.isdigit() and len(replay) <= len(str(2**63)):
        return game_of_replay(replay_or_404(request, int(replay)))
    try:
        game_id = uuid.UUID(game)
    except ValueError:
        return None
    found = game_detail(game_id, signed_in_user(request), guest_in(request))
    return found if found is not None and found.has_ended else None


def verification(game: LiveGame) -> dict[str, object]:
    """Return what ``verify.js`` needs of a game that has ended; the mines to compare with are those of its replay."""
    return {
        "game": str(game.pk), "commit": game.commit, "secret": game.secret_hex, "nonce": game.nonce_hex,
        "rows": game.rows, "columns": game.columns, "mines": game.mines, "rules": Rules(game.rules).value,
        "first_cell": game.first_cell, "attempt": game.attempt,
    }  # fmt: skip


def _play_address(game: LiveGame) -> str:
    """The page on which games like ``game`` are played."""
    query: dict[str, object] = {}
    if game.level == Level.CUSTOM:
        query = {"rows": game.rows, "columns": game.columns, "mines": game.mines, "rules": game.rules}
    elif game.rules != LiveGame.Rules.XP:
        query = {"rules": game.rules}
    return reverse("play-level", args=[game.level], query=query)


@require_safe
def game(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    user = signed_in_user(request)
    found = game_detail(pk, user, guest_in(request))
    if found is None:
        raise Http404(_("This game doesn't exist."))
    (line,) = game_lines([found])
    context = {
        "game": found, "line": line, "reason_text": reason_text(found.reason), "level_text": level_text(found.level),
        "added_ms": _added_ms(found), "play_address": _play_address(found),
        "provenance": verification(found) if found.has_ended else None,
        "verify_address": f"{reverse('play-verify')}?game={found.pk}",
        "kept_days": 0 if found.user_id or found.replay_id else UNKEPT_GAMES_DAYS,
        **_film(request, found),
    }  # fmt: skip
    return render(request, "replays/play/solo/game.html", context)


def _film(request: HttpRequest, game: LiveGame) -> dict[str, object]:
    """The film of a decided game that is no replay, as games of guests are; made anew each time, so it may be refused."""
    if game.recording is None:
        return {}
    try:
        count_film(request)
        return film_alone(request, watched_file(zlib.decompress(game.recording), MAX_REPLAY_BYTES))
    except Refused as refusal:
        return {"film_refused": str(refusal)}


def _added_ms(game: LiveGame) -> int:
    """Return by how much the time that counts is longer than the player's own clock; 0 for a game that was not decided."""
    if game.state != LiveGame.State.OVER or game.time_ms is None or game.client_span_ms is None:
        return 0
    return max(0, game.time_ms - game.client_span_ms)
