"""The page of a player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.statistics import RANKED, Statistic
from players.claims.claimed_games import claimed_games
from players.db.pipeline import pipeline
from players.leaderboards.boards import COMBINED, ON_LEVEL, STYLE, STYLES
from players.leaderboards.ranked_games import GameLine, ranked_games
from players.leaderboards.records.by_game import records_by_game
from players.leaderboards.records.selectors import RecordRow, send_player_records
from players.leaderboards.sub_n.selectors import SubStep, send_sub_ladders
from players.models import MAX_ID, Identity, Player
from players.people.selectors import send_player_with_names
from players.profile.selectors import PlayerBests, RankedBest, send_player_bests
from players.web.errors import handle_bad_addresses
from players.web.parameters import choice, form_of
from players.web.statistic_groups import grouped

#: The statistics that are shown without ``?statistics=all``.
_MAIN: Final = ("time", "bvs", "rqp", "stnb", "corr", "thrp", "ioe", "gzne")
_RECENT = 10
#: Records that are read to show ``_RECENT`` games: a good game sets ten records or more.
_EVENTS_READ = 100
#: Most steps of a ladder that are shown, the lowest N first.
_LADDER_STEPS = 24


@dataclass(frozen=True, slots=True)
class BestsRow:
    """A statistic with the player's best on each shown level."""

    row: Statistic
    cells: list[tuple[str, RankedBest | None]]


@dataclass(frozen=True, slots=True)
class BestsGroup:
    """The statistics of one group for which the player has bests."""

    title: str
    rows: list[BestsRow]


#: The parameters of the page; ``statistics=all``: bests of every statistic instead of the main ones.
ProfileForm = form_of(STYLE, choice("statistics", ["all"]))


@require_safe
@handle_bad_addresses
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Personal bests with ranks, the sub ladder, the latest records and replays."""
    values = ProfileForm(request.GET).values()
    style, every = values["style"], values["statistics"] == "all"
    read = _read(min(pk, MAX_ID), style, () if every else _MAIN)
    found, names, bests = read.player, read.names, read.bests
    levels = [level for level in (*ON_LEVEL, COMBINED) if level in bests]
    context: dict[str, object] = {
        "player": found,
        "names": [identity for identity in names if identity.name != found.name],
        "claimed": any(identity.state == Identity.State.CLAIMED for identity in names),
        "style": style,
        "styles": STYLES,
        "levels": levels,
        "every": every,
        "statistics": len(RANKED),
        "groups": _bests_groups(bests, levels, style),
        "headline": _headline(bests, levels, style),
        "ladders": _ladders(read.ladders),
        "records": records_by_game(read.records, _RECENT),
        "replays": read.replays,
        "not_owned": read.not_owned,
        "title": _("Player %(name)s") % {"name": found.shown_name},
    }
    return render(request, "players/player.html", context)


@dataclass(frozen=True, slots=True)
class _Read:
    """Everything that the page reads."""

    player: Player
    names: list[Identity]
    bests: PlayerBests
    ladders: dict[str, list[SubStep]]
    records: list[RecordRow]
    replays: list[GameLine]
    not_owned: int


def _read(pk: int, style: str, statistics: Sequence[str]) -> _Read:
    """Six statements in one pipeline; raises ``Player.DoesNotExist``.

    The bests come last: the database counts their ranks while Python reads the other results.
    """
    with pipeline():
        sent_player = send_player_with_names(pk)
        ladders = send_sub_ladders(pk, style)
        records = send_player_records(pk, _EVENTS_READ, style)
        replays = ranked_games().newest(_RECENT, pk)
        not_owned = claimed_games().send_not_owned(pk)
        bests = send_player_bests(pk, style, statistics)
        found, names = sent_player()
        return _Read(
            found, names, ladders=ladders(), records=records(), replays=replays(), not_owned=not_owned(), bests=bests()
        )


def _best(bests: PlayerBests, level: str, statistic: str, style: str) -> RankedBest | None:
    return bests.get(level, {}).get(statistic, {}).get(style)


def _bests_groups(bests: PlayerBests, levels: list[str], style: str) -> list[BestsGroup]:
    groups = []
    for group in grouped(RANKED):
        rows = [
            BestsRow(row, [(level, _best(bests, level, row.name, style)) for level in levels]) for row in group.rows
        ]
        rows = [entry for entry in rows if any(best for _level, best in entry.cells)]
        if rows:
            groups.append(BestsGroup(group.title, rows))
    return groups


def _headline(bests: PlayerBests, levels: list[str], style: str) -> list[tuple[str, RankedBest]]:
    """The best time of each level."""
    found = [(level, _best(bests, level, "time", style)) for level in levels]
    return [(level, best) for level, best in found if best is not None]


def _ladders(ladders: dict[str, list[SubStep]]) -> list[tuple[str, list[SubStep]]]:
    """By level, the steps with games in their last second, lowest N first."""
    return [
        (level, [step for step in ladders[level] if step.games_in_second][:_LADDER_STEPS])
        for level in ON_LEVEL
        if level in ladders
    ]
