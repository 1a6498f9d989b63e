"""The tables of replays that the feed of changes follows (``players.db.change_triggers``)."""

from __future__ import annotations

from typing import Final

from players.db.change_triggers import Followed, Part

#: Columns of replays that no public answer shows: who uploaded it, and how the work on it goes.
_PRIVATE: Final = (
    "uploader_id", "keep_file", "file_deleted_at", "claimed_at", "attempts", "turn", "luck_version", "luck_claimed_at",
    "luck_attempts", "date_trusted", "judged_by_id",
)  # fmt: skip
#: Texts of times have the decimals of the clock.
_OTHER_CLOCK: Final = "OLD.status = 'done' AND OLD.time_precision_ms IS DISTINCT FROM NEW.time_precision_ms"
#: Likes and comments show as numbers in the rows of replays; they don't move its ``updated_at``.
FOLLOWED: Final = (
    Followed("replays_replay", "replay", private=_PRIVATE, public="({row}.status = 'done')"),
    Part("replays_like", "replay", "replay_id"),
    Part("replays_comment", "replay", "replay_id"),
    Part(
        "replays_replay",
        "player",
        "id",
        when=_OTHER_CLOCK,
        ids="SELECT DISTINCT player_id FROM players_personalbest WHERE replay_id = {row}.id",
    ),
    Part(
        "replays_replay",
        "record",
        "id",
        when=_OTHER_CLOCK,
        ids="SELECT id FROM players_recordevent WHERE replay_id = {row}.id",
    ),
    Part("replays_replay", "upload", "id", when="OLD.status <> NEW.status AND NEW.status IN ('done', 'rejected')"),
)
