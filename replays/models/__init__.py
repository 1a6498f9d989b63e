"""The models of replays.  All writes go through services."""

from __future__ import annotations

from replays.models.analysed import (
    SKETCH_COLUMNS,
    NeedlessGuess,
    PlayTrace,
    RecomputeNote,
    StatisticQuantiles,
    TrainingCard,
    TrainingDay,
)
from replays.models.moderation import Ban, BanAppeal, Report, ReportedThing
from replays.models.opinions import Appeal, Comment, Like
from replays.models.places import Contest, Place, Sending
from replays.models.replay import LUCK_IS_WANTED, OUTDATED, REJECTED_FILES, Replay
from replays.models.store_mark import StoreMark
from replays.models.uploads import AccountDeletion, BatchFile, DeletedGame, HomeVisit, UploadBatch
from replays.models.versions import AcceptedVersion

__all__ = [
    "LUCK_IS_WANTED",
    "OUTDATED",
    "REJECTED_FILES",
    "SKETCH_COLUMNS",
    "AcceptedVersion",
    "AccountDeletion",
    "Appeal",
    "Ban",
    "BanAppeal",
    "BatchFile",
    "Comment",
    "Contest",
    "DeletedGame",
    "HomeVisit",
    "Like",
    "NeedlessGuess",
    "Place",
    "PlayTrace",
    "RecomputeNote",
    "Replay",
    "Report",
    "ReportedThing",
    "Sending",
    "StatisticQuantiles",
    "StoreMark",
    "TrainingCard",
    "TrainingDay",
    "UploadBatch",
]
