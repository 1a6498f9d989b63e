"""Frames of a room's board while moves arrive: ``python -m tests.bench.live.frames [--moves 1000] [--seconds 8]``.

A game of random moves is decided by ``ServerGame``; the page gets its moves as a sealed room does, encoded, at the wanted
rate, and draws them with the modules of the site.  Printed is the time between frames for a large board at a size with
digits and as a whole, and for an Expert board.  Goal: p95 at most 17 ms on a quiet machine, whose screen has 60 Hz.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Route

from analysis.multiplayer.laying import Laying, lay
from analysis.multiplayer.server_game import ServerGame
from replays.play import wire
from replays.play.referee.frames import shown_faces
from tests.e2e.chromium import chromium

ROOT = Path(__file__).resolve().parents[3]
STATIC = (ROOT / "replays/static", ROOT / "players/static")
SITE = "http://frames.test"
PLAYERS = 60
_KINDS = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_PAGE = """<!doctype html><html><link rel="stylesheet" href="/static/web/tokens.css"><link rel="stylesheet" href="/static/play/rooms.css">
<body><div class="room-board" data-board tabindex="0"><canvas data-cells></canvas><canvas data-marks></canvas>
<canvas class="minimap" data-map hidden></canvas></div></body></html>"""
_RUN = """async ({ rows, columns, frames, rate, seconds, whole }) => {
    const { RoomBoard } = await import("/static/play/room/board/board.js");
    const { ClientGame } = await import("/static/play/room/rules/clientgame.js");
    const { decode } = await import("/static/play/wire.js");
    const game = new ClientGame({ rows, columns });
    const element = document.querySelector("[data-board]");
    const board = new RoomBoard(element, { game, playerOf: (player) => ({ hue: player % 12, shade: player % 5, name: "" }) });
    const packets = frames.map((text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0)));
    await new Promise((resolve) => setTimeout(resolve, 500));
    if (whole) { board.camera.showWhole(); board.look(); }
    await new Promise((resolve) => setTimeout(resolve, 500));
    const times = [];
    let next = 0;
    let cells = 0;
    const start = performance.now();
    // As a socket does: a message whenever it is due, between the frames.
    const timer = setInterval(() => {
        const due = Math.min(packets.length, Math.floor(((performance.now() - start) * rate) / 1000));
        for (; next < due; next++) {
            const { first, moves } = decode(packets[next]);
            moves.forEach(({ player, kind, cell, opened }, place) => {
                cells += opened.length;
                game.receive({ stamp: first + place, player, kind, cell, cells: opened });
            });
        }
    }, 4);
    await new Promise((resolve) => {
        const frame = (now) => {
            times.push(now);
            if (now - start > 1000 * seconds) resolve();
            else requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
    });
    clearInterval(timer);
    const gaps = times.slice(1).map((time, place) => time - times[place]).sort((a, b) => a - b);
    const at = (share) => gaps[Math.min(gaps.length - 1, Math.floor(share * gaps.length))];
    return { moves: next, cells, frames: gaps.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), most: gaps.at(-1), size: board.camera.size };
}"""


def packets(laying: Laying, count: int) -> Iterator[str]:
    """The moves of a random game, each as a message of its own, in base 64."""
    import base64

    rng = random.Random(5)
    game = ServerGame(lay(laying))
    closed = rng.sample(range(laying.cells), laying.cells)
    made = 0
    for cell in closed:
        player = rng.randint(1, PLAYERS)
        done = game.open(cell, player)
        if not done.stamp:
            continue
        shown = shown_faces(game.numbers, game.stamp, game.flags).ravel()[done.cells]
        faces = tuple(wire.Face(*one) for one in sorted(zip(done.cells.tolist(), shown.tolist(), strict=True)))
        yield base64.b64encode(wire.Moves(1, done.stamp, (wire.Move(player, 1, cell, faces),)).encode()).decode()
        made += 1
        if made == count:
            return


def serve(route: Route) -> None:
    """The page, and the static files of the site."""
    path = route.request.url.removeprefix(SITE).split("?")[0]
    if path == "/":
        route.fulfill(content_type="text/html", body=_PAGE)
        return
    for folder in STATIC:
        file = folder / path.removeprefix("/static/")
        if file.is_file():
            route.fulfill(content_type=_KINDS[file.suffix], body=file.read_text())
            return
    route.fulfill(status=404, body="")


def measure(browser: Browser, name: str, laying: Laying, *, rate: int, seconds: int, whole: bool) -> None:
    frames = list(packets(laying, rate * seconds))
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.route("**/*", serve)
    page.goto(SITE + "/")
    values = {
        "rows": laying.rows,
        "columns": laying.columns,
        "frames": frames,
        "rate": rate,
        "seconds": seconds,
        "whole": whole,
    }
    found = page.evaluate(_RUN, values)
    sys.stdout.write(f"{name}: {json.dumps({key: round(value, 1) for key, value in found.items()})}\n")
    context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=1_000, help="a second")
    parser.add_argument("--seconds", type=int, default=8)
    arguments = parser.parse_args()
    rate, seconds = arguments.moves, arguments.seconds
    with chromium() as browser:
        large, expert = Laying(500, 500), Laying(16, 30)
        measure(browser, "500 x 500 with digits", large, rate=rate, seconds=seconds, whole=False)
        measure(browser, "500 x 500 as a whole", large, rate=rate, seconds=seconds, whole=True)
        measure(browser, "16 x 30", expert, rate=rate, seconds=seconds, whole=False)


if __name__ == "__main__":
    main()
