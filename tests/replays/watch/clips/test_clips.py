"""Clips: what they show, that one job makes each, and that nobody gets or floods what is not theirs."""

from __future__ import annotations

import io
import os
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.http import Http404
from django.test import Client
from kombu.exceptions import OperationalError
from PIL import Image, ImageSequence

from analysis.recording import Level
from players.models import User
from replays.models import Replay, file_store
from replays.tasks import clip as clip_task
from replays.watch.clips import services, store
from replays.watch.clips.clip_drawing import MOST_FRAMES, draw_clip
from replays.watch.clips.services import State, clip_of
from replays.watch.film.selectors import film_of_replay
from replays.watch.pictures.selectors import picture_line
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, largest_game

PART = {"from": "1", "to": "4"}


@pytest.fixture(autouse=True)
def folder(settings: Any, tmp_path: Path) -> None:
    settings.KEPT_DIR = tmp_path / "kept"


@pytest.fixture
def game(ingest: Ingest) -> Replay:
    replay = ingest(game_file(1, Level.EXPERT))
    Replay.objects.filter(pk=replay.pk).update(judgement=Replay.Judgement.ACCEPTED)
    replay.refresh_from_db()
    return replay


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """The jobs that were queued."""
    jobs: list[tuple[int, int, int]] = []
    monkeypatch.setattr(services, "_send", lambda clip: jobs.append((clip.replay.pk, clip.from_ms, clip.to_ms)))
    return jobs


def api(replay: Replay, begin: object = 1, end: object = 4) -> str:
    return f"/api/v1/replays/{replay.pk}/clip/?from={begin}&to={end}"


def gif(replay: Replay, begin: object = 1, end: object = 4) -> str:
    return f"/replays/{replay.pk}/clip.gif?from={begin}&to={end}"


def frames(data: bytes) -> list[np.ndarray[Any, Any]]:
    image = Image.open(io.BytesIO(data))
    assert image.format == "GIF"
    return [np.asarray(frame.convert("RGB")) for frame in ImageSequence.Iterator(image)]


# --- drawing ----------------------------------------------------------------------------------------------------------


def test_a_clip_shows_its_seconds(game: Replay) -> None:
    film = film_of_replay(game)
    data = draw_clip(film, 1_000, 4_000, "Ada Bot")
    image = Image.open(io.BytesIO(data))
    length = 0
    for frame in ImageSequence.Iterator(image):
        length += frame.info["duration"]
    assert length == 3_000 + 1_000, "and a second of rest"
    shown = frames(data)
    assert len(shown) > 10
    for found, moment in ((shown[0], 1_000), (shown[-1], 4_000)):
        still = frames(draw_clip(film, moment, moment, "Ada Bot"))
        assert len(still) == 1
        assert np.array_equal(found, still[0])
    assert not np.array_equal(shown[0], shown[-1])


def test_the_line_is_drawn(game: Replay) -> None:
    film = film_of_replay(game)
    one, other = (frames(draw_clip(film, 0, 0, line))[0] for line in ("Ada", "Bob"))
    assert np.array_equal(one[:-24], other[:-24])
    assert not np.array_equal(one[-24:], other[-24:])
    line = picture_line(game)
    assert all(part in line for part in ("Ada Bot", "Expert", " s", "3BV/s"))


def test_frames_are_bounded(game: Replay) -> None:
    film = film_of_replay(game)
    assert len(frames(draw_clip(film, 0, film.time_ms, ""))) <= MOST_FRAMES


def test_the_largest_board(ingest: Ingest) -> None:
    shown = frames(draw_clip(film_of_replay(ingest(largest_game())), 0, 6_000, "x" * 500))
    assert shown[0].size <= 3 * 765 * 800


# --- asking -----------------------------------------------------------------------------------------------------------


def test_from_asking_to_the_file(client: Client, game: Replay, sent: list[Any]) -> None:
    assert client.get(api(game)).json()["state"] == "none"
    assert client.get(gif(game)).status_code == 404
    asked = client.post(api(game))
    assert (asked.status_code, asked.json()["state"], asked.json()["url"]) == (202, "waiting", None)
    assert sent == [(game.pk, 1_000, 4_000)]
    clip_task(*sent[0])
    found = client.post(api(game))
    assert (found.status_code, found.json()["state"]) == (200, "ready")
    answer = client.get(found.json()["url"])
    assert (answer["Content-Type"], answer["Cache-Control"]) == ("image/gif", "private, no-cache")
    assert len(frames(answer.content)) > 10


def test_the_same_request_is_one_job(client: Client, game: Replay, sent: list[Any]) -> None:
    for begin in ("1", "1.0", "0:01", "1,02", "0.98"):
        assert client.post(api(game, begin)).status_code == 202
    assert client.post(f"/replays/{game.pk}/clip/", PART).status_code == 302
    assert len(sent) == 1
    clip_task(*sent[0])
    clip_task(*sent[0])  # a message may come twice
    assert client.post(api(game)).status_code == 200
    assert len(sent) == 1


def test_the_page(client: Client, game: Replay, sent: list[Any]) -> None:
    assert f'href="/replays/{game.pk}/clip/"' in client.get(game.get_absolute_url()).content.decode()
    proposed = client.get(f"/replays/{game.pk}/clip/?t=10").content.decode()
    assert 'value="7.0"' in proposed
    assert 'value="13.0"' in proposed
    frames = re.findall(r'src="(/replays/\d+/frame.png\?t=[\d.]+)"', proposed)
    assert frames == [f"/replays/{game.pk}/frame.png?t={at}" for at in ("7.0", "13.0")]
    assert {client.get(frame)["Content-Type"] for frame in frames} == {"image/png"}
    there = client.post(f"/replays/{game.pk}/clip/", PART)["Location"]
    assert "every 1s" in client.get(there).content.decode()
    clip_task(*sent[0])
    done = client.get(there).content.decode()
    assert "every 1s" not in done
    assert "clip.gif?from=1.0&amp;to=4.0" in done


def test_clips_go_after_uploads(settings: Any) -> None:
    queues = list(settings.CELERY_TASK_QUEUES)
    assert settings.CELERY_TASK_ROUTES[services.TASK]["queue"] == "clips"
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["queue_order_strategy"] == "priority"
    assert queues == ["celery", "clips", "luck"], "and before luck, of which there may be hours of work"


def test_no_broker(client: Client, game: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    def down() -> None:
        raise OperationalError("down")

    monkeypatch.setattr(services, "broker_connection", down)
    assert client.post(api(game)).status_code == 503
    assert client.get(api(game)).json()["state"] == "none", "it can be asked for again"


def test_a_failure_is_told_and_forgotten(client: Client, game: Replay, sent: list[Any]) -> None:
    client.post(api(game))
    file_store.delete(game.sha256)
    with pytest.raises(Http404):
        services.make(*sent[0])
    assert client.get(api(game)).json()["state"] == "failed"


# --- attacks ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("begin", "end"),
    [
        ("", "1"), ("1", ""), ("-1", "1"), ("1", "1"), ("4", "1"), ("0", "6.1"), ("0", "999999"), ("nan", "1"), ("0", "inf"),
        ("1e3", "1e3"), ("../../x", "1"), ("0%00", "1"), ("999990", "999994"), ("1&from=2", "3"), ("0x1", "2"),
    ],
)  # fmt: skip
def test_odd_times(client: Client, game: Replay, sent: list[Any], begin: str, end: str) -> None:
    for answer in (
        client.get(api(game, begin, end)),
        client.post(api(game, begin, end)),
        client.get(gif(game, begin, end)),
    ):
        assert answer.status_code in {400, 404}
    assert client.get(f"/replays/{game.pk}/clip/?from={begin}&to={end}").status_code == 400
    assert sent == []
    assert not store._folder().exists()


@pytest.mark.parametrize(
    "change", [{"status": "queued"}, {"judgement": "suspicious"}, {"ownership": "disowned"}, {"ownership": "waiting"}]
)
def test_a_replay_that_is_hidden_later(client: Client, game: Replay, sent: list[Any], change: dict[str, str]) -> None:
    """Nothing that was made is served any more, and nothing that waits is made."""
    client.post(api(game))
    clip_task(*sent[0])
    client.post(api(game, 2, 5))
    assert client.get(gif(game)).status_code == 200
    Replay.objects.filter(pk=game.pk).update(**change)
    clip_task(*sent[1])
    for begin, end in ((1, 4), (2, 5)):
        assert client.get(gif(game, begin, end)).status_code == 404
        assert client.post(api(game, begin, end)).status_code == 404
    assert client.get(f"/replays/{game.pk}/clip/").status_code == 404
    assert len(list(store._folder().iterdir())) == 1


def test_a_deleted_replay(client: Client, game: Replay, sent: list[Any]) -> None:
    client.post(api(game))
    Replay.objects.filter(pk=game.pk).delete()
    clip_task(*sent[0])
    assert client.get(gif(game)).status_code == 410
    assert not store._folder().exists()


def test_a_new_name_is_a_new_clip(game: Replay) -> None:
    before = clip_of(game, 1_000, 4_000).name
    assert game.player is not None
    game.player.name = "Somebody Else"
    assert clip_of(game, 1_000, 4_000).name != before


def test_a_flood(client: Client, owner: User, game: Replay, sent: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A visitor has a number of clips, and an address has one whatever the accounts; what is there costs nothing."""
    monkeypatch.setattr("replays.watch.clips.services.CLIP_LIMIT._rate", "3/hour")
    monkeypatch.setattr("replays.watch.clips.services.ADDRESS_CLIP_LIMIT._rate", "5/hour")
    statuses = [client.post(api(game, number, number + 1)).status_code for number in range(6)]
    assert statuses == [202] * 3 + [429] * 3
    client.force_login(owner)
    statuses = [client.post(api(game, number, number + 1)).status_code for number in range(10, 14)]
    assert statuses == [202, 202, 429, 429]
    assert len(sent) == 5
    clip_task(*sent[0])
    assert client.post(api(game, 0, 1)).status_code == 200
    assert client.get(gif(game, 0, 1)).status_code == 200


def test_the_folder_is_bounded(settings: Any) -> None:
    settings.CLIPS_MB = 1
    for number in range(5):
        store.write(f"clip{number}", bytes(400_000))
        os.utime(store._path(f"clip{number}"), (time.time() - 100 + number,) * 2)
    store.make_room()
    assert sorted(path.name for path in store._folder().iterdir()) == ["clip3.gif", "clip4.gif"]


def test_what_nobody_asks_for_goes() -> None:
    for name in ("old", "asked"):
        store.write(name, b"GIF")
        os.utime(store._path(name), (time.time() - 71 * 3600,) * 2)
    assert store.read("asked") == b"GIF"
    os.utime(store._path("old"), (time.time() - 73 * 3600,) * 2)
    store.make_room()
    assert (store.read("old"), store.read("asked")) == (None, b"GIF")


def test_a_full_disk(client: Client, game: Replay, sent: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "has_room", lambda: False)
    client.post(api(game))
    clip_task(*sent[0])
    assert client.get(api(game)).json()["state"] == State.FAILED.value
