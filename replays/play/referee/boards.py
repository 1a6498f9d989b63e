"""Rules for the board that a room has in each epoch.

All of it follows from the room's row, so that a referee that starts again lays the same boards: also those that the one
before it had begun and not stored.
"""

from __future__ import annotations

import hashlib
import hmac
import random
from typing import Final

from analysis.multiplayer.colours import HUES, SHADES
from analysis.multiplayer.laying import Laying, LayingError, lay
from replays.play.models import Room

_STARTS: Final = b"sweepbook room start-1"
_COLOURS: Final = b"sweepbook room colours-1"
#: Start numbers that are tried for one board; the parameters are refused when a room is made if none fits.
_TRIES: Final = 100


def board_of(room: Room, epoch: int) -> Laying:
    """The parameters of the board that begins with ``epoch``; raises ``LayingError`` if there is none."""
    if epoch == 1 and room.start_number is not None:
        return room.laying(room.start_number)
    for number in range(_TRIES):
        laying = room.laying(_start_number(bytes(room.secret), epoch, number, room.modulus))
        if _is_small(laying):
            continue
        try:
            lay(laying)
        except LayingError:
            continue
        return laying
    raise LayingError("No start number fits these parameters.", code="no_start_number")


def _start_number(secret: bytes, epoch: int, number: int, modulus: int) -> int:
    message = _STARTS + epoch.to_bytes(8, "big") + number.to_bytes(4, "big")
    return 1 + int.from_bytes(hmac.digest(secret, message, hashlib.sha256)[:16], "big") % (modulus - 1)


def _is_small(laying: Laying) -> bool:
    """Return whether the first swap begins with a retry: then the doubled start number gives the same board."""
    return laying.start_number * 2 % laying.modulus <= laying.largest_area


def draws_of(room: Room, epoch: int, player: int) -> random.Random:
    message = _COLOURS + epoch.to_bytes(8, "big") + player.to_bytes(8, "big")
    return random.Random(hmac.digest(bytes(room.secret), message, hashlib.sha256))


__all__ = ["HUES", "SHADES", "board_of", "draws_of"]
