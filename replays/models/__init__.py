"""The models of replays.  All writes go through services."""

from __future__ import annotations

from replays.models.account_deletion import AccountDeletion
from replays.models.analysed import (
    SKETCH_COLUMNS,
    NeedlessGuess,
    PlayTrace,
    RecomputeNote,
    RecomputeProgress,
    StatisticQuantiles,
)
from replays.models.links import GameLink
from replays.models.opinions import Appeal, Comment, CommentReport, Like, Objection
from replays.models.replay import LUCK_IS_WANTED, OWN_GAMES, REJECTED_FILES, Replay
from replays.models.store import StoreMark
from replays.models.uploads import BatchFile, DeletedGame, HomeVisit, UploadBatch

__all__ = [
    "LUCK_IS_WANTED",
    "OWN_GAMES",
    "REJECTED_FILES",
    "SKETCH_COLUMNS",
    "AccountDeletion",
    "Appeal",
    "BatchFile",
    "Comment",
    "CommentReport",
    "DeletedGame",
    "GameLink",
    "HomeVisit",
    "Like",
    "NeedlessGuess",
    "Objection",
    "PlayTrace",
    "RecomputeNote",
    "RecomputeProgress",
    "Replay",
    "StatisticQuantiles",
    "StoreMark",
    "UploadBatch",
]
