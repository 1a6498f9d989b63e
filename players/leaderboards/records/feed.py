from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Final, NamedTuple

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed, get_tag_uri
from django.utils.translation import gettext as _

from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.leaderboards.boards import games_in_value
from players.leaderboards.pages.board_texts import level_text, rank_words, style_text
from players.leaderboards.records.record_parameters import RecordFilters, RecordsForm, record_filters
from players.leaderboards.records.selectors import RecordRow
from players.models import ALL_STYLES, RecordEvent
from players.web.links import absolute_address, replay_address
from players.web.users import counts_from_one

FEED_SIZE: Final = 50
#: Characters that XML does not allow, escaped or not; names inside replays may hold them.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class FeedQuery(NamedTuple):
    filters: RecordFilters
    from_one: bool


class Entry(NamedTuple):
    event: RecordRow
    from_one: bool

    def text(self, value: float) -> str:
        event, row = self.event, BY_NAME[self.event.statistic]
        text = value_text(
            row, value, precision_ms=event.precision_ms, from_one=self.from_one, games=games_in_value(event.level),
            decimals=event.decimals,
        )  # fmt: skip
        return f"{text} {_(row.shown_unit)}" if row.shown_unit else text


if TYPE_CHECKING:
    _Feed = Feed["Entry", "FeedQuery"]
else:
    _Feed = Feed  # generic for type checkers alone


class RecordsFeed(_Feed):
    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest) -> FeedQuery:
        filters = record_filters(RecordsForm(request.GET).values())
        return FeedQuery(filters, from_one=counts_from_one(request))

    def title(self, query: FeedQuery) -> str:
        filters = query.filters
        parts = ["Sweepbook", str(RecordEvent.Kind(filters.kind).label)]
        if filters.level is not None:
            parts.append(level_text(filters.level))
        if filters.statistic is not None:
            parts.append(_(BY_NAME[filters.statistic].label))
        if filters.style != ALL_STYLES:
            parts.append(style_text(filters.style))
        if filters.player is not None:
            parts.append(filters.player.shown_name)
        return _xml(" · ".join(parts))

    def link(self, query: FeedQuery) -> str:
        return absolute_address(reverse("records"))

    def feed_url(self, query: FeedQuery) -> str:
        return absolute_address(reverse("records-feed"))

    def subtitle(self, query: FeedQuery) -> str:
        return _("Records by upload date, newest first.")

    def items(self, query: FeedQuery) -> list[Entry]:
        return [Entry(event, query.from_one) for event in query.filters.page(None, FEED_SIZE).rows]

    def item_title(self, item: Entry) -> str:
        event, label = item.event, _(BY_NAME[item.event.statistic].label)
        return _xml(f"{level_text(event.level)} · {label} {item.text(event.new_value)} · {_player_name(event)}")

    def item_description(self, item: Entry) -> str:
        event = item.event
        if event.old_value is None:
            before = _("The first on this leaderboard.")
        else:
            before = _("Previously %(value)s.") % {"value": item.text(event.old_value)}
        ranks = rank_words(event.rank_before, event.rank_after)
        return f"{before} {ranks}" if ranks else before

    def item_link(self, item: Entry) -> str:
        return absolute_address(replay_address(item.event.replay_id))

    def item_guid(self, item: Entry) -> str:
        # Not the link: all records of a game have the same one.
        return get_tag_uri(f"http://sweepbook/records/{item.event.id}", None)

    def item_author_name(self, item: Entry) -> str:
        return _xml(_player_name(item.event))

    def item_pubdate(self, item: Entry) -> datetime:
        return item.event.happened_at

    def item_updateddate(self, item: Entry) -> datetime:
        return item.event.noted_at


def _player_name(event: RecordRow) -> str:
    return event.player.shown_name if event.player else ""  # rows of the feed have one


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
