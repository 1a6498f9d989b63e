"""The Jinja2 environment of ``templates/rows/``, the rows of long tables."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext, ngettext
from jinja2 import Environment

from players.leaderboards.board import board_address
from players.leaderboards.boards import games_in_value
from players.leaderboards.pages.board_texts import level_text, more_text, sub_n_text
from players.templatetags.marks import avatar, icon, level_icon, level_mark, listed_flag, medal
from players.templatetags.sweepbook import (
    NO_VALUE,
    difference,
    explained,
    percent,
    player_link,
    rank_step,
    reactions_html,
    top_text,
    translated,
    trend_mark,
    value,
    when,
)
from players.web.clock import shown_text
from players.web.links import progress_address, replay_address
from replays.models import Replay


def environment(**options: Any) -> Environment:
    made = Environment(extensions=["jinja2.ext.i18n"], **options)  # noqa: S701 - Django turns autoescape on
    made.install_gettext_callables(gettext, ngettext, newstyle=True)  # type: ignore[attr-defined]  # of the extension
    made.globals |= {
        "NO_VALUE": NO_VALUE, "avatar": avatar, "board_address": board_address, "difference": difference, "explained": explained, "flag": listed_flag,
        "games_in_value": games_in_value, "games_text": games_text, "icon": icon, "level_icon": level_icon, "level_mark": level_mark, "level_text": level_text,
        "medal": medal, "more_text": more_text, "percent": percent, "player_link": player_link, "progress_address": progress_address,
        "rank_step": rank_step, "reactions": reactions_html, "replay_address": replay_address,
        "result_text": result_text, "sub_n_text": sub_n_text, "top_text": top_text, "translated": translated,
        "trend_mark": trend_mark, "value": value, "shown_text": shown_text, "when": when,
    }  # fmt: skip
    return made


def games_text(count: int) -> str:
    return ngettext("%(games)s game", "%(games)s games", count) % {"games": count}


def result_text(result: str) -> str:
    return str(Replay.Result(result).label)
