from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from wsgiref.types import WSGIEnvironment

from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from rest_framework.request import Request

from analysis.board import BoardFacts
from analysis.errors import ReplayError
from analysis.formats import evfs
from analysis.limits import WATCHED_BYTES
from players.web.problems import Refused
from players.web.rate_limits import RateLimit, client_address, count_or_refuse
from replays.models import Replay
from replays.odds.calculator import calculator_client
from replays.odds.calculator.calculator_client import Busy, CalculationFailed, TooHard, calculate
from replays.trust.reasons import sentence
from replays.trust.versions.services import believe_accepted
from replays.upload.processing.columns import fill
from replays.upload.processing.compute import Analysed
from replays.watch.any_file.reading import ReadFile, read_file

WATCH_LIMIT: Final = RateLimit("watched-files", "30/minute")
#: When somebody should try again who finds too many files before theirs.
BUSY_SECONDS: Final = 2
_ZIP: Final = b"PK\x03\x04"
_TOO_MANY: Final = gettext_noop("You've looked at a lot of files. Try again in a minute.")

logger = logging.getLogger(__name__)


def busy() -> Refused:
    message = _("A lot of people are viewing replay files right now. Try again in a moment.")
    return Refused("busy", message, BUSY_SECONDS)


@dataclass(frozen=True, slots=True)
class WatchedFile:
    """``replay``: a row that is never saved, filled as that of an upload; ``film``: its bytes."""

    replay: Replay
    facts: BoardFacts
    film: bytes


def unreadable(reason: str, params: Mapping[str, object] | None = None, code: str = "unreadable_replay") -> Refused:
    """The refusal of a file that is not shown; ``reason``: of ``sentence``."""
    return Refused(code, sentence(reason, params))


def watcher_problem(environ: WSGIEnvironment) -> Refused | None:
    """Return why a file of this sender is not even read; counts nothing."""
    address = client_address(WSGIRequest(environ))
    if WATCH_LIMIT.allows(address):
        return None
    return Refused("too_many_requests", _(_TOO_MANY), math.ceil(WATCH_LIMIT.wait_seconds(address)))


def count_file(request: HttpRequest | Request) -> None:
    """Count a file for the visitor's address.  Raises ``Refused``."""
    count_or_refuse(WATCH_LIMIT, client_address(request), _(_TOO_MANY))


def watched_file(data: bytes, most_bytes: int = WATCHED_BYTES) -> WatchedFile:
    """Analyse the replay in ``data``; nothing of it is kept.

    Raises
    ------
    Refused
        with the reason, whatever the bytes, or if too many files wait.
    """
    if not data:
        raise unreadable("empty")
    if len(data) > most_bytes:
        raise unreadable("too_large", {"limit": most_bytes}, "body_too_large")
    if data.startswith(_ZIP):
        raise unreadable("archive")
    if evfs.recognises(data):
        raise unreadable("set")
    read = _read(data)
    replay = Replay(uploaded_at=timezone.now())
    fill(replay, Analysed(read.analysis, read.evidence))
    believe_accepted([replay])
    return WatchedFile(replay, read.analysis.facts, read.film)


def _read(data: bytes) -> ReadFile:
    try:
        found: ReadFile | ReplayError = calculate(read_file, data, kernels=("analysis", "film")).value
    except TooHard as error:
        raise unreadable("too_slow", {"limit": calculator_client.CPU_SECONDS}) from error
    except Busy as error:
        raise busy() from error
    except CalculationFailed as error:
        # The places alone: the message of an error may hold a part of the file.
        places = [line.strip() for line in str(error).splitlines() if line.startswith("  File ")]
        logger.error("A file to watch could not be analysed: %s", "; ".join(places[-3:]))
        raise unreadable("internal_error", code="server_error") from None
    if isinstance(found, ReplayError):
        raise unreadable(found.code, {**found.params, "message": str(found)})
    return found
