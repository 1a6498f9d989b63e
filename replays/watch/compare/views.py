from __future__ import annotations

from typing import Final

import numpy as np
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext
from django.views.decorators.http import require_safe

from analysis.film.progress import Progress, time_of
from analysis.statistics import BY_NAME
from analysis.time_convention import MS_PER_SECOND, number_text
from players.web.clock import counts_from_one, shown_text
from players.web.errors import handle_bad_addresses
from players.web.parameters import form_of, known_query
from replays.models import Replay
from replays.watch.compare.graph import split_graph
from replays.watch.compare.parameters import ALIGN, FIRST, LAYOUT, SECOND
from replays.watch.compare.picks import PICKS, TITLES, picked
from replays.watch.compare.selectors import Comparison, compare
from replays.watch.film.film_texts import PLAYER_TEXTS, translated
from replays.watch.film.selectors import film_version, watched_replay
from replays.watch.film.services import count_film
from replays.watch.standing.selectors import same_board

#: Clicks on the same cell that the page lists and draws; the API has all.
MOST_COMMON: Final = 200
#: Where the lead is told, in percent of the 3BV.
_QUARTERS: Final = (25, 50, 75)
_TEXTS: Final = {
    "ahead": gettext_noop("%(name)s is ahead by %(seconds)s s"),
    "level": gettext_noop("level"),
    "over": gettext_noop("The first game is over."),
}
_Form: Final = form_of(FIRST, SECOND, ALIGN, LAYOUT)
_SORTS: Final = {"left": gettext_noop("left"), "right": gettext_noop("right"), "double": gettext_noop("double")}
_SHOWN_FIRST: Final = frozenset(
    {"time", "bv", "bvs", "ioe", "cl", "ce", "cls", "corr", "thrp", "path", "flags", "stnb"}
)


@require_safe
@handle_bad_addresses
def comparison(request: HttpRequest) -> HttpResponse:
    """Two replays beside each other; of one alone, with what it may be compared."""
    values = _Form(request.GET).values()
    context: dict[str, object] = {"chosen": values}
    if values["a"] is None:
        return render(request, "replays/watch/compare/compare.html", context)
    first, b = watched_replay(values["a"]), values["b"]
    if isinstance(b, str):
        number = picked(first, b)
        if number is not None:
            query = known_query(request.GET)
            query["b"] = str(number)
            return HttpResponseRedirect(f"{request.path}?{query.urlencode()}")
        context["nothing"] = TITLES[b]
    elif b is not None:
        second = watched_replay(b)
        count_film(request, 2)
        context |= _shown(compare(first, second))
    context |= {
        "first": first,
        "picks": [(word, TITLES[word]) for word in PICKS],
        "same_board": same_board(first),
    }
    return render(request, "replays/watch/compare/compare.html", context)


def _shown(found: Comparison) -> dict[str, object]:
    lead = found.splits.lead  # of the first game, in ms; 0 is between the least and the greatest
    behind, ahead = float(np.min(lead, initial=0.0)), float(np.max(lead, initial=0.0))
    description = _("The first game is at most %(ahead)s s ahead and %(behind)s s behind") % {
        "ahead": seconds_text(ahead), "behind": seconds_text(-behind),
    }  # fmt: skip
    columns = found.first.columns or 1
    names = shown_names(found.first, found.second)
    return {
        "second": found.second,
        "found": found,
        "names": names,
        "data": _data(found, names),
        "graph": split_graph(found.splits, _("The first game's lead at equal progress"), description),
        "graph_text": description,
        "leads": [(share, lead_text(lead_at(found, share / 100), names)) for share in _QUARTERS],
        "largest": seconds_text(max(ahead, -behind)),
        "main": [one for one in found.differences if one.row.name in _SHOWN_FIRST],
        "others": [one for one in found.differences if one.row.name not in _SHOWN_FIRST],
        "common": [
            {
                "sort_text": _(_SORTS[click.sort]), "row": click.cell // columns + 1, "column": click.cell % columns + 1,
                "first": seconds_text(click.first_ms), "second": seconds_text(click.second_ms),
                "ahead": "AB"[click.first_ms > click.second_ms] if click.first_ms != click.second_ms else "",
                "by": seconds_text(abs(click.first_ms - click.second_ms)),
            }
            for click in found.common[:MOST_COMMON]
        ],
        "common_text": ngettext(
            "%(count)s click on the same cell", "%(count)s clicks on the same cell", len(found.common)
        )
        % {"count": len(found.common)},
        "most_common": MOST_COMMON if len(found.common) > MOST_COMMON else 0,
    }  # fmt: skip


def shown_names(first: Replay, second: Replay) -> tuple[str, str]:
    """Return how to call two games: by their players, or by letter and time where those have one name."""
    players = [game.player.shown_name if game.player else "" for game in (first, second)]
    if all(players) and players[0] != players[1]:
        return players[0], players[1]
    return _letter_and_time("A", first), _letter_and_time("B", second)


def _letter_and_time(letter: str, game: Replay) -> str:
    seconds = game.statistic("time")
    if seconds is None:
        return letter
    time = shown_text(BY_NAME["time"], float(seconds), precision_ms=game.time_precision_ms)
    return f"{letter} ({time} s)"


def _data(found: Comparison, names: tuple[str, str]) -> dict[str, object]:
    """Return the values for ``compare/compare.js``, as JSON."""
    return {
        "games": [
            _game(replay, progress, name)
            for replay, progress, name in zip((found.first, found.second), found.progress, names, strict=True)
        ],
        "sameBoard": found.same_board,
        "common": [
            {"sort": click.sort, "cell": click.cell, "times": [click.first_ms, click.second_ms]}
            for click in found.common[:MOST_COMMON]
        ],
        "first": int(counts_from_one()),
        "texts": translated(PLAYER_TEXTS | _TEXTS),
    }


def _game(replay: Replay, progress: Progress, name: str) -> dict[str, object]:
    return {
        "name": name,
        "film": f"{reverse('replay-film', args=[replay.pk])}?v={film_version(replay)}",
        "hash": (replay.game_hash or "")[:8],
        "progress": {"times": progress.times.tolist(), "done": progress.done.tolist(), "end": progress.end},
    }


def lead_at(found: Comparison, share: float) -> float | None:
    """Return by how many ms the first game was ahead at a share of the 3BV; None if one of them did not get so far."""
    total = float(found.first.statistic("bv") or 0) if found.same_board else 1.0
    done = total * share
    if not total or any(done > float(progress.done[-1]) for progress in found.progress):
        return None
    first, second = (float(time_of(progress, np.array([done]))[0]) for progress in found.progress)
    return second - first


def lead_text(lead_ms: float | None, names: tuple[str, str]) -> str:
    if lead_ms is None:
        return "–"
    name = names[0] if lead_ms > 0 else names[1] if lead_ms < 0 else "="
    return f"{name} {seconds_text(abs(lead_ms))} s"


def seconds_text(time_ms: float) -> str:
    return number_text(time_ms / MS_PER_SECOND, 2)
