from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.statistics import BY_NAME, RANKED, Statistic
from players.db.pipeline import pipeline
from players.leaderboards.boards import (
    COMBINED,
    COMBINED_NAMES,
    HARDEST_FIRST,
    ON_LEVEL,
    STYLE,
    STYLES,
    BoardKey,
    board_key,
)
from players.leaderboards.ranked_games import Corpse, GameLine, ranked_games
from players.leaderboards.ranks import percentile
from players.leaderboards.records.by_game import records_by_game
from players.leaderboards.records.selectors import RecordRow, send_player_records
from players.leaderboards.sub_n.selectors import SubStep, send_sub_ladders
from players.models import MAX_ID, Identity, Player
from players.people.countries import country_name
from players.people.selectors import send_player_with_names
from players.profile.charts import games as player_games
from players.profile.charts.games import Totals
from players.profile.charts.kinds.catalogue import KINDS
from players.profile.charts.kinds.ladder import STEPS, make_ladder
from players.profile.charts.request import LEVEL, STATISTIC
from players.profile.charts.views import cards_of, chart_address
from players.profile.page.board_counts import BoardCounts, send_board_counts
from players.profile.page.comparison import MAIN
from players.profile.page.ranks_of_bests import RanksThen, cached_board_sizes, send_ranks_then
from players.profile.page.rivals import rivals_of
from players.profile.page.selectors import PlayerBests, RankedBest, send_not_owned, send_player_bests
from players.profile.page.site_records import site_records_of
from players.web.errors import handle_bad_addresses
from players.web.parameters import Parsed, choice, form_of
from players.web.statistic_groups import grouped
from players.web.users import counts_from_one

_RECENT = 10
#: Records that are read to show ``_RECENT`` games: a good game sets ten records or more.
_EVENTS_READ = 100
#: The charts that the page holds itself, the smallest ones; the others are loaded when they come near.
_HELD_CHARTS: Final = ("progress", "ladder")
_RECORDS_SHOWN: Final = 12


@dataclass(frozen=True, slots=True)
class BestsRow:
    row: Statistic
    cells: list[tuple[str, StandingBest | None]]


@dataclass(frozen=True, slots=True)
class StandingBest:
    """A best with its percentile, and how many ranks it has lost (negative: won) since it was set; None if unknown."""

    best: RankedBest
    percentile: float
    ranks_lost: int | None


@dataclass(frozen=True, slots=True)
class BestsGroup:
    title: str
    rows: list[BestsRow]


#: The parameters of the page; ``statistics=all``: bests of every statistic instead of the main ones; ``level`` and
#: ``statistic``: the board on which rivals are looked for, beside the combined one.
ProfileForm = form_of(STYLE, choice("statistics", ["all"]), LEVEL, STATISTIC)


@require_safe
@handle_bad_addresses
def player(request: HttpRequest, pk: int) -> HttpResponse:
    values = ProfileForm(request.GET).values()
    style, every = values["style"], values["statistics"] == "all"
    read = _read(min(pk, MAX_ID), style, () if every else MAIN)
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
        "groups": _bests_groups(read, levels, style),
        "totals": read.totals,
        "boards_played": read.boards_played,
        "corpses": [(*board, BY_NAME[board[1]], corpse) for board, corpse in read.corpses.items()],
        "min_completion": settings.MINIMUM_COMPLETION,
        "country": country_name(found.country) if found.country else "",
        **_charts(request, found, values, levels),
        **_rivals(found, values, levels),
        **_records(found, style),
        "headline": _headline(bests, levels, style),
        "ladders": _ladders(read, style, from_one=counts_from_one(request)),
        "records": records_by_game(read.records, _RECENT),
        "replays": read.replays,
        "not_owned": read.not_owned,
        "title": _("Player %(name)s") % {"name": found.shown_name},
    }
    return render(request, "players/profile/page/player.html", context)


@dataclass(frozen=True, slots=True)
class _Read:
    player: Player
    names: list[Identity]
    bests: PlayerBests
    ladders: dict[str, list[SubStep]]
    records: list[RecordRow]
    replays: list[GameLine]
    not_owned: int
    totals: Totals
    ranks_then: RanksThen
    boards_played: list[BoardCounts]
    corpses: dict[tuple[str, str], Corpse]


def _read(pk: int, style: str, statistics: Sequence[str]) -> _Read:
    """Ten statements in one pipeline; raises ``Player.DoesNotExist``.

    The bests come last: the database counts their ranks while Python reads the other results.
    """
    with pipeline():
        sent_player = send_player_with_names(pk)
        ladders = send_sub_ladders(pk, style)
        records = send_player_records(pk, _EVENTS_READ, style)
        replays = ranked_games().newest(_RECENT, pk)
        not_owned = send_not_owned(pk)
        totals = player_games.send_totals(pk)
        ranks_then = send_ranks_then(pk, style, statistics)
        boards_played = send_board_counts(pk)
        corpses = ranked_games().best_corpses(pk, style)
        bests = send_player_bests(pk, style, statistics)
        found, names = sent_player()
        return _Read(
            found, names, ladders=ladders(), records=records(), replays=replays(), not_owned=not_owned(),
            totals=totals(), ranks_then=ranks_then(), boards_played=boards_played(), corpses=corpses(),
            bests=bests(),
        )  # fmt: skip


def _best(bests: PlayerBests, level: str, statistic: str, style: str) -> RankedBest | None:
    return bests.get(level, {}).get(statistic, {}).get(style)


def _bests_groups(read: _Read, levels: list[str], style: str) -> list[BestsGroup]:
    groups = []
    sizes = cached_board_sizes(style) if levels else {}

    def standing(level: str, row: Statistic) -> StandingBest | None:
        best = _best(read.bests, level, row.name, style)
        if best is None:
            return None
        then = read.ranks_then.get((level, row.name, style))
        size = max(sizes.get(BoardKey(level, row.name, style), 0), best.rank)
        return StandingBest(best, percentile(best.rank, size), None if then is None else best.rank - then)

    for group in grouped(RANKED):
        rows = [BestsRow(row, [(level, standing(level, row)) for level in levels]) for row in group.rows]
        rows = [entry for entry in rows if any(best for _level, best in entry.cells)]
        if rows:
            groups.append(BestsGroup(group.title, rows))
    return groups


def _charts(request: HttpRequest, player: Player, values: Parsed, levels: Sequence[str]) -> dict[str, object]:
    given = {name: values[name] for name in ("style", "level", "statistic")}
    held = {**given, "level": values["level"] or next((level for level in HARDEST_FIRST if level in levels), None)}
    return {
        "charts": cards_of(request, player, _HELD_CHARTS, held),
        "more_charts": [
            (kind, chart_address(kind, player, given)) for kind in KINDS.values() if kind.name not in _HELD_CHARTS
        ],
    }


def _rivals(player: Player, values: Parsed, levels: Sequence[str]) -> dict[str, object]:
    style, statistic = values["style"], values["statistic"] or "time"
    level = values["level"] or next((level for level in HARDEST_FIRST if level in levels), None)
    keys = [BoardKey(COMBINED, statistic, style)] if COMBINED in levels and statistic in COMBINED_NAMES else []
    if level is not None:
        keys.append(board_key(level, statistic, style))
    return {
        "rivals": [found for key in keys if (found := rivals_of(player.pk, key)) is not None],
        "looked_at": None if level is None else keys[-1],
        "rival_levels": tuple(ON_LEVEL),
        "rival_groups": grouped(RANKED),
    }


def _records(player: Player, style: str) -> dict[str, object]:
    records = site_records_of(player.pk, style)
    return {
        "site_records": records[:_RECORDS_SHOWN],
        "site_records_held": sum(record.is_held for record in records),
        "site_records_lost": sum(not record.is_held for record in records),
        "site_records_more": max(0, len(records) - _RECORDS_SHOWN),
    }


def _headline(bests: PlayerBests, levels: list[str], style: str) -> list[tuple[str, RankedBest]]:
    found = [(level, _best(bests, level, "time", style)) for level in levels]
    return [(level, best) for level, best in found if best is not None]


@dataclass(frozen=True, slots=True)
class _Ladder:
    """The steps of a level with games in their last second, lowest N first, and what there is to say of them."""

    level: str
    steps: list[SubStep]
    sentences: list[str]


def _ladders(read: _Read, style: str, *, from_one: bool) -> list[_Ladder]:
    found = []
    for level in ON_LEVEL:
        steps, best = read.ladders.get(level), _best(read.bests, level, "time", style)
        if steps and best is not None:
            ladder = make_ladder(steps, best.value, best.precision_ms)
            reached = [step for step in steps if step.games_in_second][:STEPS]
            found.append(_Ladder(level, reached, ladder.sentences(from_one=from_one)))
    return found
