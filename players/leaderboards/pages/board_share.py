"""Text and picture of links to boards, for other sites."""

from __future__ import annotations

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext, ngettext

from players.leaderboards.boards import COMBINED_LEVELS, games_in_value
from players.leaderboards.pages.board_texts import level_text
from players.leaderboards.ranks import BoardPage, BoardRow
from players.web.clock import shown_text
from players.web.share import Picture, Share, card_of


def share_of_board(page: BoardPage) -> Share:
    """The first player whose result is final, how many there are, and the card of that game; of a sum, of the hardest level.

    A page that begins further down tells only how many there are.
    """
    path = page.board.url()
    players = ngettext("%(shown)s player", "%(shown)s players", page.board_size) % {"shown": intcomma(page.board_size)}
    if not page.rows:
        return Share(path)
    first = next((row for row in page.rows if not row.provisional), None)
    if first is None or page.rows[0].rank > 1:
        return Share(path, players)
    value = _value(page, first)
    return Share(path, f"#{first.rank} {first.player.shown_name} {value} · {players}", _card(page, first))


def _value(page: BoardPage, first: BoardRow) -> str:
    row = page.board.row
    if row is None:  # a sub-N board
        return ngettext("%(games)s game", "%(games)s games", first.games) % {"games": intcomma(first.games)}
    text = shown_text(
        row, first.value, precision_ms=first.precision_ms, games=games_in_value(page.board.level),
        decimals=page.decimals,
    )  # fmt: skip
    return f"{text} {gettext(row.shown_unit)}" if row.shown_unit else text


def _card(page: BoardPage, first: BoardRow) -> Picture | None:
    level, replay_id = page.board.level, first.replay_id
    if first.parts:
        level = COMBINED_LEVELS[-1]
        replay_id = first.parts[level].replay_id
    return card_of(replay_id, level_text(level), first.player.shown_name)
