"""The end of a game: the file that keeps it, its row, its replay, and the message that tells the player."""

from __future__ import annotations

import logging
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final

from django.db import DatabaseError, close_old_connections
from django.db.models import Q

from analysis.formats import rawvf
from analysis.recording import Recording
from players.models import User
from replays.play import wire
from replays.play.models import LiveGame as Row
from replays.play.solo import selectors, services
from replays.play.solo.playing import database
from replays.play.solo.playing.database import AWAY
from replays.play.solo.playing.outcomes import outcomes_of_loop
from replays.play.solo.playing.played_game import PlayedGame
from replays.play.solo.playing.unsaved import EndedGame, abandoned_games, folder, unsaved_games

#: Between two tries to hand in what a dead process left behind.
_RETRY_SECONDS: Final = 5.0
GUEST_NAME: Final = "Guest"

logger = logging.getLogger(__name__)


def write_to_disk(game: PlayedGame, holder: str) -> EndedGame:
    """Write a game that has ended to the disk, where it waits for the database."""
    # The database, which is asked later, knows the name of the player.
    name = GUEST_NAME if game.visitor.user_id is None else game.visitor.name
    recording = None if game.ranked is None else game.recording(name)
    data = b"" if recording is None else zlib.compress(rawvf.write(recording), 1)
    ended = EndedGame(game.row(holder), holder, data, recording, game.connection)
    unsaved_games().add(ended)
    return ended


# --- into the database ------------------------------------------------------------------------------------------------


async def save(game: EndedGame) -> wire.Stored | None:
    """Write ``game``, whose replay is then made by a worker.  Returns what its player is told, as far as it is known.

    May be repeated; raises one of ``AWAY`` while the database is away.
    """
    try:
        before_ms = await database.run(_end, game)
    finally:
        game.recording = None  # who waits for the database reads the file again
    return wire.Stored(game.row.pk.bytes, 0, "", 0, False, before_ms or 0) if game.data else None


def _end(game: EndedGame) -> int | None:
    """In the thread that writes: store the end, and return the best time before.  May be repeated."""
    row = game.row
    user = None if row.user_id is None else User.objects.filter(pk=row.user_id).first()
    row.user = user  # None if the account was deleted meanwhile
    recording = _recording(game, GUEST_NAME if user is None else selectors.player_name(user))
    if not services.game_end(row, game.holder, recording) and not _is_ours(row):
        logger.info("The live game %s had ended already.", row.pk)
        return None
    return None if recording is None else selectors.best_time_ms(user, row.level)


def _recording(game: EndedGame, player: str) -> Recording | None:
    if not game.data:
        return None
    recording = game.recording or rawvf.read(zlib.decompress(game.data))
    if recording.player == player:
        return recording
    return replace(recording, player=player, player_bytes=player.encode())


def _is_ours(row: Row) -> bool:
    """Return whether it was this end that is stored: an earlier try may have failed behind it."""
    return Row.objects.filter(pk=row.pk, ended_at=row.ended_at, state=row.state).exists()


# --- telling the player -----------------------------------------------------------------------------------------------


async def tell(game: EndedGame, stored: wire.Stored) -> None:
    """Send ``stored`` to the socket of ``game``; to an account when it is known what became of the replay."""
    if game.connection is None:
        return
    if game.row.user_id is not None:
        try:
            stored = replace(await outcomes_of_loop().wait_for(game.row.pk), before_ms=stored.before_ms)
        except DatabaseError as error:
            logger.warning("What became of the live game %s cannot be read: %s", game.row.pk, error)
    game.connection.send_now(stored)


# --- what dead processes left behind ----------------------------------------------------------------------------------


def adopt_abandoned_games() -> threading.Thread:
    """Hand in, in a thread, the games that processes of this machine could not before they died; interrupt the others."""
    thread = threading.Thread(target=_adopt, name="unsaved-games", daemon=True)
    thread.start()
    return thread


def _adopt() -> None:
    for holder, games in abandoned_games(folder()):
        for game in games:
            _until_done(f"The live game {game.row.pk}", partial(_hand_in, game))
        _until_done(f"What {holder} was playing", partial(services.interrupt_games, Q(holder=holder)))


def _hand_in(game: EndedGame) -> None:
    _end(game)
    if game.data:
        services.queue_hand_in([game.row.pk])


def _until_done(what: str, work: Callable[[], object]) -> None:
    """Do ``work`` as soon as the database is there."""
    while True:
        close_old_connections()
        try:
            work()
        except AWAY as error:
            logger.warning("%s waits for the database: %s", what, error)
            time.sleep(_RETRY_SECONDS)
            continue
        except Exception:
            logger.exception("%s cannot be stored, and is dropped.", what)
        finally:
            close_old_connections()
        return
