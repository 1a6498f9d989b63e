"""The recording in the stored file of a replay."""

from __future__ import annotations

from dataclasses import replace

from analysis import formats
from analysis.formats.text import decode
from analysis.recording import Recording
from replays.models import file_store
from replays.models.replay import Replay


def recording_of(replay: Replay) -> Recording:
    """Read the file, and its name in the encoding that people chose; errors are those of the store and of ``formats``."""
    recording = formats.read(file_store.get(replay.sha256))
    return in_encoding(recording, replay.name_encoding) if replay.encoding_chosen else recording


def in_encoding(recording: Recording, encoding: str) -> Recording:
    return replace(recording, player=decode(recording.player_bytes, encoding), player_encoding=encoding)
