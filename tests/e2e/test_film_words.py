"""The moment of a film in words and in addresses: what people write is read or refused, and clicks have one number."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from analysis import formats
from analysis.analyse import analyse
from analysis.film import Film, encode, film_of
from analysis.recording import Board, Kind, Level, Recording, events_from
from analysis.time_convention import number_text
from replays.models import Replay, file_store
from replays.watch.pictures.tags import moment_ms
from tests.e2e.conftest import Visit
from tests.e2e.film import use_film
from tests.e2e.film_modules import sent
from tests.e2e.test_browser import put
from tests.naive_game import cell_at, moments
from tests.replays.conftest import store  # noqa: F401 - a fixture
from tests.replays.games import game_file

VIEWER = "document.querySelector('[data-film]').viewer"


@pytest.fixture
def game(store: Any, transactional_db: None) -> Replay:  # noqa: F811 - the fixture
    return put(game_file(1, Level.EXPERT))


@pytest.fixture
def film(game: Replay) -> Film:
    return film_of(analyse(formats.read(file_store.get(game.sha256))))


def opened(visit: Visit, path: str) -> Page:
    page = visit(path)
    use_film(page)
    # What is left while it is computed keeps the next page waiting.
    expect(page.locator("[data-film][data-review=ready]")).to_have_count(1)
    return page


def note(page: Page) -> Any:
    return page.locator("[data-part=note]")


def status(page: Page) -> Any:
    return page.locator("[data-part=status]")


def time_of(page: Page) -> float:
    found: float = page.evaluate(f"() => {VIEWER}.clock.time")
    return found


def written() -> Iterator[str]:
    """Yield texts that somebody may write for a time, some of which are none."""
    yield from ("20", "20.5", "20,5", "1:02", "1:02.5", "1:02,25", "-3", "-0:03", "0:5", "100000", " 7 ")
    yield from (
        "",
        "abc",
        "1:60",
        "1:2:3",
        ":5",
        "5:",
        "1e3",
        "20.1234",
        "20.",
        ".5",
        "+3",
        "1:002",
        "--1",
        "٣",
        "1,5,5",
        "NaN",
    )
    rng = random.Random(1)
    for _ in range(3_000):
        yield "".join(rng.choices("0123456789:.,-", k=rng.randint(1, 7)))


def test_the_browser_reads_the_times_that_the_server_reads(modules: Page) -> None:
    texts = list(written())
    found = modules.evaluate(
        "(texts) => texts.map((text) => { const ms = msOf(text); return Number.isNaN(ms) ? null : ms; })", texts
    )
    assert found == [moment_ms(text.strip()) for text in texts]
    read = dict(zip(texts, found, strict=True))
    assert [read[text] for text in ("20,5", "1:02", "1:02.5", "-3")] == [20_500, 62_000, 62_500, -3_000]
    assert {read[text] for text in ("", "abc", "1:60", "20.1234", "1e3", "1,5,5")} == {None}
    assert sum(ms is not None for ms in found) > 300


def test_a_right_click_without_effect_is_where_it_was_pressed(modules: Page) -> None:
    """Pressed at (0, 1), which is open, and released on the closed (1, 4); then one that sets a flag and is released elsewhere."""
    acts = [
        (Kind.LEFT_PRESS, 0, 1), (Kind.LEFT_RELEASE, 0, 1), (Kind.RIGHT_PRESS, 0, 1), (Kind.RIGHT_RELEASE, 1, 4),
        (Kind.RIGHT_CHANGE, 0, 1), (Kind.RIGHT_CHANGE, 1, 0), (Kind.RIGHT_PRESS, 0, 0), (Kind.RIGHT_RELEASE, 0, 1),
    ]  # fmt: skip
    rows = [(10 * number, 16 * column + 8, 16 * row + 8, kind) for number, (kind, row, column) in enumerate(acts)]
    mines = np.array([[1, 0, 0, 1, 0], [0, 0, 0, 0, 0]], np.uint8)
    recording = Recording("test", "", Board(mines), events_from(rows))
    script = """(film) => {
      const decoded = decodeFilm(bytes(film));
      const clicks = clicksOf(decoded);
      return clicks.all.map((act) => [clicks.kind.get(act), clicks.wasted.includes(act), placeOf(decoded, clicks, act)]);
    }"""
    found = modules.evaluate(script, sent(encode(film_of(analyse(recording)))))
    cells = [
        (kind, wasted, cell_at(recording, *recording.events[["x_px", "y_px"]][at].tolist()))
        for kind, wasted, at in found
    ]
    assert cells == [
        ("left", False, (0, 1)),
        ("right", True, (0, 1)),
        ("right", True, (0, 1)),
        ("right", False, (0, 0)),
    ]


@pytest.mark.long(beside="tests/e2e/test_film_words.py::test_the_browser_reads_the_times_that_the_server_reads")
def test_times_in_addresses_are_read_or_refused(visit: Visit, game: Replay) -> None:
    for text, ms in (("20,5", 20_500), ("0:12.34", 12_340)):
        page = opened(visit, f"{game.get_absolute_url()}?t={text}")
        assert time_of(page) == ms
        expect(note(page)).to_have_text("")
    page = opened(visit, f"{game.get_absolute_url()}?t=20;5")
    expect(note(page)).to_contain_text("“20;5” is not a time.")
    field = page.locator("[data-part=time]")
    for wrote, ms in (("0:09,5", 9_500), ("soon", 9_500), ("11", 11_000)):
        field.fill(wrote)
        field.press("Enter")
        assert time_of(page) == ms
        expect(field).to_have_value(number_text(ms / 1000, 3))
        expect(note(page)).to_contain_text("“soon” is not a time." if wrote == "soon" else "")
    expect(note(page)).to_have_text("")


@pytest.mark.long(beside="tests/e2e/test_film_words.py::test_the_browser_reads_the_times_that_the_server_reads")
def test_clicks_have_one_number(visit: Visit, game: Replay, film: Film) -> None:
    """In the address, beside the film, and where the click is explained: all clicks count, and a link leads before its click."""
    clicks = film.places[np.flatnonzero(np.diff(film.counters[:, :3].sum(1), prepend=0) > 0)].tolist()
    opening = film.places[np.flatnonzero(np.diff(film.counters[:, [3, 5]].sum(1), prepend=0) > 0)].tolist()
    number = next(place for place, event in enumerate(clicks, 1) if place >= 30 and event in opening)
    assert number != opening.index(clicks[number - 1]) + 1, "clicks that open nothing count too"
    page = opened(visit, f"{game.get_absolute_url()}#click-{number}")
    assert page.evaluate(f"() => {VIEWER}.event") == clicks[number - 1]
    expect(status(page)).to_contain_text(f"{number - 1} of {len(clicks)} clicks, ")
    expect(page.locator("[data-part=risk]")).to_contain_text(f"Click {number} of {len(clicks)},")
    page.evaluate("location.hash = '#click-99999'")
    expect(note(page)).to_contain_text("This game has no click 99999.")
    assert page.evaluate(f"() => {VIEWER}.event") == clicks[number - 1]


@pytest.mark.long(beside="tests/e2e/test_film_words.py::test_the_browser_reads_the_times_that_the_server_reads")
def test_numbers_have_their_plural(visit: Visit, game: Replay, film: Film) -> None:
    page = opened(visit, game.get_absolute_url())
    opens = np.diff(film.counters[:, 3], prepend=0) > 0
    for act, text in (
        (np.flatnonzero(opens & (film.changed == 1))[0], "1 cell"),
        (film.start_act, f"{film.changed[film.start_act]} cells"),
    ):
        page.evaluate(f"() => {VIEWER}.goTo({int(film.places[act]) + 1})")
        expect(status(page)).to_have_text(re.compile(rf"opens {text}(,|$)"))


@pytest.mark.long(beside="tests/e2e/test_film.py::test_films_of_our_own")
def test_the_page_shows_the_path_at_the_moment(visit: Visit, game: Replay, film: Film) -> None:
    """Half a way between two acts that are far from each other, where the counter once stood still."""
    recording = formats.read(file_store.get(game.sha256))
    gap = int(np.argmax(np.diff(film.places)))
    middle = int(film.places[gap : gap + 2].mean())
    (moment,) = moments(recording, [middle])
    assert moment.numbers["path"] > film.path[gap] + 1
    page = opened(visit, game.get_absolute_url())
    page.evaluate(f"() => {VIEWER}.goTo({middle})")
    page.get_by_text("Stats", exact=True).click()
    row = page.locator("[data-part=rows] tr").filter(has=page.get_by_role("rowheader", name="Path", exact=True))
    expect(row.locator("td")).to_have_text(number_text(moment.numbers["path"], 1))
