"""The page around the board: counters, results, settings, the connection, languages, weight."""

from __future__ import annotations

import json
import re
import zlib
from typing import Final

import pytest
from django.conf import settings
from playwright.sync_api import Response, expect

from players.web.users import CLOCK_COOKIE
from tests.e2e.conftest import Visit, hold
from tests.e2e.play.conftest import OpenGame
from tests.e2e.play.table import FLAG, GamePage
from tests.e2e.site import Site
from tests.services import wait_until

MOST_BYTES: Final = 150_000
_EDGES: Final = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [face, mines, time, board] = [".play-face", "[data-led=mines]", "[data-led=time]", "[data-board]"].map(box);
  return [face.left, face.top, mines.left, time.right, time.top, board.left, board.top];
}"""


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_board_that_is_seen_takes_clicks")
def test_counters_count(open_game: OpenGame) -> None:
    game = open_game()
    expect(game.counter("time")).to_have_text("000")
    game.click(0, 0)
    game.click(0, 1)
    game.click(7, 7, "right")
    game.answer([(0, 0, 1), (0, 1, 1), (7, 7, 11)])
    expect(game.counter("split")).to_have_text("2 + 1 + 0")
    expect(game.counter("mines")).to_have_text("009")
    expect(game.page.locator("[data-counter=time]")).not_to_have_text("000")
    expect(game.page.locator("[data-counter=lag]")).to_have_text("23")


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
def test_numbers_of_the_board_come_with_the_end(open_game: OpenGame) -> None:
    """Numbers that would tell of closed cells are nowhere on the page before."""
    game = open_game()
    game.click(0, 0)
    game.click(0, 1)
    game.click(7, 7, "right")
    game.answer([(0, 0, 1), (0, 1, 1), (7, 7, 11)])
    names = game.page.locator("[data-counter]").evaluate_all("(items) => items.map((item) => item.dataset.counter)")
    assert sorted(names) == ["clicks", "lag", "mines", "split", "time"]
    play = game.page.locator(".play-grid")
    for word in ("3BV", "Efficiency", "%"):
        expect(play).not_to_contain_text(word)
    game.over(2, [(5, 5)], time_ms=4_000, bv=14, bv_done=2)
    line = game.page.locator("[data-result]")
    for number in ("Lost at 14%", "2 / 14 3BV", "0.500 3BV/s", "Efficiency 67%"):
        expect(line).to_contain_text(number)
    expect(game.page.locator("[data-games] li").first).to_contain_text("14 3BV")
    game.page.keyboard.press("r")
    expect(line).to_be_empty()
    expect(game.page.locator("[data-last]")).to_have_text(
        "Latest game 4.000 s 2 / 14 3BV · 0.500 3BV/s · Efficiency 67%"
    )


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_board_that_is_seen_takes_clicks")
def test_a_search_for_a_board_is_told_without_a_count(open_game: OpenGame) -> None:
    game = open_game()
    game.receive({"type": "working", "attempt": 0, "of": 0})
    expect(game.page.locator("[data-status]")).to_have_text("Looking for a no-guess board…")


def test_a_board_that_is_seen_takes_clicks(asgi_site: Site, visit: Visit) -> None:
    """However late the scripts come."""
    page = visit("/robots.txt")
    come = hold(page, "**/play/solo/solo*.js")
    page.goto("/play/beginner/", wait_until="commit")
    expect(page.get_by_role("heading", name="Beginner")).to_be_visible()
    expect(page.locator("[data-board]")).to_be_hidden()
    come()
    page.get_by_role("application").click()
    expect(page.locator("[data-counter=clicks]")).to_have_text("1")


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_messages_with_buttons_go_over_the_second_socket_too(open_game: OpenGame) -> None:
    game = open_game()
    game.click(0, 0)
    game.click(3, 3)
    game.until("copied.length >= 2")
    copied = game.page.evaluate("copied")
    originals = {message["seq"]: message["events"] for message in game.sent("input")}
    assert all(message["type"] == "copy" for message in copied)
    assert all(originals[message["seq"]] == message["events"] for message in copied)
    with_buttons = [seq for seq, events in originals.items() if any(event["kind"] != 1 for event in events)]
    assert [message["seq"] for message in copied] == with_buttons


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
def test_time_that_the_network_has_added_is_told(open_game: OpenGame) -> None:
    game = open_game()
    game.click(0, 0)
    game.answer([(0, 0, 1)])
    game.over(1, time_ms=5_123, added_ms=123)
    expect(game.page.locator("[data-result]")).to_contain_text("123 ms of network delay")
    game.page.keyboard.press("r")
    game.until("socketDouble.sent.filter((message) => message.type === 'start').length === 2")
    game.click(0, 0)
    game.over(1, time_ms=5_000)
    expect(game.page.locator("[data-result]")).to_contain_text("5.000 s")
    expect(game.page.locator("[data-result]")).not_to_contain_text("network")


_UNDER_REVIEW = pytest.param(
    "provisional",
    "Under review",
    marks=pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games"),
)


@pytest.mark.parametrize(("judgement", "told"), [("accepted", "Rank 12"), _UNDER_REVIEW])
def test_a_result_is_told_and_joins_the_last_games(open_game: OpenGame, judgement: str, told: str) -> None:
    game = open_game()
    _answer_status(game, judgement)
    game.click(0, 0)
    game.answer([(0, 0, 1)])
    game.over(1, time_ms=5_000, bv=10, bv_done=10)
    line = game.page.locator("[data-result]")
    for part in ("Won", "5.000 s", "10 3BV", "2.000 3BV/s"):
        expect(line).to_contain_text(part)
    row = game.page.locator("[data-games] li").first
    expect(row).to_contain_text("5.000")
    expect(row.get_by_role("link")).to_have_attribute("href", re.compile("/play/games/01010101-"))
    for button in ("Play again", "Share"):
        expect(game.page.get_by_role("button", name=button)).to_be_visible()
    stored = {"replay": 7, "url": "/replays/7/", "rank": 12, "best": True, "before_ms": 6_500}
    game.receive({"type": "stored", "game": [1] * 16, **stored})
    expect(line).to_contain_text(told)
    expect(line.locator(".reason, .place")).to_have_count(1)
    expect(line.locator(".pb")).to_have_attribute("title", "Your PB was 6.500 s")
    for link in (row.get_by_role("link", name="Watch"), game.page.locator("[data-watch]")):
        expect(link).to_have_attribute("href", "/replays/7/")
    expect(game.page.locator("[data-goal]")).to_contain_text("sub-6 (under 5 s) 0.001 s to go")


def _answer_status(game: GamePage, judgement: str, why: str = "") -> None:
    """Let the server answer how the replay 7 fared."""
    answer = json.dumps({"replays": [{"judgement": judgement, "why": why}]})
    asked = re.compile(r"/upload/status/\?ids=7$")
    game.page.route(asked, lambda route: route.fulfill(body=answer, content_type="application/json"))


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
@pytest.mark.parametrize(
    ("result", "reason", "judgement", "why", "told", "best_ms"),
    [
        (1, "", "accepted", "", "0.500 s off your PB", 4_500),
        (1, "", "accepted", "", "", 0),  # nothing to compare with
        (1, "", "provisional", "3BV/s is 5.000.", "Under review: a world-class result", 4_500),
        (1, "", "suspicious", "The moves are even.", "Not ranked: The moves are even.", 4_500),
        (1, "", "frozen", "", "Not ranked", 4_500),
        (1, "touch", "accepted", "", "Not ranked: played with touch controls.", 4_500),
        (1, "clock", "suspicious", "The clocks disagree.", "Not ranked: your browser's clock and ours", 4_500),
        (2, "", "accepted", "", "", 4_500),
    ],
)
def test_a_game_that_is_no_best_one_says_how_it_counts(
    open_game: OpenGame, result: int, reason: str, judgement: str, why: str, told: str, best_ms: int
) -> None:
    game = open_game()
    _answer_status(game, judgement, why)
    game.click(0, 0)
    game.answer([(0, 0, 1)])
    game.over(result, time_ms=5_000, reason=reason)
    stored = {"replay": 7, "url": "/replays/7/", "rank": 0, "best": False, "before_ms": best_ms}
    game.receive({"type": "stored", "game": [1] * 16, **stored})
    line = game.page.locator("[data-result]")
    said = line.locator(":scope > :not(b, .counted)")
    expect(said).to_have_count(1 if told else 0)
    expect(line.locator(".pb")).to_have_count(0)
    if told:
        expect(said).to_contain_text(told)
        expect(said).to_have_class("muted" if "off your PB" in told else "reason")
    if judgement == "provisional":
        expect(said).to_have_attribute("title", why)


_FROM_ONE = pytest.param(
    True,
    marks=pytest.mark.long(
        beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
    ),
)


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
@pytest.mark.parametrize("from_one", [False, _FROM_ONE])
def test_the_face_and_the_digits_stay_where_they_are(open_game: OpenGame, from_one: bool) -> None:
    """Before, during and after a game, and whatever the clock shows."""
    game = open_game()
    if from_one:
        cookie = {"name": CLOCK_COOKIE, "value": "one", "url": game.page.url}
        game.page.context.add_cookies([cookie])  # type: ignore[list-item]
        game.page.reload()
        game.until("socketDouble.sent.some((message) => message.type === 'start')")

    def places() -> list[float]:
        edges: list[float] = game.page.evaluate(_EDGES)
        return edges

    begin = "001" if from_one else "000"
    expect(game.counter("time")).to_have_text(begin)
    seen = [places()]
    game.look()
    game.click(0, 0)
    game.answer([(0, 0, 1)])
    seen.append(places())
    game.over(1, time_ms=1_234_567)
    expect(game.counter("time")).to_have_text("1235.567" if from_one else "1234.567")
    expect(game.page.locator("[data-led=time] .son:not(circle)")).to_have_count(7)
    seen.append(places())
    game.page.keyboard.press("r")
    expect(game.counter("time")).to_have_text(begin)
    seen.append(places())
    assert len({tuple(edges) for edges in seen}) == 1, seen


_PLACES: Final = """() => {
  const box = (selector) => document.querySelector(selector)?.getBoundingClientRect() ?? new DOMRect();
  return [box(".brand").left, box(".nav").left, box(".top .acts").right, box(".cab").width, box(".mouse").width, box(".play-line").width];
}"""


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_the_header_of_a_large_screen_stays_where_it_is(open_game: OpenGame) -> None:
    """The board may be wider than the page; a hint is as wide as its words, and clicks are told apart once there are any."""
    size = {"width": 1920, "height": 1080}
    page = open_game("/play/expert/", **size).page
    *expert, board, _words, _line = page.evaluate(_PLACES)
    game = open_game(**size)
    *beginner, _board, words, line = game.page.evaluate(_PLACES)
    page.goto("/leaderboards/")
    assert page.evaluate(_PLACES)[:3] == expert == beginner
    assert board > 1000
    assert 0 < words <= line <= words + 28
    clicks = game.page.locator("[data-counter=split]")
    expect(clicks).to_be_hidden()
    place = clicks.bounding_box()
    game.click(0, 0)
    expect(clicks).to_have_text("1 + 0 + 0")
    expect(clicks).to_be_visible()
    now = clicks.bounding_box()
    assert place
    assert now
    assert now["y"] == place["y"]


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_numbers_of_this_session(open_game: OpenGame) -> None:
    """They outlive a reload, and each level has its own."""
    game = open_game()
    for number, (result, time_ms) in enumerate([(1, 5_000), (2, 900), (1, 8_000), (1, 7_000)], start=1):
        game.until(f"socketDouble.sent.filter((message) => message.type === 'start').length === {number}")
        game.click(0, 0)
        game.over(result, time_ms=time_ms)
        game.page.keyboard.press("r")
    shown = {"games": "4", "wins": "3", "share": "75%", "best": "5.000", "mean": "6.667", "streak": "2"}
    for _ in range(2):
        for name, value in shown.items():
            expect(game.page.locator(f"[data-session={name}]")).to_have_text(value)
        game.page.reload()
    game.page.goto("/play/intermediate/")
    expect(game.page.locator("[data-session=games]")).to_have_text("0")


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
def test_the_address_of_a_game_is_copied(open_game: OpenGame) -> None:
    game = open_game(permissions=["clipboard-read", "clipboard-write"])
    game.page.evaluate("navigator.share = undefined")
    game.click(0, 0)
    game.over(1)
    game.page.get_by_role("button", name="Share").click()
    expect(game.page.locator("[data-status]")).to_have_text("Link copied.")
    assert "/play/games/01010101-" in game.page.evaluate("navigator.clipboard.readText()")


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
@pytest.mark.parametrize(
    ("reason", "told"),
    [("given_up", "Given up 12.345 s"), ("too_many_buttons", "Stopped 12.345 s More clicks in one second than")],
)
def test_a_game_without_a_result_says_who_ended_it(open_game: OpenGame, reason: str, told: str) -> None:
    game = open_game()
    game.click(0, 0)
    game.answer([(0, 0, 1)])
    game.over(0, reason=reason)
    expect(game.page.locator("[data-result]")).to_contain_text(told)
    expect(game.page.locator("[data-games] li")).to_have_count(0)
    expect(game.page.get_by_role("button", name="Play again")).to_be_visible()
    expect(game.page.locator("[data-watch]")).to_be_hidden()
    expect(game.page.get_by_role("button", name="Share")).to_be_hidden()


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
def test_a_replay_that_is_stored_after_the_next_game_began_still_reaches_its_row(open_game: OpenGame) -> None:
    game = open_game()
    game.click(0, 0)
    game.answer([(0, 0, 9)])
    game.over(2, [(0, 0)])
    game.page.keyboard.press("r")
    game.receive(
        {
            "type": "stored",
            "game": [1] * 16,
            "replay": 7,
            "url": "/replays/7/",
            "rank": 0,
            "best": False,
            "before_ms": 0,
        }
    )
    expect(game.page.locator("[data-games] a").first).to_have_attribute("href", "/replays/7/")
    expect(game.page.locator("[data-result]")).to_be_empty()


def test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing(open_game: OpenGame) -> None:
    game = open_game()
    game.click(0, 0)
    game.answer([(0, 0, 1)])
    game.page.evaluate(
        "socketDouble.open = false; socketDouble.options.onState({ state: 'waiting', ms: 500, code: 1006, reason: '' })"
    )
    expect(game.page.locator("[data-status]")).to_contain_text("Your board is kept")
    game.click(1, 1, "right")
    named = game.page.evaluate("[...socketDouble.options.hello().game]")
    assert named == [1] * 16
    before = len(game.sent("input"))
    game.page.evaluate("socketDouble.open = true; socketDouble.options.onState({ state: 'open' })")
    game.page.evaluate(
        "socketDouble.options.onMessage({ type: 'game', game: new Uint8Array(16).fill(1), commit: new Uint8Array(32), resumed: true, last_seq: 2, elapsed_ms: 900, shown: new Uint8Array() })"
    )
    wait_until(lambda: len(game.sent("input")) >= before + 2, what="what was missing")
    seqs = [message["seq"] for message in game.sent("input")[before:]]
    assert seqs == list(range(3, 3 + len(seqs)))  # a slow machine has sent what is new, too
    assert len(game.sent("new")) == 1
    expect(game.page.locator("[data-status]")).to_be_empty()


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
@pytest.mark.parametrize(
    ("code", "words"), [(4409, "another tab"), (4429, "Too many connections"), (4999, "closed the connection")]
)
def test_a_closed_connection_says_why(open_game: OpenGame, code: int, words: str) -> None:
    game = open_game()
    game.page.evaluate(
        "(code) => socketDouble.options.onState({ state: 'closed', code, reason: '', problem: null })", code
    )
    expect(game.page.locator("[data-status]")).to_contain_text(words)


@pytest.mark.long(
    beside="tests/e2e/play/test_page.py::test_a_lost_connection_keeps_the_picture_and_sends_what_is_missing"
)
def test_a_refused_game_is_asked_for_again(open_game: OpenGame) -> None:
    game = open_game()
    game.page.evaluate("socketDouble.automatic = false")
    game.page.keyboard.press("r")
    game.receive({"type": "error", "fatal": False, "code": "too_many_games", "message": "x"})
    expect(game.page.locator("[data-status]")).to_contain_text("too many games")
    game.until("socketDouble.sent.filter((message) => message.type === 'new').length === 3")


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
def test_settings_are_kept_and_begin_a_new_game(open_game: OpenGame) -> None:
    game = open_game()
    game.page.get_by_role("button", name="Settings").click()
    game.page.get_by_label("Question marks").check()
    assert [message["settings"] & 1 for message in game.sent("new")] == [0, 1]
    game.page.get_by_label("Cell size").select_option("24")
    assert game.page.locator("[data-board]").bounding_box()["width"] == 8 * 24  # type: ignore[index]
    game.page.reload()
    game.until("socketDouble.sent.length > 0")
    expect(game.page.get_by_label("Question marks")).to_be_checked()
    assert game.sent("new")[0]["cell_px"] == 24


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
def test_another_size_of_cells_in_the_middle_of_a_game(open_game: OpenGame) -> None:
    """The record keeps the pixels in which the game began."""
    game = open_game(stored={"zoom": "32"})
    game.click(2, 2, "right")
    game.page.get_by_role("button", name="Settings").click()
    game.page.get_by_label("Cell size").select_option("48")
    game.page.get_by_role("button", name="Close").click()
    game.page.locator("[data-board]").scroll_into_view_if_needed()
    game.look()
    assert game.cell_px == 48
    game.click(5, 6, "right")
    assert len(game.sent("new")) == 1
    assert [(row, column) for _kind, row, column in game.buttons()] == [(2, 2), (2, 2), (5, 6), (5, 6)]
    assert game.face(2, 2) == game.face(5, 6) == FLAG


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_board_that_is_seen_takes_clicks")
def test_a_browser_that_keeps_nothing_still_plays(open_game: OpenGame, visit: Visit) -> None:
    game = open_game()
    game.page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })"
    )
    game.page.reload()
    game.until("socketDouble.sent.some((message) => message.type === 'start')")
    game.page.get_by_role("button", name="Settings").click()
    game.page.get_by_label("Question marks").check()
    assert game.sent("new")[-1]["settings"] & 1


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_board_that_is_seen_takes_clicks")
def test_a_coarse_clock_is_told(open_game: OpenGame) -> None:
    game = open_game()
    now: float = game.page.evaluate("(performance.timeOrigin + performance.now()) / 1000")
    for step in range(60):
        game.mouse("moved", game.left + step, game.top + 5, at_s=now + step / 10)
    game.page.keyboard.press("r")
    assert [message["settings"] & 8 for message in game.sent("new")] == [0, 8]


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
def test_in_chinese(open_game: OpenGame) -> None:
    game = open_game()
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": "zh-hans", "url": game.page.url}
    game.page.context.add_cookies([cookie])  # type: ignore[list-item]
    game.page.reload()
    game.until("socketDouble.sent.some((message) => message.type === 'start')")
    game.page.keyboard.press("ArrowDown")
    expect(game.page.locator("[data-live]")).to_have_text("第 5 行第 5 列：未打开", use_inner_text=True)
    game.over(2, reason="guest", time_ms=1_000)
    expect(game.page.locator("[data-result]")).to_contain_text("完成 5% 时踩雷")


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_board_that_is_seen_takes_clicks")
def test_the_page_is_isolated_so_that_its_clock_is_fine(open_game: OpenGame) -> None:
    game = open_game()
    assert game.page.evaluate("crossOriginIsolated")
    assert '"isolated":true' in game.sent("new")[0]["device"]


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_board_that_is_seen_takes_clicks")
def test_the_first_view_is_light(visit: Visit, tolerated: list[str]) -> None:
    tolerated.append("ERR_FAILED")  # of the ticket, which is none of the first view
    page = visit("/robots.txt")
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.route("**/api/v1/play/tickets/", lambda route: route.abort())
    page.goto("/play/expert/")
    page.wait_for_load_state("networkidle")
    sizes = {answer.url: len(zlib.compress(answer.body(), 6)) for answer in answers}
    assert len(sizes) > 10
    assert sum(sizes.values()) <= MOST_BYTES


@pytest.mark.long(beside="tests/e2e/play/test_page.py::test_a_result_is_told_and_joins_the_last_games")
def test_why_a_game_is_not_ranked_is_told_whole_at_every_zoom(open_game: OpenGame) -> None:
    """A browser at 110 percent makes 1163 px of 1280."""
    for path in ("/play/expert/", "/play/beginner/?rules=no-guess"):
        page = open_game(path, width=1280, height=720).page
        for width in (1440, 1280, 1163, 1024, 770):
            page.set_viewport_size({"width": width, "height": 720})
            said = page.locator("[data-ranked-text]")
            expect(said).to_contain_text("Not ranked")
            fits = "(span) => span.scrollWidth <= span.clientWidth || getComputedStyle(span).overflowX === 'visible'"
            assert said.evaluate(fits), (path, width)
            box = said.bounding_box()
            assert box
            assert box["height"] <= 36, "nothing moves below it"
            assert box["x"] + box["width"] <= width
