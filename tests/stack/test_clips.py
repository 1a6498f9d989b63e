"""Clips are drawn by the workers of uploads, behind them: a real broker and a real worker."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest
from django.test import Client
from PIL import Image, ImageSequence

from analysis.recording import Level
from players.models import User
from replays.models import Replay
from tests.factories import receive_one
from tests.replays.games import game_file
from tests.services import wait_until
from tests.worker import Worker

pytestmark = [pytest.mark.stack, pytest.mark.django_db(transaction=True)]

CLIPS, UPLOADS = 6, 10
_RECEIVED = re.compile(r"Task (replays\.(?:analyse|clip))\[.* received")


@pytest.fixture(autouse=True)
def _folders_of_the_worker(settings: Any) -> None:
    """The worker reads the files of the site's own store, and writes clips where the site looks for them."""
    backend = settings.STORAGES["replays"] | {"OPTIONS": {"location": settings.REPLAY_FILES_DIR}}
    settings.STORAGES = {**settings.STORAGES, "replays": backend}


def hand_in(seeds: range, owner: User) -> None:
    for seed in seeds:
        receive_one(game_file(seed, Level.EXPERT), name=f"{seed}.rawvf", uploader=owner)


def wait_all_analysed(worker: Worker) -> None:
    wait_until(
        lambda: not Replay.objects.exclude(status=Replay.Status.DONE).exists(),
        seconds=180,
        what=f"analyses:\n{worker.text()[-2000:]}",
    )


@pytest.mark.long(beside="tests/replays/watch/clips/test_clips.py::test_from_asking_to_the_file")
def test_a_clip_comes_and_holds_up_no_upload(worker: Worker, client: Client, owner: User) -> None:
    """Clips are asked for first; the worker takes uploads before them, but for the one or two that it has fetched already."""
    worker.beat = False
    worker.start()
    hand_in(range(1, 2), owner)
    wait_all_analysed(worker)
    worker.stop()
    game = Replay.objects.get()
    asked = [f"/api/v1/replays/{game.pk}/clip/?from={begin}&to={begin + 2}" for begin in range(CLIPS)]
    assert [client.post(address).status_code for address in asked] == [202] * CLIPS
    assert {client.get(address).json()["state"] for address in asked} == {"waiting"}
    hand_in(range(2, 2 + UPLOADS), owner)
    before = len(worker.text())
    worker.start()
    wait_until(
        lambda: all(client.get(address).json()["state"] == "ready" for address in asked),
        seconds=120,
        what=f"clips:\n{worker.text()[-2000:]}",
    )
    wait_all_analysed(worker)
    order = _RECEIVED.findall(worker.text()[before:])
    assert (order.count("replays.analyse"), order.count("replays.clip")) == (UPLOADS, CLIPS)
    last_upload = len(order) - order[::-1].index("replays.analyse")
    assert order[:last_upload].count("replays.clip") <= 2
    image = Image.open(io.BytesIO(client.get(client.get(asked[0]).json()["url"]).content))
    assert image.format == "GIF"
    assert sum(1 for _ in ImageSequence.Iterator(image)) > 10
    again = client.post(asked[0])
    assert (again.status_code, again.json()["state"]) == (200, "ready")
