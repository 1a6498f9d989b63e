"""A file store for each test, and a fixture that receives and analyses a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from players.models import User
from replays.models import Replay
from replays.upload.processing.services import analyse_replays
from tests.factories import receive_one

Ingest = Callable[..., Replay]


@pytest.fixture(autouse=True)
def store(settings: Any, tmp_path: Path) -> Path:
    """The folder of replay files of this test."""
    folder = tmp_path / "store"
    backend = {"BACKEND": "replays.models.file_store.ReplayFileStorage", "OPTIONS": {"location": folder}}
    settings.STORAGES = {**settings.STORAGES, "replays": backend}
    return folder


@pytest.fixture
def ingest(db: None) -> Ingest:
    """Receive and analyse one file; returns its row."""

    def put_through(data: bytes, *, name: str = "game.rawvf", uploader: User | None = None) -> Replay:
        receipt = receive_one(data, name=name, uploader=uploader, enqueue=False)
        assert receipt.replay_id is not None, receipt
        analyse_replays([receipt.replay_id])
        return Replay.objects.get(pk=receipt.replay_id)

    return put_through
