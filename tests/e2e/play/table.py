"""The page of a single game with a mouse at hand, on the real site or with a socket that the test answers itself."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from playwright.sync_api import CDPSession, Locator, Page

from analysis.recording import Kind

#: In place of ``socket.js``: keeps what the page sends; the test answers through ``socketDouble``.
SOCKET_DOUBLE: Final = """
export function connect(options) {
  const copied = (globalThis.copied ??= []); // what goes over the second socket
  if (options.path) return { send: (message) => copied.push(message), lag: () => null, close() {} };
  const double = (globalThis.socketDouble = { options, sent: [], lag: 23, open: true, automatic: true });
  const numbered = (length, value) => new Uint8Array(length).fill(value);
  let games = 0;
  double.game = (more = {}) => {
    games += 1;
    const { rows, columns, mines, rules } = JSON.parse(document.getElementById("play-config").textContent);
    const fresh = { type: "game", game: numbered(16, games), commit: numbered(32, 1), rows, columns, mines, rules, resumed: false, last_seq: 0, elapsed_ms: 0, shown: numbered(0, 0) };
    double.gameAt = performance.now();
    options.onMessage({ ...fresh, ...more });
  };
  setTimeout(() => {
    options.onState({ state: "open", name: "somebody" });
    if (options.hello().game.length) options.onMessage({ type: "error", fatal: false, code: "no_game", message: "gone" });
  }, 0);
  return {
    send(message) {
      if (!double.open) return false;
      double.sent.push(message);
      if (message.type === "new" && double.automatic) setTimeout(double.game, 0);
      return true;
    },
    lag: () => double.lag,
    close() {},
  };
}
"""
_WAIT_S: Final = 60.0
_BUTTONS: Final = {"left": 1, "right": 2, "middle": 4}
CLOSED, FLAG, PRESSED, QUESTION, WRONG_FLAG, MINE = 10, 11, 12, 13, 14, 15


class GamePage:
    """A page of live play; ``cell_px`` is the CSS size of a cell, ``turned``: rows are drawn from left to right."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.cdp: CDPSession = page.context.new_cdp_session(page)
        self.held: dict[str, int] = {}
        self.until("document.querySelector('[data-play]').dataset.state === 'open'")
        board = page.locator("[data-board]")
        config: Mapping[str, Any] = json.loads(page.locator("#play-config").text_content() or "{}")
        self.rows, self.columns = int(config["rows"]), int(config["columns"])
        board.evaluate("(board) => board.scrollIntoView({ block: 'nearest' })")
        self.look()

    def look(self) -> None:
        """Find out where the board is drawn, and whether it is transposed."""
        board = self.page.locator("[data-board]")
        box = board.bounding_box()
        assert box is not None
        self.left, self.top = box["x"], box["y"]
        self.turned = board.get_attribute("data-turned") is not None
        self.cell_px = round(box["width"] / (self.rows if self.turned else self.columns))

    def until(self, condition: str) -> None:
        """Wait until an expression is true: the policy of the site forbids the browser to poll it by itself."""
        deadline = time.monotonic() + _WAIT_S
        if "socketDouble" in condition:  # after a reload it comes with the page's modules, a moment later
            condition = f"Boolean(globalThis.socketDouble) && ({condition})"
        while not self.page.evaluate(condition):
            assert time.monotonic() < deadline, condition
            self.page.wait_for_timeout(20)

    def centre(self, row: int, column: int) -> tuple[float, float]:
        if self.turned:
            row, column = column, row
        return self.left + (column + 0.5) * self.cell_px, self.top + (row + 0.5) * self.cell_px

    # --- the mouse ---

    def mouse(
        self, kind: str, x: float, y: float, button: str = "none", *, at_s: float | None = None, **more: Any
    ) -> None:
        """One event of the mouse: ``kind`` moved, pressed or released; ``at_s``: its time, s since 1970."""
        if kind == "pressed":
            self.held[button] = _BUTTONS[button]
        if kind == "released":
            self.held.pop(button, None)
        event = {
            "type": f"mouse{kind.capitalize()}",
            "x": x,
            "y": y,
            "button": button,
            "buttons": sum(self.held.values()),
            "clickCount": int(button != "none"),
            **more,
        }
        self.cdp.send("Input.dispatchMouseEvent", event if at_s is None else event | {"timestamp": at_s})

    def move(self, row: int, column: int) -> None:
        self.mouse("moved", *self.centre(row, column))

    def press(self, row: int, column: int, button: str = "left", **more: Any) -> None:
        self.mouse("pressed", *self.centre(row, column), button, **more)

    def release(self, row: int, column: int, button: str = "left", **more: Any) -> None:
        self.mouse("released", *self.centre(row, column), button, **more)

    def click(self, row: int, column: int, button: str = "left", **more: Any) -> None:
        self.move(row, column)
        self.press(row, column, button, **more)
        self.release(row, column, button, **more)

    # --- what is seen: the drawn pixels, compared with faces drawn by the same skin ---

    def faces(self) -> list[list[int]]:
        """The face code of every cell, told from the pixels of the canvas."""
        down, across = (self.columns, self.rows) if self.turned else (self.rows, self.columns)
        flat: list[int] = self.page.evaluate(_READ_FACES, [down, across])
        drawn = [flat[row * across : (row + 1) * across] for row in range(down)]
        return [list(line) for line in zip(*drawn, strict=True)] if self.turned else drawn

    def face(self, row: int, column: int) -> int:
        return self.faces()[row][column]

    def counter(self, name: str) -> Locator:
        return self.page.locator(f"[data-counter={name}]")

    # --- the socket in the test's hands ---

    def sent(self, kind: str | None = None) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.page.evaluate("socketDouble.sent")
        return [message for message in messages if kind in (None, message["type"])]

    def events(self) -> list[tuple[int, Kind, int, int]]:
        """The recorded events: ms since GAME, kind, and the point in px of the game."""
        time_ms = x = y = 0
        found = []
        messages = self.sent()
        begun = max(number for number, message in enumerate(messages) if message["type"] == "start")
        inputs = [message for message in messages[begun:] if message["type"] == "input"]
        assert [message["seq"] for message in inputs] == list(range(1, len(inputs) + 1))
        for message in inputs:
            for event in message["events"]:
                time_ms, x, y = time_ms + event["dt_ms"], x + event["dx"], y + event["dy"]
                found.append((time_ms, Kind(event["kind"]), x, y))
        return found

    def buttons(self) -> list[tuple[Kind, int, int]]:
        """The recorded buttons with row and column; -1 outside."""
        px = int(self.sent("new")[-1]["cell_px"])

        def inside(value: int, count: int) -> int:
            return value // px if 0 <= value < count * px else -1

        return [
            (kind, inside(y, self.rows), inside(x, self.columns))
            for _time, kind, x, y in self.events()
            if kind is not Kind.MOVE
        ]

    def answer(self, faces: Sequence[tuple[int, int, int]] = (), *, seq: int | None = None) -> None:
        """FACES with (row, column, face) of cells, for message ``seq`` or the last one that was sent."""
        answered = seq if seq is not None else max((message["seq"] for message in self.sent("input")), default=0)
        cells = [{"cell": row * self.columns + column, "face": face} for row, column, face in faces]
        self.receive({"type": "faces", "seq": answered, "faces": cells})

    def receive(self, message: Mapping[str, Any]) -> None:
        """A message of the server; lists of ``game``, ``mines`` and ``shown`` become bytes."""
        self.page.evaluate(
            """async (message) => {
              for (const name of ["game", "mines", "shown", "secret", "nonce"]) if (message[name]) message[name] = new Uint8Array(message[name]);
              socketDouble.options.onMessage(message);
              await new Promise((done) => setTimeout(done, 30));
            }""",
            dict(message),
        )  # fmt: skip

    def over(
        self, result: int, mines: Sequence[tuple[int, int]] = (), *, time_ms: int = 12_345, added_ms: int = 0,
        reason: str = "", bv: int = 20, bv_done: int = 1,
    ) -> None:  # fmt: skip
        """OVER, with the cells that are mines."""
        bits = bytearray((self.rows * self.columns + 7) // 8)
        for row, column in mines:
            cell = row * self.columns + column
            bits[cell // 8] |= 128 >> cell % 8
        self.receive(
            {
                "type": "over",
                "result": result,
                "time_ms": time_ms,
                "client_ms": time_ms - added_ms,
                "ranked": not reason,
                "reason": reason,
                "mines": list(bits),
                "bv": bv,
                "bv_done": bv_done,
            }
        )


_READ_FACES: Final = """
async ([rows, columns]) => {
  const address = [...document.scripts].map((script) => script.src).find((src) => src.includes("/play/solo/solo"));
  const { makeSkin, skinTheme, FACES } = await import(new URL("../skin.js", address));
  const canvas = document.querySelector("[data-board] canvas");
  const size = canvas.width / columns;
  const theme = skinTheme(document.querySelector("[data-board]"));
  const skin = makeSkin({ cellPx: size / devicePixelRatio, dpr: devicePixelRatio, theme });
  const sample = document.createElement("canvas");
  sample.width = sample.height = size;
  const ctx = sample.getContext("2d", { alpha: false, willReadFrequently: true });
  const pixels = () => ctx.getImageData(0, 0, size, size).data.join();
  const known = new Map();
  for (let face = FACES - 1; face >= 0; face -= 1) {
    skin.draw(ctx, face, 0, 0);
    known.set(pixels(), face);
  }
  const found = [];
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      ctx.drawImage(canvas, column * size, row * size, size, size, 0, 0, size, size);
      found.push(known.get(pixels()) ?? -1);
    }
  }
  return found;
}
"""
