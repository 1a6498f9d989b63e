"""The film in the first view: its timeline, what is over and under the digits, what is held, the list of clicks, skins."""

from __future__ import annotations

import colorsys
import io
from collections import Counter
from typing import Any

import pytest
from django.urls import reverse
from PIL import Image
from playwright.sync_api import Page, expect

from analysis.recording import Level
from analysis.review import Weight
from replays.models import Replay
from replays.watch.review.review_texts import count_text
from tests.e2e.conftest import Visit
from tests.e2e.film import use_film
from tests.e2e.test_browser import put
from tests.e2e.test_film_page import VIEWER, click_events, frame, opened, painted, press, state, until
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

pytestmark = pytest.mark.usefixtures("luck_compiled")
_BESIDE_PX = 10  # of the playhead, at an end of the timeline
_WHITE = 240


@pytest.fixture
def tolerated() -> list[str]:
    return ["status of 4"]


@pytest.fixture
def game(store: Any, transactional_db: None) -> Replay:  # noqa: F811 - the fixture
    return put(game_file(1, Level.EXPERT))


def embed_of(game: Replay) -> str:
    return reverse("replay-embed", args=[game.pk])


def playhead(page: Page) -> float:
    """Return where the white line of the playhead is, in px from the left end of the timeline."""
    box = page.locator("[data-part=timeline]").bounding_box()
    assert box is not None
    clip = {"x": box["x"] - _BESIDE_PX, "y": box["y"], "width": box["width"] + 2 * _BESIDE_PX, "height": 3}
    picture = Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("L")  # type: ignore[arg-type]
    white = [x for x in range(picture.width) if int(picture.getpixel((x, 1))) > _WHITE]  # type: ignore[arg-type]
    assert 1 <= len(white) <= 3, white
    return sum(white) / len(white) + 0.5 - _BESIDE_PX - (box["x"] % 1)


_OTHER_WIDTH = pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
_OTHER_WIDTHS = (pytest.param(*one, marks=_OTHER_WIDTH) for one in ((False, 1000), (False, 390), (True, 480)))


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
@pytest.mark.parametrize(("embedded", "width"), [(False, 1280), *_OTHER_WIDTHS])
def test_timeline_and_clock_agree(visit: Visit, game: Replay, *, embedded: bool, width: int) -> None:
    """Within a pixel: at both ends, where the clock has its least and its largest time, and between them."""
    page = opened(visit, embed_of(game) if embedded else game.get_absolute_url(), width=width)
    length = page.evaluate("document.querySelector('[data-part=timeline]').getBoundingClientRect().width")
    for share in (0, 1, 0.5, 0.123):
        at = page.evaluate(
            f"(share) => {{ const v = {VIEWER}; v.seek(v.clock.begin + share * (v.clock.end - v.clock.begin));"
            " return [v.clock.time, v.clock.begin, v.clock.end, v.find('time').value]; }",
            share,
        )
        assert abs(playhead(page) - (at[0] - at[1]) / (at[2] - at[1]) * length) <= 1, share
        assert float(at[3]) == pytest.approx(max(at[0], 0) / 1000, abs=0.011)


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
def test_the_timeline_is_a_slider(visit: Visit, game: Replay) -> None:
    """It is dragged from end to end, and has the keys and the words of one."""
    page = opened(visit, game.get_absolute_url())
    slider = page.get_by_role("slider", name="Position in the game")
    box = slider.bounding_box()
    assert box is not None
    y = box["y"] + 3
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 50, y, steps=4)
    assert state(page)["time"] == state(page)["end"]
    page.mouse.move(box["x"] - 50, y, steps=4)
    page.mouse.up()
    assert state(page)["time"] == state(page)["begin"]
    assert not state(page)["playing"], "it did not play before"
    slider.focus()
    assert press(page, "Home", "ArrowRight")["event"] == click_events(page)[0]
    expect(slider).to_have_attribute("aria-valuetext", f"{page.locator('[data-part=time]').input_value()} s")
    assert press(page, "End")["time"] == state(page)["end"]


_OTHER_SIZE = pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")


@pytest.mark.parametrize(
    ("embedded", "size"),
    [
        (False, (1280, 720)),
        pytest.param(False, (1366, 768), marks=_OTHER_SIZE),
        pytest.param(False, (390, 844), marks=_OTHER_SIZE),
        pytest.param(True, (480, 360), marks=_OTHER_SIZE),
    ],
)
def test_play_is_in_sight_and_space_plays(visit: Visit, game: Replay, size: tuple[int, int], *, embedded: bool) -> None:
    page = visit(embed_of(game) if embedded else game.get_absolute_url(), width=size[0], height=size[1])
    expect(page.locator("[data-film][data-state=ready][data-review]")).to_have_count(1)
    for part in (
        "[data-do=play]",
        "[data-do=toggle]",
        "[data-part=timeline]",
        "[data-part=led-time]",
        "[data-part=led-mines]",
    ):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= size[1], part
    bar = page.locator(".film-bar").bounding_box()
    assert bar is not None
    assert not embedded or bar["y"] + bar["height"] == size[1], "nothing peeks out below the controls"
    page.keyboard.press("Space")
    until(page, f"{VIEWER}.clock.playing && {VIEWER}.event > 0")
    assert page.evaluate("scrollY") == 0
    expect(page.locator("[data-part=status]"), "the board is not the finished one any more").to_have_text(
        "", use_inner_text=True
    )


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
def test_marks_of_the_timeline_have_their_colours(visit: Visit, game: Replay) -> None:
    """Errors and slips are red, mistakes amber, hints blue, facts grey; clicks and the 3BV that is solved are drawn too."""
    page = opened(visit, game.get_absolute_url())
    script = f"""([weight, parts]) => {{
      const {{ timeline: line, film, clicks, clock }} = {VIEWER};
      const none = {{ ...clicks, all: [], opening: [] }};
      line.clicks = {{ ...none, ...Object.fromEntries(parts.map((part) => [part, clicks[part]])) }};
      line.moments = weight ? [{{ weight, time: (clock.begin + clock.end) / 2, event: 1, kind: "x" }}] : [];
      line.draw(line.colour);
      const {{ width, height }} = line.canvas;
      const {{ data }} = line.canvas.getContext("2d").getImageData(0, 0, width, height);
      const seen = [];
      for (let at = 0; at < data.length; at += 4) if (data[at + 3] === 255) seen.push([...data.slice(at, at + 3)]);
      return [seen[0] ?? null, data.filter((_value, at) => at % 4 === 3 && data[at]).length];
    }}"""
    kinds = {}
    for weight in ("error", "slip", "mistake", "hint", "fact"):
        (red, green, blue), _count = page.evaluate(script, [weight, []])
        hue, grey, _value = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
        kinds[weight] = "grey" if grey < 0.25 else "red" if hue < 0.03 else "amber" if hue < 0.16 else "blue"
    assert kinds == {"error": "red", "slip": "red", "mistake": "amber", "hint": "blue", "fact": "grey"}
    empty, clicked, solved = (page.evaluate(script, ["", parts])[1] for parts in ([], ["all"], ["opening"]))
    assert empty < clicked
    assert empty < solved


@pytest.mark.long(beside="tests/e2e/test_film_stage.py::test_space_plays_wherever_the_focus_is")
def test_arrows_step_wherever_the_focus_is(visit: Visit, game: Replay) -> None:
    page = visit(game.get_absolute_url())
    expect(page.locator("[data-film][data-state=ready]")).to_have_count(1)
    events = f"() => {{ const v = {VIEWER}; return v.clicks.all.map((act) => v.film.places[act] + 1); }}"
    clicks = page.evaluate(events)
    page.locator("main h1").click()
    page.keyboard.press("ArrowRight")  # before the keys were loaded
    until(page, f"{VIEWER}.event === {clicks[0]}")
    assert press(page, "ArrowRight")["event"] == clicks[1]
    page.locator("a.brand").focus()
    assert press(page, "ArrowLeft")["event"] == clicks[0]
    page.locator("[data-search]").focus()
    assert press(page, "ArrowRight")["event"] == clicks[0], "of the field"
    page.evaluate("document.activeElement.blur()")
    assert press(page, "Shift+ArrowRight", "5", "End")["event"] == clicks[0], "only these keys are taken from the page"


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
def test_nothing_covers_a_digit(visit: Visit, game: Replay) -> None:
    """Digits are on a canvas over layers and trail, which is the same with and without them."""
    page = opened(visit, f"{game.get_absolute_url()}?t=20")
    order = page.locator("[data-part=frame] canvas").evaluate_all("all => all.map((one) => one.className.slice(5))")
    assert order == ["cells", "overlay", "trail", "digits", "cursor"]
    picture = "() => document.querySelector('canvas.film-digits').toDataURL()"
    without = page.evaluate(picture)
    frame(page).focus()
    press(page, "o", "h", "m", "p", "t")
    assert page.evaluate(picture) == without
    shown = page.evaluate(
        f"""() => {{
          const {{ board, stage, film }} = {VIEWER};
          const ink = (ctx, cell) => {{
            const {{ data }} = ctx.getImageData(...stage.corner(cell), stage.cell, stage.cell);
            return data.filter((_value, place) => place % 4 === 3).some((alpha) => alpha > 250);
          }};
          return [...board.faces.keys()].map((cell) => [board.shown(cell, false) >= 1 && board.shown(cell, false) <= 8, ink(stage.digits.ctx, cell)]);
        }}"""
    )
    assert {tuple(pair) for pair in shown} == {(True, True), (False, False)}


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
def test_the_chance_of_most_cells_is_told_once(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?t=3&layers=odds")
    label = page.locator("[data-part=others]")
    counts = page.evaluate(
        f"""() => {{
          const {{ layers, board }} = {VIEWER};
          const counts = new Map();
          layers.changes.now.forEach((value, cell) => board.faces[cell] !== 3 && value > 0 && value < 200 && counts.set(value, (counts.get(value) ?? 0) + 1));
          return [...counts].sort((a, b) => b[1] - a[1]);
        }}"""
    )
    assert counts[0][1] > 100
    expect(label).to_have_text(f"other cells {int(counts[0][0] / 2 + 0.5)}%")
    assert page.evaluate(f"() => {VIEWER}.layers.others") == counts[0][0]
    frame(page).focus()
    press(page, "p")
    expect(label).to_be_hidden()


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_the_trail_is_that_of_two_seconds(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?t=20")
    assert state(page)["trail"] == "recent"
    page.evaluate("document.querySelectorAll('[data-clicks]').forEach((box) => box.click())")
    recent = painted(page, "trail")
    page.locator("[data-part=trail]").evaluate(
        "(one) => { one.value = 'all'; one.dispatchEvent(new Event('change')); }"
    )
    assert 0 < recent < painted(page, "trail") / 2
    choose = "(one) => { one.value = 'click'; one.dispatchEvent(new Event('change')); }"
    page.locator("[data-part=trail]").evaluate(choose)
    events = click_events(page)
    gap = max(range(len(events) - 1), key=lambda at: events[at + 1] - events[at])
    page.evaluate(f"(event) => {VIEWER}.goTo(event)", events[gap])
    assert painted(page, "trail") == 0, "at a click its trail begins"
    page.evaluate(f"(event) => {VIEWER}.goTo(event)", events[gap + 1] - 1)
    assert painted(page, "trail") > 0


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_a_click_without_effect_is_hollow(visit: Visit, game: Replay) -> None:
    page = opened(visit, f"{game.get_absolute_url()}?t=20")
    script = f"""() => {{
      const {{ trail, clicks, film, stage }} = {VIEWER};
      const inked = (act) => {{
        stage.trail.clearRect(0, 0, stage.trail.canvas.width, stage.trail.canvas.height);
        Object.assign(trail, {{ mode: "all", drawn: film.places[act] + 1, acts: act }}); // its mark alone
        trail.draw(stage, film.places[act] + 1, act + 1, 0);
        const event = trail.at.get(act);
        const at = [film.x, film.y].map((axis) => Math.round(axis[event] * stage.cell / film.cellPx));
        return stage.trail.getImageData(...at, 1, 1).data[3] > 0;
      }};
      return clicks.all.filter((act) => film.x[trail.at.get(act)] > 8 && film.y[trail.at.get(act)] > 8)
        .map((act) => [inked(act), clicks.wasted.includes(act)]);
    }}"""
    found = page.evaluate(script)
    assert {tuple(pair) for pair in found} == {(True, False), (False, True)}


@pytest.mark.long(beside="tests/e2e/test_film_page.py::test_it_plays_to_the_end_and_shows_the_stored_numbers")
def test_marks_of_clicks_are_switched_apart(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    frame(page).focus()
    press(page, "End", "t", "t", "t")
    kinds = ("left", "right", "chord")
    page.evaluate("document.querySelectorAll('[data-clicks]').forEach((box) => box.click())")
    assert painted(page, "trail") == 0
    page.locator("[data-part=trail]").evaluate(
        "(one) => { one.value = 'all'; one.dispatchEvent(new Event('change')); }"
    )
    line = painted(page, "trail")
    several = []
    for kind in kinds:
        box = page.locator(f"[data-clicks={kind}]")
        box.evaluate("(one) => one.click()")
        several.append(painted(page, "trail"))
        box.evaluate("(one) => one.click()")
    made = set(page.evaluate(f"() => [...{VIEWER}.clicks.kind.values()]"))
    assert {kind for kind, count in zip(kinds, several, strict=True) if count != line} == made
    page.locator("[data-clicks=left]").evaluate("(one) => one.click()")
    page.reload()
    use_film(page)
    boxes = page.locator("[data-clicks]").evaluate_all(
        "all => all.filter((one) => one.checked).map((one) => one.dataset.clicks)"
    )
    assert boxes == ["left"], "kept by the browser"


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
def test_what_is_held_is_shown(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    lit = "() => [...document.querySelectorAll('[data-part=held] [data-on]')].map((one) => Number(one.dataset.bit))"
    acts = page.evaluate(
        f"""() => {{
          const {{ film }} = {VIEWER};
          return [1, 2, 3, 0].map((bits) => [bits, film.held.findIndex((held) => (held & 39) === bits)]);
        }}"""
    )
    assert sum(act >= 0 for _bits, act in acts) >= 3
    for bits, act in acts:
        if act >= 0:
            page.evaluate(f"(act) => {VIEWER}.goTo({VIEWER}.film.places[act] + 1)", act)
            assert sum(page.evaluate(lit)) == bits
    pictures = set()
    for bits in (0, 1, 2, 4, 32, 39):  # films of programs that keep the middle button and Shift
        page.evaluate(f"(bits) => {{ const v = {VIEWER}; v.film.held.fill(bits); v.goTo(v.event); }}", bits)
        assert sum(page.evaluate(lit)) == bits
        pictures.add(page.evaluate("() => document.querySelector('canvas.film-cursor').toDataURL()"))
    assert len(pictures) == 5, "buttons are at the cursor too, and Shift is not"


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
def test_the_list_of_clicks_follows_and_leads(visit: Visit, game: Replay) -> None:
    page = opened(visit, game.get_absolute_url())
    page.locator(".film-tabs label", has_text="Clicks").click()
    rows = page.locator("[data-part=clicks] li")
    events = click_events(page)
    expect(rows).to_have_count(len(events))
    expect(page.locator("[data-part=click-count]")).to_have_text(str(len(events)))
    current = page.locator("[data-part=clicks] [aria-current]")
    expect(current, "the poster is at no click").to_have_count(0)
    for share in ("7", "2"):
        at = press(page, share, "ArrowRight")["event"]
        expect(current.locator(".number")).to_have_text(str(events.index(at) + 1))
        box = "() => document.querySelector('[data-part=click-pane]').getBoundingClientRect()"
        pane, row = page.evaluate(f"({box})().toJSON()"), current.bounding_box()
        assert row is not None
        assert pane["top"] <= row["y"]
        assert row["y"] + row["height"] <= pane["bottom"] + 1
        assert page.evaluate("scrollY") == 0, "the list scrolls, and not the page"
    said = page.locator("[data-part=status]")
    rows.nth(4).locator("button").click()
    assert state(page)["event"] == events[4]
    expect(said).to_contain_text(rows.nth(4).locator(".what").inner_text())
    page.locator(".film-tabs label", has_text="Clicks").click()  # once more
    assert press(page, "ArrowRight")["event"] == events[5], "neither a line nor a tab that was clicked keeps the focus"
    assert press(page, "Space")["playing"]
    press(page, "Space")
    expect(page.locator("[data-part=click-tab]")).to_be_checked()
    page.locator("[data-part=click-tab]").focus()
    press(page, "ArrowRight")
    expect(page.locator("[data-part=logic]")).to_be_checked()
    expect(page.locator("[data-part=logic]")).to_be_focused()


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
def test_an_embedded_film_has_its_legend(visit: Visit, game: Replay) -> None:
    """In its bar, in words if they fit; a frame that is too narrow for all five kinds has none."""
    page = opened(visit, embed_of(game), width=720, height=640)
    expect(page.locator("[data-film][data-review=ready]")).to_have_count(1)
    buttons = page.locator(".film-legend button")
    counted = Counter(page.evaluate(f"() => {VIEWER}.timeline.moments.map((one) => one.weight)"))
    for button in buttons.all():
        weight = button.get_attribute("data-next") or ""
        expect(button).to_have_attribute("aria-label", count_text(Weight(weight), counted.pop(weight)))
    assert not counted
    inside = """() => {
      const bar = document.querySelector(".film-bar").getBoundingClientRect();
      const boxes = [...document.querySelectorAll(".film-legend button")].map((one) => one.getBoundingClientRect()).filter((one) => one.width);
      return [boxes.length, boxes.every((one) => bar.top <= one.top && one.bottom <= bar.bottom && one.top === boxes[0].top)];
    }"""
    assert page.evaluate(inside) == [buttons.count(), True]
    buttons.first.click()
    moment = f"{VIEWER}.timeline.moments.find((one) => one.event === {VIEWER}.event)?.weight"
    expect(buttons.first).to_have_attribute("data-next", page.evaluate(moment))
    page.set_viewport_size({"width": 400, "height": 360})
    assert page.evaluate(inside) == [0, True]


@pytest.mark.long(beside="tests/e2e/play/test_skins.py::test_a_small_flag_is_a_pennant")
def test_skins_of_play(visit: Visit, game: Replay) -> None:
    """One choice for all boards; an embedded film keeps nothing."""
    page = opened(visit, f"{game.get_absolute_url()}?t=20")
    picture = (
        "() => ['cells', 'digits'].map((name) => document.querySelector(`canvas.film-${name}`).toDataURL()).join()"
    )
    choose = "(one, skin) => { one.value = skin; one.dispatchEvent(new Event('change')); }"
    pictures = {page.evaluate(picture)}
    for skin in ("clean", "dark", "safe"):
        page.locator("[data-part=skin]").evaluate(choose, skin)
        expect(page.locator(f"html[data-skin={skin}]")).to_have_count(1)
        page.wait_for_timeout(50)
        pictures.add(page.evaluate(picture))
    assert len(pictures) == 4
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-skin", "safe")
    use_film(page)
    expect(page.locator("[data-part=skin]")).to_have_value("safe")
    other = opened(visit, embed_of(game))
    other.locator("[data-part=skin]").evaluate(choose, "dark")
    expect(other.locator("html[data-skin=dark]")).to_have_count(1)
    assert [one for one in other.context.cookies() if one["name"] == "skin"] == []


@pytest.mark.long(beside="tests/e2e/test_film_look.py::test_play_is_in_sight_and_space_plays")
def test_four_numbers_under_the_board_of_a_phone(visit: Visit, game: Replay) -> None:
    """Those of the row at first, then those of the moment; a wide screen has them in its panel."""
    page = visit(game.get_absolute_url(), width=390, height=844)
    numbers = page.locator("[data-part=four] dd")
    expect(numbers.first).to_be_visible()
    stored = [game.statistic(name) or 0 for name in ("bv", "bvs", "cl", "ioe")]
    assert [float(text) for text in numbers.all_inner_texts()] == pytest.approx(stored, abs=0.001)
    numbers.nth(2).evaluate(
        "(one) => { one.innerHTML = '<span title=\"not defined\">–</span>'; }"
    )  # as the page says it
    use_film(page)
    frame(page).focus()
    at = press(page, "5", "ArrowRight")
    expect(numbers.nth(2)).to_have_text(str(click_events(page).index(at["event"]) + 1))
    wide = visit(game.get_absolute_url())
    expect(wide.locator("[data-part=four]")).to_be_hidden()
