"""All limits of the site, for a page and as JSON.  Each figure is read from its place, a setting or a constant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from allauth.core.internal.ratelimit import parse_rates
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.utils.formats import number_format
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views.decorators.http import require_safe
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from analysis.limits import MAX_REPLAY_BYTES, SMALL_BODY_BYTES, WATCHED_BYTES
from config.http.bodies import MOST_WATCHED_OF_ADDRESS
from config.http.lanes import PER_ADDRESS
from players.leaderboards.pages import export
from players.web.api import PublicView, Values, read_query
from players.web.parameters import MAX_PAGE_SIZE, NO_PARAMETERS
from players.web.rate_limits import BYTES, MILLISECONDS, REQUESTS, RateLimit
from replays.browse.changes.api import EVENTS_LIMIT
from replays.browse.changes.events import MOST_LISTENERS, MOST_OF_ADDRESS
from replays.browse.data.views import FILES_LIMIT as DATA_FILES_LIMIT
from replays.browse.search.selectors import SEARCH_LIMIT
from replays.models import Comment, Objection
from replays.odds.positions import budget
from replays.odds.positions.positions import MAX_CELLS
from replays.own.account_deletion.api import ACCOUNT_EXPORT_LIMIT
from replays.own.account_deletion.services import TRIES
from replays.play.models.rooms import MAX_ROOM_CELLS
from replays.play.rooms.services import ROOM_LIMIT
from replays.play.sockets.socket_limits import BYTES_A_SECOND, CLICKS_A_SECOND, MESSAGES_A_SECOND
from replays.play.tickets_api import TICKET_LIMIT
from replays.trust.provisional.services import OBJECTION_LIMIT
from replays.trust.reports.services import ADDRESS_REPORT_LIMIT, REPORT_LIMIT
from replays.upload.batches.serializers import MOST_HASHES
from replays.upload.batches.services import BATCH_LIMIT, MOST_CLAIMS, MOST_DELETED, MOST_FILES
from replays.upload.encodings.services import ENCODING_LIMIT
from replays.upload.intake.quota import ADDRESS_LIMIT, BYTES_LIMIT, FILES_LIMIT, SITE_LIMIT
from replays.upload.intake.selectors import MAX_STATUSES
from replays.watch.any_file.selectors import WATCH_LIMIT
from replays.watch.clips.services import ADDRESS_CLIP_LIMIT, CLIP_LIMIT
from replays.watch.comments.services import COMMENT_LIMITS, LIKE_LIMIT
from replays.watch.film.api import MAX_ROWS as MAX_FILM_ROWS
from replays.watch.film.services import FILM_LIMIT
from replays.watch.pictures.selectors import PICTURE_LIMIT

ACCOUNT: Final = "account"
ADDRESS: Final = "address"
VISITOR: Final = "visitor"
SITE: Final = "site"
#: Whose requests a limit counts together.
PER: Final = {
    ACCOUNT: _("Account"),
    ADDRESS: _("Network"),
    VISITOR: _("Account, or network for guests"),
    SITE: _("The whole site"),
}

#: Limit, whom it counts, and what.
RATES: Final[tuple[tuple[RateLimit, str, str], ...]] = (
    (
        FILM_LIMIT,
        ADDRESS,
        _("Replays loaded, with mine probabilities and mouse paths (a comparison counts as two)"),
    ),
    (WATCH_LIMIT, ADDRESS, _("Files watched without uploading")),
    (SEARCH_LIMIT, VISITOR, _("Searches, and suggestions while you type")),
    (export.EXPORT_LIMIT, VISITOR, _("Leaderboard downloads")),
    (PICTURE_LIMIT, ADDRESS, _("Replay pictures")),
    (CLIP_LIMIT, VISITOR, _("Replay clips")),
    (ADDRESS_CLIP_LIMIT, ADDRESS, _("Replay clips")),
    (DATA_FILES_LIMIT, ADDRESS, _("Files in a dump")),
    (EVENTS_LIMIT, ADDRESS, _("New event streams")),
    (budget.POSITION_LIMIT, VISITOR, _("Positions, luck, reviews, solver games and generated boards")),
    (budget.TIME_LIMIT, VISITOR, _("Computing time for positions, luck, reviews, solver games and generated boards")),
    (FILES_LIMIT, VISITOR, _("Files uploaded")),
    (BYTES_LIMIT, VISITOR, _("Total size of new files")),
    (ADDRESS_LIMIT, ADDRESS, _("Total size of new files")),
    (SITE_LIMIT, SITE, _("Total size of new files")),
    (BATCH_LIMIT, ACCOUNT, _("Upload batches started")),
    (TICKET_LIMIT, VISITOR, _("New live-play connections")),
    (ROOM_LIMIT, ADDRESS, _("Rooms created")),
    *((limit, ACCOUNT, _("Comments posted")) for limit in COMMENT_LIMITS),
    (LIKE_LIMIT, ACCOUNT, _("Likes added or removed")),
    (REPORT_LIMIT, ACCOUNT, _("Reports sent to moderators")),
    (ADDRESS_REPORT_LIMIT, ADDRESS, _("Reports sent to moderators")),
    (OBJECTION_LIMIT, ACCOUNT, _("Objections sent")),
    (ENCODING_LIMIT, ACCOUNT, _("Name encodings changed")),
    (ACCOUNT_EXPORT_LIMIT, ACCOUNT, _("Account data downloads")),
    (TRIES, ACCOUNT, _("Account deletion attempts")),
)

#: What allauth counts, by its key in ``ACCOUNT_RATE_LIMITS``.
SIGN_IN: Final = {
    "login": _("Sign-ins"),
    "wrong_password_visitor": _("Wrong passwords for one account from one browser"),
    "wrong_password_address": _("Wrong passwords"),
    "wrong_password_account": _("Wrong passwords for one account from unknown browsers"),
    "login_failed": _("Wrong two-factor codes"),
    "signup": _("Sign-ups"),
    "reset_password": _("Password reset e-mails"),
    "reset_password_from_key": _("Passwords reset by e-mail link"),
    "change_password": _("Password changes"),
    "reauthenticate": _("Password confirmations"),
    "manage_email": _("E-mail address changes"),
    "confirm_email": _("Address confirmation e-mails"),
}
_PER_OF_ALLAUTH: Final = {"ip": ADDRESS, "user": ACCOUNT, "key": ACCOUNT}

#: Name, what there may be most of, its unit, and the figure.
SIZES: Final[tuple[tuple[str, str, str, Callable[[], int]], ...]] = (
    ("page-rows", _("Rows per page of a list"), "rows", lambda: MAX_PAGE_SIZE),
    ("status-replays", _("Replays per status request"), "replays", lambda: MAX_STATUSES),
    ("export-rows", _("Rows in a leaderboard download"), "rows", lambda: export.MAX_ROWS),
    ("film-values", _("Values per column in the JSON of a replay or its mine probabilities"), "values", lambda: MAX_FILM_ROWS),
    ("position-cells", _("Cells on the board of a position"), "cells", lambda: MAX_CELLS),
    ("file-bytes", _("Size of a replay file"), "bytes", lambda: MAX_REPLAY_BYTES),
    ("watched-bytes", _("Size of a file watched without uploading it"), "bytes", lambda: WATCHED_BYTES),
    ("request-files", _("Files per upload request"), "files", lambda: settings.UPLOAD_MAX_FILES),
    ("archive-files", _("Files in a zip archive"), "files", lambda: settings.ARCHIVE_MAX_FILES),
    ("archive-bytes", _("Size of an upload request, or of an unpacked archive"), "bytes",
     lambda: settings.ARCHIVE_MAX_BYTES),
    ("batch-files", _("Files listed in a batch"), "files", lambda: MOST_FILES),
    ("request-hashes", _("File hashes checked per request"), "hashes", lambda: MOST_HASHES),
    ("deleted-replays", _("Replays deleted per request"), "replays", lambda: MOST_DELETED),
    ("claimed-names", _("Names claimed per request"), "names", lambda: MOST_CLAIMS),
    ("comment-characters", _("Characters in a comment"), "characters", lambda: Comment.MAX_CHARS),
    ("objection-characters", _("Characters in an objection"), "characters", lambda: Objection.MAX_CHARS),
    ("body-bytes", _("Size of any other request"), "bytes", lambda: SMALL_BODY_BYTES),
    ("event-streams", _("Open event streams per network"), "streams", lambda: MOST_OF_ADDRESS),
    ("process-streams", _("Open event streams per web process"), "streams", lambda: MOST_LISTENERS),
    ("watched-files-at-once", _("Files watched at once per network"), "files", lambda: MOST_WATCHED_OF_ADDRESS),
    ("concurrent-requests", _("Simultaneous requests per network (any more have to wait)"), "requests",
     lambda: PER_ADDRESS),
)  # fmt: skip
LIVE: Final[tuple[tuple[str, str, str, Callable[[], int]], ...]] = (
    ("account-sockets", _("Open connections per account"), "sockets", lambda: settings.PLAY_SOCKETS_OF_ACCOUNT),
    ("address-sockets", _("Open connections per network"), "sockets", lambda: settings.PLAY_SOCKETS_OF_ADDRESS),
    ("socket-hours", _("Hours a connection can stay open"), "hours", lambda: settings.PLAY_SOCKET_HOURS),
    ("socket-messages", _("Messages per second"), "messages a second", lambda: MESSAGES_A_SECOND),
    ("socket-bytes", _("Bytes in messages per second"), "bytes", lambda: BYTES_A_SECOND),
    ("socket-clicks", _("Clicks per second"), "clicks a second", lambda: CLICKS_A_SECOND),
    ("account-rooms", _("Open rooms per account"), "rooms", lambda: settings.ROOMS_PER_ACCOUNT),
    ("guest-rooms", _("Open rooms per guest"), "rooms", lambda: settings.ROOMS_PER_GUEST),
    ("room-players", _("Players in a room"), "players", lambda: settings.ROOM_PLAYERS),
    ("room-sockets", _("Open connections per room"), "sockets", lambda: settings.ROOM_SOCKETS),
    ("room-moves", _("Average number of moves per second for each player in a room"), "moves a second",
     lambda: settings.ROOM_MOVES_A_SECOND),
    ("room-cells", _("Cells on a room's board"), "cells", lambda: MAX_ROOM_CELLS),
    ("room-days", _("Days until an unused room closes"), "days", lambda: settings.ROOM_KEEP_DAYS),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rate:
    """A row of the table of rates; ``per``: a key of :data:`PER`."""

    name: str
    what: str
    quota: int
    unit: str
    window_seconds: int
    per: str

    @property
    def per_text(self) -> str:
        return gettext(PER[self.per])

    @property
    def text(self) -> str:
        amount = f"{_number(self.quota)} ms" if self.unit == MILLISECONDS else _amount(self.quota, self.unit)
        return gettext(_window(self.window_seconds)) % {"amount": amount, "minutes": self.window_seconds // 60}


@dataclass(frozen=True, slots=True)
class Size:
    """A row of the tables of what there may be most of."""

    name: str
    what: str
    most: int
    unit: str

    @property
    def text(self) -> str:
        return _amount(self.most, self.unit)


def _amount(number: int, unit: str) -> str:
    return filesizeformat(number) if unit in (BYTES, "bytes") else _number(number)


def _number(number: int) -> str:
    return number_format(number, force_grouping=True)


def _window(seconds: int) -> str:
    windows = {60: _("%(amount)s per minute"), 3600: _("%(amount)s per hour"), 86400: _("%(amount)s per day")}
    return windows.get(seconds, _("%(amount)s in %(minutes)s minutes"))


def rates() -> list[Rate]:
    return [
        Rate(limit.name, gettext(what), limit.amount, limit.unit, limit.window_seconds, per)
        for limit, per, what in RATES
    ]


def sign_in_rates() -> Iterator[Rate]:
    for key, what in SIGN_IN.items():
        for rate in parse_rates(settings.ACCOUNT_RATE_LIMITS[key]):
            per = _PER_OF_ALLAUTH[rate.per]
            yield Rate(key.replace("_", "-"), gettext(what), rate.amount, REQUESTS, int(rate.duration), per)


def sizes(rows: tuple[tuple[str, str, str, Callable[[], int]], ...]) -> list[Size]:
    return [Size(name, gettext(what), most(), unit) for name, what, unit, most in rows]


class RateSerializer(serializers.Serializer[Rate]):
    """A limit on what is counted in a window of time."""

    name = serializers.CharField(help_text="As in `RateLimit`, `RateLimit-Policy` and `x-rate-limits`.")
    what = serializers.CharField(help_text="What is counted, in words.")
    quota = serializers.IntegerField(help_text="How much a window allows.")
    unit = serializers.ChoiceField(choices=[REQUESTS, BYTES, MILLISECONDS], help_text="What the quota is counted in.")
    window_seconds = serializers.IntegerField(help_text="The length of a window; it begins with the first request.")
    per = serializers.ChoiceField(
        choices=list(PER), help_text="Who shares the quota; a visitor is an account, or the address of a guest."
    )


class SizeSerializer(serializers.Serializer[Size]):
    """A limit on what there may be at once."""

    name = serializers.CharField(help_text="Stable, for programs.")
    what = serializers.CharField(help_text="What is limited, in words.")
    most = serializers.IntegerField(help_text="How much there may be.")
    unit = serializers.CharField(help_text="What it is counted in.")


class LimitsSerializer(serializers.Serializer[Values]):
    """All limits of the site."""

    rates = RateSerializer(many=True, help_text="Limits of the API and the pages, by time.")
    sign_in = RateSerializer(many=True, help_text="Limits of the pages of accounts, by time.")
    sizes = SizeSerializer(many=True, help_text="Sizes of requests and answers.")
    live = SizeSerializer(many=True, help_text="Limits of live play.")


class LimitsView(PublicView):
    """The limits."""

    @extend_schema(operation_id="limits", responses={200: LimitsSerializer})
    def get(self, request: Request) -> Response:
        """List all limits of the site: rates, sizes and live play."""
        read_query(NO_PARAMETERS, request)
        return Response(LimitsSerializer(_all()).data)


@require_safe
def limits(request: HttpRequest) -> HttpResponse:
    """The table of all limits."""
    return render(request, "api/limits.html", _all())


def _all() -> Values:
    return {"rates": rates(), "sign_in": list(sign_in_rates()), "sizes": sizes(SIZES), "live": sizes(LIVE)}
