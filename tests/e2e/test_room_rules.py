"""The paper's client in the browser (``room/rules``) and in Python: the same boards, covers, repairs and undone clicks."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from playwright.sync_api import Page

from analysis.multiplayer.laying import Laying, LayingError, lay, steps
from tests.analysis.multiplayer.golden import DEFAULT, GOLDEN, TINY
from tests.analysis.multiplayer.vectors import cases, moves_of_a_game
from tests.e2e.conftest import Visit
from tests.e2e.film_modules import evaluate

#: Plays a case of the vectors; what it shows at its end, and what its events showed on the way.
_PLAY = """async ({ laying, events }) => {
    const { lay } = await import("/static/play/room/rules/paper.js");
    const { ClientGame, KIND } = await import("/static/play/room/rules/clientgame.js");
    const { rows, columns, area, area_mines: areaMines, modulus, start_number: start } = laying;
    const game = new ClientGame({ rows, columns, mines: lay({ rows, columns, area, areaMines, modulus, start }) });
    const open = () => { let count = 0; for (let cell = 0; cell < game.size; cell++) count += game.isOpen(cell); return count; };
    const move = (stamp, cell, player) => game.receive({ stamp, cell, player, kind: KIND.open });
    const clicks = new Map();
    let own = 0;
    const noticed = [];
    for (const event of events) {
        if (event.do === "receive") {
            const before = game.repainted;
            move(event.stamp, event.cell, event.player);
            // An own click is answered beside the broadcast of its move.
            for (const [number, cell] of clicks) if (cell === event.cell && event.player === event.you) { clicks.delete(number); game.answer(number, event.stamp); }
            noticed.push(game.repainted - before);
        } else if (event.do === "join") {
            event.moves.forEach(([stamp, cell, player]) => game.receive({ stamp, cell, player, kind: KIND.open }));
            noticed.push(null);
        } else if (event.do === "click") {
            if (game.isOpen(event.cell)) noticed.push(0);
            else { own += 1; clicks.set(own, event.cell); game.click(own, KIND.open, event.cell); noticed.push(own); }
        } else {
            const before = open();
            clicks.delete(event.own);
            game.answer(event.own, 0);
            noticed.push(before - open());
        }
    }
    const cells = [...Array(game.size).keys()];
    return {
        noticed,
        open: cells.map((cell) => Number(game.isOpen(cell))),
        owner: [...game.owners],
        stamp: [...game.stamps].map((stamp) => (stamp === 0xffffffff ? 0 : stamp)),
        numbers: [...game.board.numbers],
    };
}"""

_LAY = """async (laying) => {
    const { lay, areasOf } = await import("/static/play/room/rules/paper.js");
    const { rows, columns, area, area_mines: areaMines, modulus, start_number: start } = laying;
    const parameters = { rows, columns, area, areaMines, modulus, start };
    const swaps = [];
    try {
        const mines = lay(parameters, (swap) => swaps.length < 30 && swaps.push(swap));
        const areas = areasOf(parameters);
        const place = ({ area: number, cell, other }) => {
            const { top, left, width } = areas[number];
            return [cell, other].map((one) => [top + Math.floor(one / width), left + (one % width)]);
        };
        return { mines: [...mines], swaps: swaps.map((swap) => [...place(swap), swap.multiplier, swap.deltas]) };
    } catch (error) {
        return { code: error.code };
    }
}"""


@pytest.fixture
def page(visit: Visit) -> Page:
    return visit("/robots.txt")


def values_of(laying: Laying) -> dict[str, int]:
    names = ("rows", "columns", "area", "area_mines", "modulus", "start_number")
    return {name: getattr(laying, name) for name in names}


def test_boards_are_laid_as_in_python(page: Page) -> None:
    others = [
        Laying(one["rows"], one["columns"], one["area"], one["area_mines"], one["modulus"], one["start_number"])
        for one in GOLDEN["other_boards"]
    ]
    # The largest modulus, and the largest start number: no product leaves the exact numbers.
    large = [Laying(40, 40, 16, 48, 2**26 - 5, 2**53 - 1), Laying(40, 40, 7, 9, 2**26 - 5, 2**26 - 6)]
    for laying in (DEFAULT, TINY, *others, *large):
        found = evaluate(page, _LAY, values_of(laying))
        assert found["mines"] == lay(laying).ravel().tolist(), laying
        expected = [
            [list(step.cell), list(step.swapped_with), step.fibonacci, list(step.deltas)]
            for step in steps(laying, 0, 30)
        ]
        assert found["swaps"] == expected, laying
    packed = np.packbits(np.array(evaluate(page, _LAY, values_of(DEFAULT))["mines"], np.uint8)).tobytes()
    assert hashlib.sha256(packed).hexdigest() == GOLDEN["default_board"]["board_sha256"]


@pytest.mark.long(beside="tests/e2e/test_room_rules.py::test_boards_are_laid_as_in_python")
@pytest.mark.parametrize(
    "values",
    [
        {"start_number": 33_554_393},
        {"start_number": 0},
        {"modulus": 257},
        {"modulus": 2**26 + 1},
        {"rows": 1_001, "columns": 1_000},
        {"area_mines": 256},
        {"area": 0},
        {"rows": 300, "columns": 300, "area": 300, "area_mines": 10_000, "modulus": 90_007},
        {"rows": 8, "columns": 8, "area": 8, "area_mines": 8, "modulus": 128, "start_number": 3},
    ],
    ids=lambda values: "-".join(f"{name}={value}" for name, value in values.items()),
)
def test_parameters_without_a_board_are_refused_alike(page: Page, values: dict[str, int]) -> None:
    given = {**values_of(DEFAULT), **values}
    found = evaluate(page, _LAY, given)
    with pytest.raises(LayingError) as refused:
        lay(Laying(**given))
    assert found == {"code": refused.value.code}


def test_of_equal_scores_the_one_with_fewer_blasts_stands_first(page: Page) -> None:
    table = """async (scores) => {
        const { RoomState } = await import("/static/play/room/state.js");
        const state = new RoomState();
        state.game = { scores: new Map(scores) };
        return state.table.map(({ player }) => player);
    }"""
    scores = [(1, 5, 2), (2, 5, 0), (3, 9, 9), (4, 5, 0), (5, 0, 0)]
    given = [[player, {"score": score, "blasts": blasts}] for player, score, blasts in scores]
    assert page.evaluate(table, given) == [3, 2, 4, 1, 5]


def test_every_case_ends_as_in_python(page: Page) -> None:
    played = cases()
    assert len(played) > 30
    for case in played:
        events = [{**event, "you": case["player"]} for event in case["events"]]
        found = evaluate(page, _PLAY, {"laying": case["laying"], "events": events})
        for part in ("open", "owner", "stamp"):
            assert found[part] == case["expected"][part], (case["name"], part)
        if "numbers" in case:
            assert found["numbers"] == case["numbers"]
        for event, noticed in zip(case["events"], found["noticed"], strict=True):
            key = {"receive": "repainted", "click": "own", "refused": "closed"}.get(event["do"])
            if key and key in event:
                assert noticed == event[key], (case["name"], event)


_SHUFFLED = """async ({ laying, moves, orders }) => {
    const { lay } = await import("/static/play/room/rules/paper.js");
    const { ClientGame, KIND } = await import("/static/play/room/rules/clientgame.js");
    const { rows, columns, area, area_mines: areaMines, modulus, start_number: start } = laying;
    const mines = lay({ rows, columns, area, areaMines, modulus, start });
    return orders.map((order) => {
        const game = new ClientGame({ rows, columns, mines });
        for (const place of order) {
            const [stamp, cell, player] = moves[place];
            game.receive({ stamp, cell, player, kind: KIND.open });
        }
        return [[...game.owners], [...game.stamps], [...game.scores].sort((a, b) => a[0] - b[0])];
    });
}"""


def test_scores_follow_every_repair(page: Page) -> None:
    """Any order and repetition ends in the same owners, stamps and scores; a repair moves points too."""
    moves = moves_of_a_game(DEFAULT, seed=5, clicks=250)
    straight = list(range(len(moves)))
    rng = np.random.default_rng(7)
    orders = [straight, straight[::-1]] + [
        [*rng.permutation(len(moves)).tolist(), *rng.integers(0, len(moves), 40).tolist()] for _ in range(8)
    ]
    found = evaluate(
        page, _SHUFFLED, {"laying": values_of(DEFAULT), "moves": [list(move) for move in moves], "orders": orders}
    )
    assert all(one == found[0] for one in found)
    mines = lay(DEFAULT).ravel()
    owners = np.array(found[0][0])
    for player, counts in found[0][2]:
        assert counts == {
            "score": int(((owners == player) & (mines == 0)).sum()),
            "blasts": int(((owners == player) & (mines == 1)).sum()),
        }


_BIG = """async () => {
    const { Board } = await import("/static/play/room/rules/paper.js");
    const mines = new Uint8Array(250000);
    mines[0] = 1;
    return new Board(500, 500, mines).cover(249999).length;
}"""


def test_a_huge_opening_needs_no_recursion(page: Page) -> None:
    assert page.evaluate(_BIG) == 249_999


_POINTERS = """async () => {
    const { dropRested, isFading } = await import("/static/play/room/board/pointers.js");
    return [2999, 3001, 3399, 3401].map((now) => {
        const cursors = new Map([[1, { x: 0, y: 0, at: 0 }]]);
        return [isFading(cursors, now), dropRested(cursors, now), cursors.size];
    });
}"""


def test_a_pointer_fades_after_three_seconds_at_rest(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    assert page.evaluate(_POINTERS) == [[False, False, 1], [True, False, 1], [True, False, 1], [True, True, 0]]
    page.emulate_media(reduced_motion="reduce")
    assert page.evaluate(_POINTERS)[1] == [True, True, 0]


_FIT = """async (cases) => {
    const { Camera } = await import("/static/play/room/board/camera.js");
    return cases.map(([rows, columns, width, height]) => {
        const camera = new Camera(rows, columns);
        camera.resize(width, height, 1);
        camera.fit();
        const { top, bottom } = camera.seen;
        return [camera.size, bottom - top];
    });
}"""


@pytest.mark.long(beside="tests/e2e/test_room_rules.py::test_boards_are_laid_as_in_python")
def test_a_small_board_is_as_large_as_it_fits(page: Page) -> None:
    """Beginner and Expert on a desktop fill their place; on a phone Expert shows all its rows, a large board a part."""
    cases = [[9, 9, 880, 470], [16, 30, 880, 470], [4, 4, 880, 470], [16, 30, 390, 416], [75, 75, 390, 600]]
    assert page.evaluate(_FIT, cases) == [[52, 9], [29, 16], [72, 4], [26, 16], [24, 25]]


_COLOURS = """async () => {
    const { colours, HUES, SHADES } = await import("/static/play/room/board/palette.js");
    const part = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const light = ([r, g, b]) => 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
    const token = (name) => {
        const text = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
        return [1, 3, 5].map((place) => parseInt(text.slice(place, place + 2), 16));
    };
    return ["light", "dark"].map((theme) => {
        document.documentElement.dataset.theme = theme;
        const digits = [1, 2, 3, 4, 5, 6, 7, 8].map((digit) => token(`--n${digit}`));
        const all = [];
        for (let shade = 0; shade < SHADES; shade++) for (let hue = 0; hue < HUES; hue++) all.push(colours(hue, shade, theme === "dark", token("--open")));
        return {
            fills: new Set(all.map(({ fill }) => fill.join())).size,
            digits: Math.min(...all.flatMap(({ fill }) => digits.map((digit) => contrast(fill, digit)))),
            names: Math.min(...all.map(({ tag }) => contrast(tag, [255, 255, 255]))),
        };
    });
}"""


@pytest.mark.long(beside="tests/e2e/test_room_rules.py::test_boards_are_laid_as_in_python")
def test_digits_are_readable_on_all_sixty_colours(page: Page) -> None:
    """Digits count as large text: they are bold, and cells have 24 px and more; 3.25 is the dark 8 on the seventh hue."""
    page.goto("/sign-in/")  # a page with our styles
    for look in page.evaluate(_COLOURS):
        assert look["fills"] == 60
        assert look["digits"] >= 3.25
        assert look["names"] >= 4.5
