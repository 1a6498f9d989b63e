"""The record history as an Atom feed."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.contrib.syndication.views import Feed
from django.http import HttpRequest
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed, get_tag_uri
from django.utils.translation import gettext as _

from analysis.statistics import BY_NAME
from analysis.time_convention import value_text
from players.leaderboards.pages.texts import level_text, rank_words, style_text
from players.leaderboards.records.parameters import RecordFilters, RecordsForm, record_filters
from players.leaderboards.records.selectors import RecordRow
from players.models import ALL_STYLES, RecordEvent

FEED_SIZE: Final = 50
#: Characters that XML does not allow, escaped or not; names inside replays may hold them.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

if TYPE_CHECKING:
    _Feed = Feed[RecordRow, RecordFilters]
else:
    _Feed = Feed  # generic for type checkers alone


class RecordsFeed(_Feed):
    """The newest records, with the same filters as the page."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest) -> RecordFilters:
        return record_filters(RecordsForm(request.GET).values())

    def title(self, filters: RecordFilters) -> str:
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

    def link(self, filters: RecordFilters) -> str:
        return reverse("records")

    def subtitle(self, filters: RecordFilters) -> str:
        return _("Records as they came in, newest first.")

    def items(self, filters: RecordFilters) -> list[RecordRow]:
        return filters.page(None, FEED_SIZE).rows

    def item_title(self, item: RecordRow) -> str:
        row = BY_NAME[item.statistic]
        return _xml(f"{level_text(item.level)} · {_(row.label)} {_value(item, item.new_value)} · {_player_name(item)}")

    def item_description(self, item: RecordRow) -> str:
        if item.old_value is None:
            before = _("The first on this board.")
        else:
            before = _("%(value)s before.") % {"value": _value(item, item.old_value)}
        ranks = rank_words(item.rank_before, item.rank_after)
        return f"{before} {ranks}" if ranks else before

    def item_link(self, item: RecordRow) -> str:
        return reverse("replay", args=[item.replay_id])

    def item_guid(self, item: RecordRow) -> str:
        # Not the link: all records of a game have the same one.
        return get_tag_uri(f"http://sweepbook/records/{item.id}", None)

    def item_author_name(self, item: RecordRow) -> str:
        return _xml(_player_name(item))

    def item_pubdate(self, item: RecordRow) -> datetime:
        return item.happened_at

    def item_updateddate(self, item: RecordRow) -> datetime:
        return item.noted_at


def _player_name(event: RecordRow) -> str:
    return event.player.shown_name if event.player else ""  # rows of the feed have one


def _value(event: RecordRow, value: float) -> str:
    row = BY_NAME[event.statistic]
    text = value_text(row, value, precision_ms=event.precision_ms)
    return f"{text} {_(row.unit)}" if row.unit else text


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
