"""Films of the shared files: bytes, time on the server, and frames in Chromium.

    make bench-film

It runs under pytest for the live site and the browser of ``tests/e2e``, and only prints: nothing is judged here.
"""

from __future__ import annotations

import gzip
import time
from pathlib import Path

import numpy as np
import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import CDPSession, Page
from rjsmin import jsmin

from analysis import formats
from analysis.analyse import analyse
from analysis.errors import ReplayError
from analysis.film import encode, film_of
from replays.models import Replay
from replays.watch.film.selectors import film_version, odds_version
from tests.config.test_static_files import imported
from tests.e2e.conftest import Visit
from tests.e2e.conftest import browser as browser
from tests.e2e.conftest import tolerated as tolerated
from tests.e2e.conftest import visit as visit
from tests.e2e.film import use_film
from tests.e2e.test_browser import put
from tests.replays.conftest import store as store
from tests.shared_files import needs_shared, replay_files

pytestmark = [needs_shared, pytest.mark.usefixtures("store"), pytest.mark.slow(why="measures")]
_ROUNDS = 5
_PLAYED_MS = 4_000
_LAYERS = "bv,openings,heat,odds,zini"
#: Intervals and time of scripts, half of the frames and 95 % of them.
_PLAY = """async ([rate, milliseconds]) => {
  const v = document.querySelector("[data-film]").viewer;
  const [frames, work] = [[], []];
  const inner = v.frame;
  let last = 0;
  v.frame = (now) => {
    if (last) frames.push(now - last);
    last = now;
    const before = performance.now();
    inner(now);
    work.push(performance.now() - before);
  };
  v.seek(0);
  v.clock.setRate(rate);
  v.play();
  await new Promise((resume) => setTimeout(resume, milliseconds));
  v.pause();
  v.frame = inner;
  const at = (list, share) => list.sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))];
  return { frames: frames.length, interval: [at(frames, 0.5), at(frames, 0.95)], script: [at(work, 0.5), at(work, 0.95)] };
}"""
#: Seeks of the board alone, and with everything drawn; both on a viewer that has been painted anew.
_SEEK = """() => {
  const v = document.querySelector("[data-film]").viewer;
  const seeks = [];
  for (let index = 0; index < 300; index += 1) {
    const before = performance.now();
    v.board.goTo(Math.floor(Math.random() * (v.film.places.length + 1)));
    seeks.push(performance.now() - before);
  }
  v.stage.cell = 0;
  v.stage.resize();
  const redraws = [];
  for (let index = 0; index < 60; index += 1) {
    const before = performance.now();
    v.seek(v.clock.begin + Math.random() * (v.clock.end - v.clock.begin));
    redraws.push(performance.now() - before);
  }
  const p95 = (list) => list.sort((a, b) => a - b)[Math.floor(list.length * 0.95)];
  return { board: p95(seeks), drawn: p95(redraws) };
}"""


def largest(folder: str) -> Path:
    return max(replay_files(folder), key=lambda path: path.stat().st_size)


def reference() -> Path:
    return next(path for path in replay_files("avf") if "Exp_49.25" in path.name)


def test_bytes() -> None:
    """F6: films beside their files, and the scripts."""
    pairs = []
    for path in replay_files("avf"):
        try:
            film = encode(film_of(analyse(formats.read(path.read_bytes()))))
        except ReplayError:
            continue
        pairs.append((len(gzip.compress(film, 6)), path.stat().st_size))
        if path == reference():
            print(f"\nfilm of the reference game: {pairs[-1][0]} bytes gzipped")
    films, files = (sum(column) for column in zip(*pairs, strict=True))
    print(f"films of {len(pairs)} AVF files: {films} of {files} bytes, {films / files:.1%}")
    static = Path(settings.BASE_DIR) / "replays" / "static"
    viewer, use = imported("watch/film/viewer.js"), imported("watch/film/use.js")
    opened = {
        f"with {name}": imported(f"watch/film/{name}.js") - use - viewer
        for name in ("overlay", "clicks", "position", "marks")
    }
    for title, names in {"first view": viewer, "once it is used": use - viewer, **opened}.items():
        sizes = {name: len(gzip.compress(jsmin((static / name).read_text()).encode(), 6)) for name in sorted(names)}
        print(f"scripts, {title}, each minified and gzipped: {sum(sizes.values())} bytes; {sizes}")


def test_server(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The endpoints of ranked games, each several times, once warm: processor time, which other load changes little."""
    monkeypatch.setattr("replays.watch.film.services.FILM_LIMIT._rate", "1000000/minute")
    client, took = Client(), {"replay-film": [], "replay-odds": []}  # type: ignore[var-annotated]
    games = []
    for path in replay_files("avf"):
        try:
            games.append(put(path.read_bytes()))
        except (AssertionError, Replay.DoesNotExist):
            continue
    games = [game for game in games if game.status == Replay.Status.DONE]
    for warm in (True, *[False] * _ROUNDS):
        for game in games:
            for name, version in (("replay-film", film_version), ("replay-odds", odds_version)):
                begin = time.thread_time()
                response = client.get(
                    reverse(name, args=[game.pk]), {"v": version(game)}, headers={"Accept-Encoding": "gzip"}
                )
                assert response.status_code == 200
                if not warm:
                    took[name].append(1000 * (time.thread_time() - begin))
    for name, times in took.items():
        p50, p99 = np.percentile(times, [50, 99])
        print(f"\n{name}: {len(games)} games, {len(times)} requests: p50 {p50:.1f} ms, p99 {p99:.1f} ms")


def played(page: Page, address: str) -> Page:
    page.goto(address)
    use_film(page)
    return page


def script_ms(session: CDPSession) -> float:
    """Processor time that scripts of the page have taken so far."""
    metrics = {one["name"]: one["value"] for one in session.send("Performance.getMetrics")["metrics"]}
    return float(1000 * metrics["ScriptDuration"])


@pytest.mark.parametrize("folder", ["avf", "evf"])
def test_frames(visit: Visit, folder: str) -> None:
    """F5: the largest file of a format with all layers."""
    game = put(largest(folder).read_bytes())
    page = played(visit("/"), f"{game.get_absolute_url()}?layers={_LAYERS}")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})  # of the processor: other load changes it little
    for rate in (1, 16):
        before = script_ms(session)
        found = page.evaluate(_PLAY, [rate, _PLAYED_MS])
        found["processor"] = (script_ms(session) - before) / found["frames"]
        print(f"\n{folder}, {rate}x, ms a frame: {found}")
    print(f"{folder}, p95 of seeks in ms: {page.evaluate(_SEEK)}")


def test_heap(visit: Visit) -> None:
    """The heap after one film and after ten."""
    game = put(largest("evf").read_bytes())
    page = visit("/")
    session = page.context.new_cdp_session(page)
    heaps = []
    for _ in range(10):
        played(page, game.get_absolute_url())
        page.goto("/statistics/")
        session.send("HeapProfiler.collectGarbage")
        heaps.append(session.send("Runtime.getHeapUsage")["usedSize"])
    more = (heaps[-1] - heaps[0]) / 1e6
    print(f"\nheap after one film {heaps[0] / 1e6:.1f} MB, after ten {heaps[-1] / 1e6:.1f} MB: {more:+.2f} MB")
