from __future__ import annotations

from base64 import b64encode
from typing import Final

from rest_framework import serializers

from analysis.analyse import Style
from analysis.recording import Level, Mode
from analysis.statistics import STORED
from players.web.api import KnownChoiceField, StatedTimeField, TextField, ValueField, Values
from replays.models import Replay
from replays.trust.judging.serializers import FindingSerializer
from replays.watch.any_file.selectors import WatchedFile

#: What is as in the row of an upload.
_COLUMNS: Final = (
    "format", "software", "identifier", "level", "mode", "style", "result", "win", "evidence", "game_hash",
    "time_precision_ms",
)  # fmt: skip


class FileToWatchSerializer(serializers.Serializer[Values]):
    """A file that is analysed and not kept."""

    file = serializers.FileField(help_text="One replay; archives and sets have to be uploaded.")


class WatchedFileSerializer(serializers.Serializer[Values]):
    """The game in a file that is not kept."""

    format = serializers.CharField(help_text="As content tells, not the file name.")
    software = TextField(help_text="The program that recorded the game, as it names itself.")
    identifier = TextField(help_text="The name inside the replay.")
    level = KnownChoiceField([level.value for level in Level])
    mode = KnownChoiceField([mode.value for mode in Mode])
    style = KnownChoiceField([style.value for style in Style])  # type: ignore[assignment]  # DRF turns declarations into fields
    result = KnownChoiceField(Replay.Result.values)
    win = serializers.BooleanField(help_text="Whether the game was won.")
    played_at = StatedTimeField(
        allow_null=True, help_text="What the file says; without `Z`, the player's local time in an unknown time zone."
    )
    evidence = KnownChoiceField(Replay.Evidence.values, help_text="What stands behind the game.")
    game_hash = serializers.CharField(help_text="Hash of the board and the events: the same for the same game.")
    time_precision_ms = serializers.IntegerField(help_text="The smallest step of the recording's clock.")
    board = serializers.ListField(
        child=serializers.CharField(), help_text="One text a row; “*” is a mine, “.” a safe cell."
    )
    statistics = serializers.DictField(
        child=ValueField(allow_null=True),
        help_text="Value by name, as of a replay; null where a statistic is not defined, as luck is before an upload.",
    )
    findings = FindingSerializer(many=True, help_text="What the analysis noticed.")
    film = serializers.CharField(help_text="What the viewer plays, as base64 of the bytes at `/replays/<id>/film`.")


def file_values(found: WatchedFile) -> Values:
    replay = found.replay
    return {
        **{name: getattr(replay, name) for name in _COLUMNS},
        "played_at": replay.stated_at,
        "board": ["".join("*" if cell else "." for cell in line) for line in replay.board_object().mines.tolist()],
        "statistics": {name: replay.statistic(row.name) for row in STORED for name in (row.public, *row.aliases)},
        "findings": replay.findings,
        "film": b64encode(found.film).decode(),
    }
