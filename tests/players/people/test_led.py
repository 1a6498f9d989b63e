"""Seven-segment displays, drawn by the page and changed by ``play/look/led.js``."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from players.templatetags.led import clock_text, led

SCRIPT = Path(__file__).parents[3] / "replays/static/play/look/led.js"


def lit(picture: str) -> list[int]:
    """The number of lit segments of each place."""
    return [path.count("M") for path in re.findall(r'class="son" d="([^"]*)"', picture)]


def test_digits_and_a_point() -> None:
    picture = str(led("040.55", "Time"))
    assert lit(picture) == [6, 4, 6, 5, 5]
    assert picture.count('class="soff"') == 5
    assert re.findall(r'<circle class="son" cx="([\d.]+)"', picture) == ["79.6"]  # between the third and the fourth
    assert 'aria-label="Time"' in picture


def test_a_minus_is_one_segment_and_a_name_is_escaped() -> None:
    assert lit(str(led("-01"))) == [1, 6, 2]
    assert 'aria-hidden="true"' in led("-01")
    assert "&lt;b&gt;" in led("1", "<b>")
    assert '<svg class="led" data-led="mines" ' in led("000", name="mines")


def test_page_and_script_light_the_same_segments() -> None:
    (table,) = re.findall(r"const LIT = \{(.*?)\};", SCRIPT.read_text())
    script = {
        sign.strip('"'): {int(segment) for segment in segments}
        for sign, segments in re.findall(r'([\d"-]+): "(\d+)"', table)
    }
    segments = re.findall(r"M[^M]*", re.search(r'class="soff" d="([^"]*)"', str(led("8")))[1])  # type: ignore[index]
    assert len(script) == 11
    for sign, expected in script.items():
        path = re.search(r'class="son" d="([^"]*)"', str(led(sign)))
        assert path is not None
        assert {segments.index(one) for one in re.findall(r"M[^M]*", path[1])} == expected, sign


@pytest.mark.parametrize(
    ("time", "shown"), [("40.55", "040.55"), ("2.091", "002.091"), ("999.99", "999.99"), ("1000.01", "1000.01")]
)
def test_a_clock_has_at_least_three_places_for_seconds(time: str, shown: str) -> None:
    assert clock_text(time) == shown
