"""The log of records: as a page, and as an Atom feed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed, get_tag_uri
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from analysis.statistics import BY_NAME, RANKED
from players.boards import COMBINED, ON_LEVEL, STYLES, UnknownBoard, board_key, checked_level, checked_style
from players.keyset import Page
from players.models import ALL_STYLES, Player, RecordEvent
from players.selectors.records import records_page
from players.templatetags.sweepbook import level_text, rank_words, style_text
from players.time_convention import value_text
from players.views.addresses import answers_bad_addresses
from players.views.statistics import grouped

PAGE_SIZE: Final = 50
FEED_SIZE: Final = 50
_MAX_ID_DIGITS: Final = 18
#: What XML cannot hold, escaped or not; names inside replays can.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class Filters:
    """Which records are wanted; None is any."""

    kind: str
    style: str
    level: str | None
    statistic: str | None
    player: Player | None

    def page(self, cursor: str | None, size: int) -> Page[RecordEvent]:
        """The newest of them from ``cursor`` on; raises ``BadCursor``."""
        return records_page(
            self.kind, self.style, level=self.level, statistic=self.statistic, player=self.player,
            cursor=cursor, size=size,
        )  # fmt: skip


def filters_of(query: Mapping[str, str]) -> Filters:
    """The filters that an address names; raises ``UnknownBoard`` or ``Player.DoesNotExist``."""
    level, statistic = query.get("level") or None, query.get("statistic") or None
    style = checked_style(query.get("style") or ALL_STYLES)
    if level is not None and level != COMBINED:
        checked_level(level)
    if level is not None and statistic is not None:
        board_key(level, statistic, style)
    elif statistic is not None and statistic not in {row.name for row in RANKED}:
        raise UnknownBoard(_("“%(statistic)s” is not ranked here.") % {"statistic": statistic})
    kind = query.get("kind") or RecordEvent.Kind.SITE
    if kind not in RecordEvent.Kind.values:
        raise UnknownBoard(_("There is no kind of record “%(kind)s”.") % {"kind": kind})
    return Filters(kind, style, level, statistic, _player(query.get("player") or ""))


def _player(number: str) -> Player | None:
    if not number:
        return None
    if not (number.isascii() and number.isdigit() and len(number) <= _MAX_ID_DIGITS):
        raise Player.DoesNotExist
    return Player.objects.get(pk=int(number))


@require_safe
@answers_bad_addresses
def records(request: HttpRequest) -> HttpResponse:
    """Records as they came in, newest first."""
    filters = filters_of(request.GET.dict())
    parameters = request.GET.copy()
    parameters.pop("cursor", None)
    page = filters.page(request.GET.get("cursor"), PAGE_SIZE)
    context = {
        "filters": filters,
        "page": Page(
            [(BY_NAME[event.statistic], event) for event in page.rows], page.next_cursor, page.previous_cursor
        ),
        "kinds": RecordEvent.Kind.choices,
        "levels": [*ON_LEVEL, COMBINED],
        "styles": STYLES,
        "groups": grouped(RANKED),
        "feed_query": parameters.urlencode(),
    }
    return render(request, "players/history_records.html", context)


# --- the feed ---------------------------------------------------------------------------------------------------------


if TYPE_CHECKING:
    _Feed = Feed[RecordEvent, Filters]
else:
    _Feed = Feed  # generic for type checkers alone


class RecordsFeed(_Feed):
    """The newest records for feed readers; it takes the same filters as the page."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Filters:
        try:
            return filters_of(request.GET.dict())
        except (UnknownBoard, Player.DoesNotExist) as error:
            raise Http404(str(error)) from error

    def title(self, filters: Filters) -> str:
        parts = ["Sweepbook", str(RecordEvent.Kind(filters.kind).label)]
        if filters.level is not None:
            parts.append(level_text(filters.level))
        if filters.statistic is not None:
            parts.append(_(BY_NAME[filters.statistic].label))
        if filters.style != ALL_STYLES:
            parts.append(style_text(filters.style))
        if filters.player is not None:
            parts.append(filters.player.name)
        return _xml(" · ".join(parts))

    def link(self, filters: Filters) -> str:
        return reverse("records")

    def subtitle(self, filters: Filters) -> str:
        return _("Records as they came in, newest first.")

    def items(self, filters: Filters) -> list[RecordEvent]:
        return filters.page(None, FEED_SIZE).rows

    def item_title(self, item: RecordEvent) -> str:
        row = BY_NAME[item.statistic]
        return _xml(f"{level_text(item.level)} · {_(row.label)} {_value(item, item.new_value)} · {item.player.name}")

    def item_description(self, item: RecordEvent) -> str:
        if item.old_value is None:
            told = _("The first on this board.")
        else:
            told = _("%(value)s before.") % {"value": _value(item, item.old_value)}
        ranks = rank_words(item)
        return f"{told} {ranks}" if ranks else told

    def item_link(self, item: RecordEvent) -> str:
        return reverse("replay", args=[item.replay_id])

    def item_guid(self, item: RecordEvent) -> str:
        # One game may set many records: its address would be the id of all of them.
        return get_tag_uri(f"http://sweepbook/records/{item.pk}", None)

    def item_author_name(self, item: RecordEvent) -> str:
        return _xml(item.player.name)

    def item_pubdate(self, item: RecordEvent) -> datetime:
        return item.happened_at

    def item_updateddate(self, item: Any) -> datetime:
        moment: datetime = item.noted_at
        return moment


def _value(event: Any, value: float) -> str:
    row = BY_NAME[event.statistic]
    text = value_text(row, value, precision_ms=event.precision_ms)
    return f"{text} {_(row.unit)}" if row.unit else text


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
