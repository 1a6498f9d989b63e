from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils.translation import gettext_noop as _

from analysis.film.progress import Progress
from replays.models import Replay
from replays.watch.compare.selectors import Comparison
from replays.watch.film.film_texts import PLAYER_TEXTS, translated
from replays.watch.film.selectors import film_version

#: Clicks on the same cell that the page lists and draws; the API has all.
MOST_COMMON: Final = 200
_TEXTS: Final = {
    "ahead": _("%(name)s is ahead by %(seconds)s s"),
    "level": _("level"),
    "over": _("The first game is over."),
}


def comparison_data(found: Comparison, *, from_one: bool) -> dict[str, object]:
    """For ``compare/compare.js``, as JSON.  ``from_one``: times are shown counted from 1."""
    return {
        "games": [
            _game(replay, progress, name)
            for replay, progress, name in zip((found.first, found.second), found.progress, "AB", strict=True)
        ],
        "sameBoard": found.same_board,
        "common": [
            {"sort": click.sort, "cell": click.cell, "times": [click.first_ms, click.second_ms]}
            for click in found.common[:MOST_COMMON]
        ],
        "first": int(from_one),
        "texts": translated(PLAYER_TEXTS | _TEXTS),
    }


def _game(replay: Replay, progress: Progress, name: str) -> dict[str, object]:
    return {
        "name": name,
        "film": f"{reverse('replay-film', args=[replay.pk])}?v={film_version(replay)}",
        "hash": (replay.game_hash or "")[:8],
        "progress": {"times": progress.times.tolist(), "done": progress.done.tolist(), "end": progress.end},
    }
