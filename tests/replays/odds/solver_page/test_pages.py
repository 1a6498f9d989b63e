"""The solver's page as a browser without scripts sees it."""

from __future__ import annotations

import json
import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from analysis.recording import Level
from analysis.solver import Reason, Rules, Strength
from analysis.solver.course import course_of
from analysis.solver.match import Match
from analysis.solver.stages import SEED, read_stages
from replays.odds.solver_page.solver_drawing import Playback, playback_of
from tests.cases import check_each_on_site
from tests.pages.html import Document
from tests.pages.test_every_page import assert_is_a_page_of_the_site, document

pytestmark = pytest.mark.django_db
PAGE = "/tools/solver/"
SMALL = f"{PAGE}?level=beginner&rules=xp&stage=safest&seed=1"


def playback(strength: Strength, number: int, rules: Rules = Rules.XP) -> tuple[Playback, Match]:
    match = Match(Level.BEGINNER, rules, strength, SEED)
    board, options = match.deal(number)
    return playback_of(course_of(options, board, rules), rules), match


def game_of(client: Client, address: str) -> Any:
    found = re.search(r'<script id="solver-game"[^>]*>(.*?)</script>', client.get(address).content.decode(), re.DOTALL)
    assert found
    return json.loads(found[1])


@pytest.mark.parametrize("address", [PAGE, SMALL, f"{SMALL}&step=3", f"{SMALL}&step=99999"])
def test_pages(client: Client, address: str) -> None:
    assert_is_a_page_of_the_site(document(client, address))


def test_the_tools_link_to_it(client: Client) -> None:
    assert PAGE in document(client, "/tools/").links()


def test_steps_are_links(client: Client) -> None:
    page = document(client, f"{SMALL}&step=1")
    links = page.links()
    assert {f"{SMALL}&step=0", f"{SMALL}&step=2"} <= set(links)
    start, end = document(client, f"{SMALL}&step=0"), document(client, f"{SMALL}&step=99999")
    assert f"{SMALL}&step=-1" not in start.links()
    last = len(game_of(client, SMALL)["clicks"])
    assert f"{SMALL}&step={last - 1}" in end.links()
    assert f"{SMALL}&step={last + 1}" not in end.links()


@pytest.mark.parametrize("strength", list(Strength))
def test_each_step_opens_what_the_click_opens(strength: Strength) -> None:
    seen: set[str] = set()
    for number in range(12):
        game, match = playback(strength, number)
        mines = match.deal(number)[0].mines.ravel()
        open_before: set[int] = set()
        for step, click in enumerate([*game.clicks, None]):
            cells = [cell for row in game.table(step) for cell in row]
            is_open = {place for place, cell in enumerate(cells) if cell.classes.startswith("open")}
            assert is_open == open_before
            assert all(
                cell.shown in ("", str(game.numbers[place])) for place, cell in enumerate(cells) if place in is_open
            )
            if click is not None:
                assert click.cell not in is_open
                assert "advised" in cells[click.cell].classes
                assert bool(click.opened) != mines[click.cell]
                open_before |= set(click.opened)
        shown_mines = {place for place, cell in enumerate(cells) if cell.shown == "✹"}
        assert shown_mines == set(mines.nonzero()[0].tolist())
        won = len(open_before) == mines.size - mines.sum()
        seen.add(game.end.split(":")[0])
        assert game.end.startswith("Won") == won
    assert len(seen) >= (1 if strength is Strength.RANDOM else 2)


def test_a_guess_shows_chances_and_a_certain_move_its_reason() -> None:
    match = Match(Level.BEGINNER, Rules.XP, Strength.SAFEST, SEED)
    guesses = certain = 0
    for number in range(10):
        dealt, options = match.deal(number)
        course = course_of(options, dealt, Rules.XP)
        game = playback_of(course, Rules.XP)
        for step, click in enumerate(game.clicks):
            thought = course.turns[click.turn].thought
            cell = [cell for row in game.table(step) for cell in row][click.cell]
            if thought.move.reason is Reason.CERTAIN:
                certain += 1
                assert cell.shown == "✓"
                assert click.marks
                assert "0.00%" in game.facts(step)
            elif thought.known is not None:
                guesses += 1
                chance = float(thought.known.mine.flat[click.cell])
                assert cell.shown == str(round(100 * chance))
                assert f"{100 * chance:.2f}%" in game.facts(step)
    assert guesses > 5
    assert certain > 50


def test_the_cells_of_a_reason_are_those_of_its_step() -> None:
    match = Match(Level.BEGINNER, Rules.XP, Strength.CAREFUL, SEED)
    rows: set[str] = set()
    for number in range(10):
        board, options = match.deal(number)
        course = course_of(options, board, Rules.XP)
        game = playback_of(course, Rules.XP)
        steps = (step for turn in course.turns for cell, _ in turn.opened for step in [dict(turn.thought.clicks)[cell]])
        for step, click in zip(steps, game.clicks, strict=True):
            expected = {}
            if step is not None:
                expected = {one.name.lower(): one.cells for one in step.sets}
                expected |= {"number": tuple(one.number for one in step.sets), "mine": step.mines, "safe": step.safe}
            found = {mark: tuple(divmod(cell, game.columns) for cell in cells) for mark, cells in click.marks.items()}
            assert found == {mark: cells for mark, cells in expected.items() if cells}
            rows |= set(found)
    assert rows == {"a", "b", "number", "mine", "safe"}


def test_facts_say_what_a_player_overlooks() -> None:
    weak, strong = (
        [turn.facts for number in range(12) for turn in playback(strength, number)[0].turns]
        for strength in (Strength.RANDOM, Strength.EXACT)
    )
    assert any("this solver finds 0" in facts for facts in weak)
    assert not any("this solver" in facts for facts in strong)


def test_the_same_address_shows_the_same_game(client: Client) -> None:
    assert game_of(client, SMALL) == game_of(client, SMALL)
    assert game_of(client, SMALL) != game_of(client, SMALL.replace("seed=1", "seed=2"))
    assert game_of(client, PAGE) == game_of(client, f"{PAGE}?level=expert&rules=xp&stage=full&seed=9")


def rounded(number: float) -> Decimal:
    """Two decimals, half up, as templates round."""
    return Decimal(repr(number)).quantize(Decimal("0.01"), ROUND_HALF_UP)


def test_the_table_is_what_the_file_says(client: Client) -> None:
    text = " ".join(document(client, PAGE).text.split())
    for stage in read_stages():
        low, high = (rounded(100 * end) for end in stage.score.interval)
        row = f"{rounded(100 * stage.score.win_rate)}% {low} – {high}%"
        assert row in text, (stage.match, row)
        assert f"{stage.date.isoformat()} {stage.commit}" in text


def test_the_histogram_is_of_the_stage_on_the_page(client: Client) -> None:
    for rules, strength in ((Rules.XP, Strength.SAFEST), (Rules.WIN7, Strength.RANDOM)):
        page = document(client, f"{PAGE}?level=beginner&rules={rules.value}&stage={strength.value}&seed=1")
        score = next(
            stage.score for stage in read_stages() if (stage.match.rules, stage.match.strength) == (rules, strength)
        )
        expected = [rounded(100 * count / score.games) for count in (*score.lost_explored, score.wins)]
        assert [Decimal(meter["value"]) for meter in page.all("meter")] == expected


def test_refusals_are_shown(client: Client) -> None:
    def is_refused(query: str) -> None:
        page = document(client, f"{PAGE}?{query}", 400)
        assert_is_a_page_of_the_site(page)
        assert page.all("meter"), "the table of all solvers is there"
        assert not [section for section in page.all("section") if "data-solver" in section]
        assert [section for section in document(client, PAGE).all("section") if "data-solver" in section]

    cases = ["level=custom", "rules=no-guess", "stage=best", "seed=-1", "seed=99999999999", "seed=x", "step=-1"]
    check_each_on_site(is_refused, cases)


def test_games_are_counted(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.odds.positions.budget.POSITION_LIMIT._rate", "1/day")
    assert client.get(SMALL).status_code == 200
    refused = client.get(SMALL)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert client.get(PAGE).status_code == 200  # the first game is not counted


def test_it_is_chinese_throughout(client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    text = document(client, f"{SMALL}&step=4").text
    for words in (
        "求解器实战",
        "置信区间",
        "5% 和 23% 这两个胜率",
        "直方图",
        "是雷的概率",
        "格可以推出来。",
    ):
        assert words in text, words
    for words in ("percent", "certain", "mine", "xienaoban's"):
        assert words not in text, words


def test_published_versions_without_a_solver_are_told(client: Client) -> None:
    for language, parts in (("en", ("36 to 37 percent", "39.3 percent")), ("zh-hans", ("36％～37％", "39.3％"))):
        text = " ".join(
            Document(client.get("/tools/solver/", headers={"Accept-Language": language}).content.decode()).text.split()
        )
        assert all(part in text for part in parts), language
