"""The pages of the tools as a browser without scripts sees them."""

from __future__ import annotations

import json
import re
from urllib.parse import unquote

import pytest
from django.test import Client
from django.urls import reverse

from analysis.one_and_two import MINES
from replays.odds.positions.examples import EXAMPLES
from replays.odds.positions.points import Note, PointSeries, point_chart
from replays.odds.positions.position_texts import FLAGS
from replays.odds.positions.positions import PositionQuery
from replays.odds.positions.results import evaluate
from tests.cases import check_each_on_site
from tests.pages.html import Document
from tests.pages.test_every_page import assert_is_a_page_of_the_site, document

pytestmark = pytest.mark.django_db
PAGE = "/tools/probability/"


def cells(page: Document) -> list[dict[str, str]]:
    return [attributes for attributes in page.all("td") if "data-sign" in attributes]


@pytest.mark.parametrize(
    "address", ["/tools/", PAGE, "/tools/one-and-two/", *(f"{PAGE}?{one.query.parameters}" for one in EXAMPLES)]
)
def test_pages(client: Client, address: str) -> None:
    assert_is_a_page_of_the_site(document(client, address))


def test_the_tools_are_linked(client: Client) -> None:
    assert "/tools/" in document(client, "/").links()
    assert {PAGE, "/tools/one-and-two/"} <= set(document(client, "/tools/").links())


def test_every_example_is_linked(client: Client) -> None:
    links = {unquote(link) for link in document(client, PAGE).links()}
    assert {unquote(f"{PAGE}?{one.query.parameters}") for one in EXAMPLES} <= links


def test_a_link_shows_the_result_as_a_table(client: Client) -> None:
    page = document(client, f"{PAGE}?position=11./...&mines=1")
    assert [cell["aria-label"] for cell in cells(page)] == [
        "row 1, column 1: open, 1",
        "row 1, column 2: open, 1",
        "row 1, column 3: closed, safe",
        "row 2, column 1: closed, mine: 50.00%",
        "row 2, column 2: closed, mine: 50.00%",
        "row 2, column 3: closed, safe",
    ]
    found = evaluate(PositionQuery(("11.", "..."), 1))
    assert found.deduction.steps[0].sentence() in page.text
    assert "row 1, column 3; row 2, column 3" in page.text, "what to open"


def test_the_form_holds_the_position(client: Client) -> None:
    source = client.get(PAGE, {"position": "1F/..", "mines": "1", "flags": "ignored"}).content.decode()
    assert ">\n1F\n..</textarea>" in source
    assert re.search(r'name="mines"[^>]* value="1"', source)
    assert re.search(r'name="flags"[^>]* checked', source)
    assert "position=1F/..&amp;mines=1&amp;flags=ignored" in source


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("position=1F/..&mines=1", "Flags count as known mines."),
        ("position=1F/.F&mines=1", "can't all be right"),
        ("position=1F/..&mines=1&flags=ignored", "Flags are ignored"),
        ("position=1./..&mines=1", None),
    ],
)
def test_the_page_says_how_flags_are_taken(client: Client, query: str, words: str | None) -> None:
    page = document(client, f"{PAGE}?{query}")
    sentences = [text for text in FLAGS.values() if text in page.text]
    assert len(sentences) == (words is not None)
    assert words is None or words in sentences[0]


def test_a_form_sends_lines(client: Client) -> None:
    page = document(client, f"{PAGE}?position=1.%0D%0A..&mines=1")
    assert len(cells(page)) == 4


def test_a_density_is_accepted(client: Client) -> None:
    assert "density" not in document(client, f"{PAGE}?position=../..&density=0.25").text
    assert client.get(PAGE, {"position": "..", "density": "nan"}).status_code == 400


def test_refusals_are_shown(client: Client) -> None:
    def is_refused(query: str, status: int, words: str) -> None:
        page = document(client, f"{PAGE}?{query}", status)
        assert_is_a_page_of_the_site(page)
        assert words in page.text

    cases = [
        ("position=&mines=1", 400, "at least one cell"),
        ("position=1./..&mines=", 400, "number of mines"),
        ("position=1./..&mines=%D9%A1", 400, "whole number"),
        ("position=1./..&mines=1&flags=maybe", 400, "“trusted” or “ignored”"),
        ("position=1x/..&mines=1", 400, "Row 1, column 2 is “x”"),
        ("position=1./.&mines=1", 400, "Row 2 has 1 cells"),
        ("position=8./..&mines=1", 422, "No mine layout fits the 8 in row 1, column 1."),
    ]
    check_each_on_site(is_refused, cases)


def test_a_contradiction_is_marked_on_the_board(client: Client) -> None:
    page = document(client, f"{PAGE}?position=8./..&mines=1", 422)
    assert "wrong" in cells(page)[0]["class"]


def test_hostile_texts_are_escaped(client: Client) -> None:
    source = client.get(PAGE, {"position": "<script>x</script>", "mines": '"><b>'}).content.decode()
    assert "<script>x" not in source
    assert '"><b>' not in source


def test_a_position_that_is_too_large_is_not_drawn(client: Client) -> None:
    response = client.get(PAGE, {"position": "/".join(["." * 101] * 100), "mines": "1"})
    assert response.status_code == 400
    assert "data-sign" not in response.content.decode()


def test_the_script_requests_only_the_result(client: Client) -> None:
    response = client.get(PAGE, {"position": "1./..", "mines": "1"}, headers={"HX-Request": "true"})
    source = response.content.decode()
    assert "<html" not in source
    assert source.count("data-sign") == 4
    assert "HX-Request" in response.headers["Vary"]


def test_steps_carry_their_cells(client: Client) -> None:
    page = document(client, f"{PAGE}?position=11./...&mines=1")
    drawn = [json.loads(attributes["data-marks"]) for attributes in page.all("li") if "data-marks" in attributes]
    assert drawn == [
        {
            "a": [[1, 0], [1, 1]],
            "b": [[0, 2], [1, 0], [1, 1], [1, 2]],
            "number": [[0, 0], [0, 1]],
            "safe": [[0, 2], [1, 2]],
        }
    ]


def test_big_counts_show_all_digits_on_request(client: Client) -> None:
    page = document(client, PAGE)
    assert "× 10" in page.text
    assert "Show all digits" in page.text


# --- the 1 and the 2 ---


def test_every_value_has_its_point_and_its_row(client: Client) -> None:
    page = document(client, reverse("tool-one-and-two"))
    series = [attributes["d"] for attributes in page.all("path") if attributes.get("d", "").count("z") >= len(MINES)]
    assert [path.count("z") for path in series] == [len(MINES)] * 3
    for fraction in ("19/248", "51/248", "343/1240"):
        assert fraction in page.text
    for crossing in ("n = 24", "1/4", "n = 82", "n = 83"):
        assert crossing in page.text


def test_points_are_at_their_values() -> None:
    chart = point_chart(
        [PointSeries(0, "A", {0: 0.0, 10: 1.0})], [Note(10, 1.0, "<here>")], title='a "title"', across="n", up="y"
    )
    assert "&lt;here&gt;" in chart
    assert "&quot;title&quot;" in chart
    places = re.findall(r"M([\d.]+) ([\d.]+)m", chart)
    (x0, y0), (x1, y1) = [(float(x), float(y)) for x, y in places]
    assert x0 < x1
    assert y0 > y1
