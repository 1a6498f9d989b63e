from __future__ import annotations

import math
import re
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from analysis.recording import digest
from analysis.statistics import BY_NAME
from players.leaderboards.boards import STYLE, games_in_value
from players.leaderboards.pages.board_texts import level_text, rank_words, style_text
from players.leaderboards.records.record_parameters import KIND, RecordFilters, RecordsForm, record_filters
from players.leaderboards.records.selectors import RecordRow
from players.models import ALL_STYLES, RecordEvent
from players.web.clock import counts_from_one, shown_text
from players.web.links import absolute_address, replay_address
from players.web.statistic_names import public_name

FEED_SIZE: Final = 50
#: In the ids of entries: a year in which the name of the host was the site's.  It never changes.
_TAG_YEAR: Final = 2026
_NEVER: Final = datetime(2026, 1, 1, tzinfo=UTC)
#: How long a feed that nobody reads is remembered.
_REMEMBERED_SECONDS: Final = 24 * 60 * 60
_DEFAULTS: Final = (KIND.default, STYLE.default)
#: Characters that XML does not allow, escaped or not; names inside replays may hold them.
_NOT_XML: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


class FeedQuery(NamedTuple):
    """``address``: of the feed with its filters, in one order and without what says nothing."""

    filters: RecordFilters
    address: str


class Entry(NamedTuple):
    event: RecordRow

    def text(self, value: float) -> str:
        event, row = self.event, BY_NAME[self.event.statistic]
        text = shown_text(
            row, value, precision_ms=event.precision_ms, games=games_in_value(event.level),
            decimals=event.decimals,
        )  # fmt: skip
        return f"{text} {_(row.shown_unit)}" if row.shown_unit else text


if TYPE_CHECKING:
    _Feed = Feed["Entry", "FeedQuery"]
else:
    _Feed = Feed  # generic for type checkers alone


class RecordsAtom(Atom1Feed):
    """Atom; a feed without entries has not changed since it could have had some."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else _NEVER


class RecordsFeed(_Feed):
    feed_type = RecordsAtom

    def __call__(self, request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        """Return the feed; ``ApiCachingMiddleware`` makes 304 of it."""
        query = self.get_object(request)
        feed = self.get_feed(query, request)
        response = HttpResponse(feed.writeString("utf-8"), content_type=RecordsAtom.content_type)
        since = _since(f"{query.address} {get_language()} {counts_from_one()}", response.content)
        if since <= time.time():  # a later change would have the same second
            response["Last-Modified"] = http_date(since)
        return response

    def get_object(self, request: HttpRequest) -> FeedQuery:
        filters = record_filters(RecordsForm(request.GET).values())
        chosen = {
            "kind": filters.kind,
            "style": filters.style,
            "level": filters.level,
            "statistic": filters.statistic and public_name(filters.statistic),
            "player": filters.player and filters.player.pk,
        }
        query = urlencode({name: value for name, value in chosen.items() if value not in (None, *_DEFAULTS)})
        address = absolute_address(reverse("records-feed")) + (f"?{query}" if query else "")
        return FeedQuery(filters, address)

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
        return query.address

    feed_guid = feed_url

    def subtitle(self, query: FeedQuery) -> str:
        return _("Records by upload date, newest first.")

    def items(self, query: FeedQuery) -> list[Entry]:
        return [Entry(event) for event in query.filters.page(None, FEED_SIZE).rows]

    def item_title(self, item: Entry) -> str:
        event, label = item.event, _(BY_NAME[item.event.statistic].label)
        return _xml(f"{level_text(event.level)} · {label} {item.text(event.new_value)} · {_player_name(event)}")

    def item_description(self, item: Entry) -> str:
        event = item.event
        if event.old_value is None:
            before = _("The first result on this leaderboard.")
        else:
            before = _("Previously %(value)s.") % {"value": item.text(event.old_value)}
        return f"{before} {rank_words(event.rank_before, event.rank_after)}"

    def item_link(self, item: Entry) -> str:
        return absolute_address(replay_address(item.event.replay_id))

    def item_guid(self, item: Entry) -> str:
        """Return the same for a record that is stored again, as when its game becomes final or is recomputed (RFC 4151)."""
        return f"tag:{urlsplit(settings.SITE_URL).hostname},{_TAG_YEAR}:records/{item.event.identity}"

    def item_author_name(self, item: Entry) -> str:
        return _xml(_player_name(item.event))

    def item_pubdate(self, item: Entry) -> datetime:
        return item.event.happened_at

    def item_updateddate(self, item: Entry) -> datetime:
        return item.event.noted_at


def _since(address: str, content: bytes) -> int:
    """Return the second since which the feed at ``address`` has been ``content``, as far as the cache remembers.

    The date of the newest record would not do: one is removed, another becomes final weeks after its game.
    """
    key = f"feed:{digest(address.encode())}"
    now, tag = math.ceil(time.time()), digest(content)
    known: tuple[str, int] | None = cache.get(key)
    if known is not None and known[0] == tag:
        return known[1]
    # Later than what was said of other content, whatever clock said it.
    since = now if known is None else max(now, known[1] + 1)
    cache.set(key, (tag, since), _REMEMBERED_SECONDS)
    return since


def _player_name(event: RecordRow) -> str:
    return event.player.shown_name if event.player else ""  # rows of the feed have one


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
