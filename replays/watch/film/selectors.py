"""The film of a replay, the odds of its positions and the routes of its board, made on request; films and odds are kept."""

from __future__ import annotations

import gzip
from typing import Final

from django.http import Http404
from django.utils.translation import gettext as _

from analysis import formats
from analysis.analyse import analyse
from analysis.film import FILM_VERSION, ODDS_VERSION, Film, OddsPack, encode, encode_odds, film_of, odds_of
from analysis.statistics import LUCK_VERSION, VERSION
from analysis.zini import RouteStep, route
from replays.models import Replay, file_store
from replays.models.kept import KeptResult, take
from replays.odds.luck.selectors import unreadable_is_404
from replays.upload.kernels import require_kernels

#: Processor time of the odds of one game; those of a ranked level need up to 30 ms.
ODDS_SECONDS: Final = 0.5
_HASH_DIGITS: Final = 8
#: Level of gzip: higher ones take three times as long for 2 % less.
_GZIP_LEVEL: Final = 6


def film_version(replay: Replay) -> str:
    """The value of ``v`` in the address of a film: the bytes at that address never change."""
    return f"{FILM_VERSION}.{VERSION}.{(replay.game_hash or '')[:_HASH_DIGITS]}"


def odds_version(replay: Replay) -> str:
    return f"{ODDS_VERSION}.{LUCK_VERSION}.{(replay.game_hash or '')[:_HASH_DIGITS]}"


def watched_replay(pk: int) -> Replay:
    """The replay ``pk`` for anyone: films are of analysed replays, which everybody may see.  Raises ``Http404``.

    It does not ask who the visitor is, so that the response depends on no cookie.
    """
    try:
        return Replay.objects.select_related("player").get(pk=pk, status=Replay.Status.DONE)
    except Replay.DoesNotExist as error:
        raise Http404(_("This replay doesn't exist.")) from error


def film_of_replay(replay: Replay) -> Film:
    """Raise ``Http404`` if its file is lost or no longer accepted."""
    require_kernels("analysis", "film")
    with unreadable_is_404():
        return film_of(analyse(formats.read(file_store.get(replay.sha256))))


def packed_film(replay: Replay) -> KeptResult:
    """The bytes of the film (``analysis.film.encoding``), gzipped."""
    return take(replay.sha256, "film", lambda: KeptResult(_gzipped(encode(film_of_replay(replay)))))


def packed_odds(replay: Replay) -> KeptResult:
    """The bytes of the odds (``analysis.film.film_odds``), gzipped."""

    def make() -> KeptResult:
        pack = odds_of_replay(replay)
        return KeptResult(_gzipped(encode_odds(pack)), pack.is_complete)

    return take(replay.sha256, "odds", make)


def odds_of_replay(replay: Replay) -> OddsPack:
    return odds_of(film_of_replay(replay), ODDS_SECONDS)


def route_of_replay(replay: Replay, kind: str) -> tuple[RouteStep, ...]:
    require_kernels("analysis", "film")
    return route(replay.board_object(), kind)


def _gzipped(data: bytes) -> bytes:
    """Without the time, so that equal bytes stay equal."""
    return gzip.compress(data, _GZIP_LEVEL, mtime=0)
