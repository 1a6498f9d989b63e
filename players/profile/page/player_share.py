"""Text and picture of links to the pages of a player, for other sites."""

from __future__ import annotations

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import ngettext

from analysis.statistics import BY_NAME
from players.leaderboards import ranked_games
from players.leaderboards.boards import GAME_LEVELS
from players.leaderboards.pages.board_texts import level_text
from players.models import ALL_STYLES, Player
from players.profile.charts.games import Totals
from players.profile.page.selectors import PlayerBests
from players.web.clock import shown_text
from players.web.share import Share, card_of


def share_of_player(
    path: str, player: Player, totals: Totals, bests: PlayerBests, style: str
) -> Share:  # fmt: skip
    """The best time of each level in words, the hardest level first, and the card of the first of these games.

    Provisional ones are left out.  Without ``bests``: how many games there are.
    """
    found = [
        (level_text(level), best)
        for level in GAME_LEVELS
        if (best := bests.get(level, {}).get("time", {}).get(style)) is not None
    ]
    marks = ranked_games.marks_of([best.replay_id for _level, best in found if best.replay_id is not None])
    times = [
        (level, best) for level, best in found if best.replay_id in marks and not marks[best.replay_id].provisional
    ]
    texts = [
        f"{level} {shown_text(BY_NAME['time'], best.value, precision_ms=best.precision_ms)} s" for level, best in times
    ]
    if not times:
        return Share(path, _games(totals) if totals.games else "", kind="profile")
    level, first = times[0]
    picture = card_of(first.replay_id, level, player.shown_name)
    return Share(path, " · ".join([*([] if style == ALL_STYLES else [style]), *texts]), picture, kind="profile")


def _games(totals: Totals) -> str:
    text = ngettext("%(games)s game, %(won)s won", "%(games)s games, %(won)s won", totals.games)
    return text % {"games": intcomma(totals.games), "won": intcomma(totals.won)}
