"""Everything that changes replays."""

from __future__ import annotations

from replays.services.analyse import analyse_replays, waiting_beside
from replays.services.appeals import MAX_APPEALS, AppealRefused, appeal_create, appeal_refusal
from replays.services.bots import player_mark_bot
from replays.services.delete import replay_delete
from replays.services.judge import replay_judge
from replays.services.luck import luck_measure
from replays.services.receipts import Outcome, Receipt, refusal
from replays.services.receive import Source, receive, receive_in_batches, receive_many
from replays.services.stale import replays_requeue, requeue_luck, requeue_stale

__all__ = [
    "MAX_APPEALS",
    "AppealRefused",
    "Outcome",
    "Receipt",
    "Source",
    "analyse_replays",
    "appeal_create",
    "appeal_refusal",
    "luck_measure",
    "player_mark_bot",
    "receive",
    "receive_in_batches",
    "receive_many",
    "refusal",
    "replay_delete",
    "replay_judge",
    "replays_requeue",
    "requeue_luck",
    "requeue_stale",
    "waiting_beside",
]
