"""Formulas as trees: what is read, and what is refused."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.formulas import FUNCTIONS, MAX_CHARACTERS, BadFormula, Tree, tree, value_of
from analysis.statistics import DERIVED


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1", 1.0), (" bv ", "bv"), ("a + b * 2", ["+", "a", ["*", "b", 2.0]]), ("-a", ["-", 0.0, "a"]), ("a ** 1.7", ["**", "a", 1.7]),
        ("log(a) / sqrt(b)", ["/", ["log", "a"], ["sqrt", "b"]]), ("time > 1 and bvdone > 0", ["and", [">", "time", 1.0], [">", "bvdone", 0.0]]),
        ("max(a, 1)", ["max", "a", 1.0]),
    ],
)  # fmt: skip
def test_trees(text: str, wanted: Tree) -> None:
    assert tree(text) == wanted


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "syntax"), ("1 +", "syntax"), ("a b", "syntax"), ("\0", "syntax"), ("a" * (MAX_CHARACTERS + 1), "long"), ("-" * 30 + "1", "deep"),
        ("a.b", "part"), ("a[0]", "part"), ("'a'", "part"), ("True", "part"), ("1j", "part"), ("9e999", "part"), ("open(1)", "part"),
        ("log(1, 2)", "part"), ("log(x=1)", "part"), ("1 < 2 < 3", "part"), ("a if b else c", "part"), ("lambda: 1", "part"), ("(a := 1)", "part"),
        ("a // b", "part"), ("a % b", "part"), ("a << 9", "part"), ("not a", "part"), ("f'{a}'", "part"), ("*a", "syntax"),
    ],
)  # fmt: skip
def test_refusals(text: str, reason: str) -> None:
    with pytest.raises(BadFormula) as caught:
        tree(text)
    assert caught.value.reason == reason


def test_only_known_names() -> None:
    assert tree("a", frozenset({"a"})) == "a"
    with pytest.raises(BadFormula) as caught:
        tree("a + __proto__", frozenset({"a"}))
    assert (caught.value.reason, caught.value.part) == ("name", "__proto__")


@given(st.text(st.sampled_from("ab1290.+-*/()<>=, \n\\'\"[]{}:@_étimelog"), max_size=MAX_CHARACTERS))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        found = tree(text)
    except BadFormula:
        return
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_every_formula_of_the_registry_is_read() -> None:
    for row in DERIVED:
        tree(row.formula)
        if row.defined:
            tree(row.defined)
    assert all(math.isfinite(count) for count in FUNCTIONS.values())


def test_arrays_are_computed_as_the_language_says() -> None:
    x = np.array([0.0, 1.0, 4.0, np.nan])
    cases: dict[str, list[float]] = {
        "1 / (1 / x)": [np.nan, 1, 4, np.nan], "sqrt(x) - log(x)": [np.nan, 1, 2 - math.log(4), np.nan], "-x ** 2": [0, -1, -16, np.nan],
        "x > 0 and x < 4": [0, 1, 0, 0], "x == 0 or x == 4": [1, 0, 1, 0], "round(x / 2)": [0, 1, 2, np.nan],
        "min(x, 2) + max(x, 2) * 10": [20, 21, 42, np.nan], "abs(1 - x)": [1, 0, 3, np.nan], "10 ** (10 ** (x * 100))": [10, *[np.nan] * 3],
    }  # fmt: skip
    with np.errstate(all="ignore"):
        found = {text: value_of(tree(text), {"x": x}) for text in cases}
    for text, expected in cases.items():
        np.testing.assert_allclose(found[text], expected, err_msg=text)
