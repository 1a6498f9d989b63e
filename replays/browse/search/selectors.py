"""Results of a search: at most a few of each kind, so that no text is expensive to look for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from analysis.statistics import Statistic
from players.leaderboards.board import board_address
from players.leaderboards.pages.board_texts import level_text
from players.leaderboards.records.holders import Holder, record_holders
from players.models import MAX_ID, Player, User
from players.people.selectors import NAME_CHARS, players_named
from players.web.parameters import text
from players.web.rate_limits import RateLimit, count_or_refuse, visitor_of
from replays.browse.search.texts import FoundText, pages_named, terms_named
from replays.browse.search.words import FoundBoard, boards_named, statistics_named
from replays.models import Replay
from replays.trust.judging.permissions import visible_to

SEARCH_LIMIT: Final = RateLimit("searches", "240/minute")
PLAYERS: Final = 8
REPLAYS: Final = 5
BOARDS: Final = 6
STATISTICS: Final = 6
TERMS: Final = 6
PAGES: Final = 6
#: Kinds that have a page of everything found, up to ``MOST``.
KINDS: Final = ("boards", "statistics", "terms", "pages")
MOST: Final = 200

_NUMBER: Final = re.compile(r"#?([0-9]{1,19})", re.ASCII)
#: The beginning of a SHA-256; fewer digits would be found by chance among millions of replays.
_HASH: Final = re.compile(r"[0-9a-f]{8,64}", re.ASCII)
_HASH_DIGITS: Final = 64
#: Which column the text of a search was the beginning of.
_HASHES: Final = {"file": "sha256", "game": "game_hash"}
_COLUMNS: Final = (
    "level",
    "result",
    "status",
    "time",
    "time_precision_ms",
    "player__name",
    "player__country",
    "player__is_bot",
)

QUERY: Final = text(
    "q",
    most_chars=NAME_CHARS,
    description="Any part of a player's name; the number of a replay, or the first 8 or more hexadecimal digits of the "
    "SHA-256 of its file or of its game hash; words of a level and a statistic, as “expert stnb” or “sub 60”; a word of the glossary; a page or tool.",
)


class FoundReplay(NamedTuple):
    """``by``: "number", or "file" or "game" if the text is the beginning of that hash."""

    replay: Replay
    by: str

    @property
    def level_text(self) -> str:
        """An empty text before the file was read."""
        return level_text(self.replay.level)


@dataclass(frozen=True, slots=True)
class Found:
    """``more_players``: whether more players match than are in ``players``; ``more``: of which ``KINDS`` more match."""

    players: list[Player] = field(default_factory=list)
    more_players: bool = False
    replays: list[FoundReplay] = field(default_factory=list)
    boards: list[FoundBoard] = field(default_factory=list)
    statistics: list[Statistic] = field(default_factory=list)
    terms: list[FoundText] = field(default_factory=list)
    pages: list[FoundText] = field(default_factory=list)
    more: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        kinds = (self.players, self.replays, self.boards, self.statistics, self.terms, self.pages)
        return sum(len(rows) for rows in kinds)


def count_search(request: HttpRequest | Request) -> None:
    """Raise ``Refused`` (429) above the limit."""
    count_or_refuse(SEARCH_LIMIT, visitor_of(request), _("Too many searches. Try again in a minute."))


def search(query: str, viewer: User | None) -> Found:
    query = query.strip()
    if not query:
        return Found()
    players = players_named(query, PLAYERS + 1)
    boards, statistics = boards_named(query, BOARDS + 1), statistics_named(query, STATISTICS + 1)
    terms, pages = terms_named(query, TERMS + 1), pages_named(query, PAGES + 1)
    full = (len(boards) > BOARDS, len(statistics) > STATISTICS, len(terms) > TERMS, len(pages) > PAGES)
    return Found(
        players=players[:PLAYERS],
        more_players=len(players) > PLAYERS,
        replays=_replays(query.lower(), viewer),
        boards=boards[:BOARDS],
        statistics=statistics[:STATISTICS],
        terms=terms[:TERMS],
        pages=pages[:PAGES],
        more=frozenset(kind for kind, more in zip(KINDS, full, strict=True) if more),
    )


def search_kind(query: str, kind: str) -> Found:
    """Return all that ``query`` names of one of :data:`KINDS`, from the registries in memory."""
    query = query.strip()
    return Found(
        boards=boards_named(query, MOST) if kind == "boards" else [],
        statistics=statistics_named(query, MOST) if kind == "statistics" else [],
        terms=terms_named(query, MOST) if kind == "terms" else [],
        pages=pages_named(query, MOST) if kind == "pages" else [],
    )


def with_holders(boards: Sequence[FoundBoard]) -> list[tuple[FoundBoard, Holder | None]]:
    """Return each board with its holder, if it has one; four statements at most."""
    holders: dict[str, Holder] = {}
    if any(board.statistic for board in boards):
        holders = {board_address(one.key.level, one.key.statistic): one for one in record_holders()}
    return [(board, holders.get(board.html_url)) for board in boards]


def _replays(query: str, viewer: User | None) -> list[FoundReplay]:
    """The replay of that number, and those whose file or game has a hash that begins with ``query``; each once."""
    visible = Replay.objects.filter(visible_to(viewer)).select_related("player").only(*_COLUMNS)
    found: dict[int, FoundReplay] = {}
    number = _NUMBER.fullmatch(query)
    if number is not None and 0 < int(number[1]) <= MAX_ID:
        found |= {row.pk: FoundReplay(row, "number") for row in visible.filter(pk=int(number[1]))}
    if _HASH.fullmatch(query) is not None:
        for by, column in _HASHES.items():
            # All hashes have the same length, so those that begin so lie between these two, whatever the collation: the
            # index of the column finds them.
            ends = {
                f"{column}__gte": query.ljust(_HASH_DIGITS, "0"),
                f"{column}__lte": query.ljust(_HASH_DIGITS, "f"),
            }
            for row in visible.filter(**ends).order_by(column)[:REPLAYS]:
                found.setdefault(row.pk, FoundReplay(row, by))
    return list(found.values())[:REPLAYS]
