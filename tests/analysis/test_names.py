"""Names as people see them: hidden characters, and names that look the same."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.names import (
    _prototypes,
    canonical,
    folded,
    hidden_characters,
    shown_name,
    skeleton,
    without_accents,
)
from tests.effort import examples

HONEST = [
    "Ann", "Wang Jianing", "张伟", "張偉", "雷神", "Zoé", "Zoe\u0301", "Łukasz", "Straße", "Дмитрий", "נועם", "علی",
    "می\u200cروم", "❤\ufe0f Ann", "👩\u200d💻", "🏳\ufe0f\u200d🌈", "", "a b", "全角　空格", "\U0002ebf0", "\U00031350",
]  # fmt: skip


@pytest.mark.parametrize("name", HONEST)
def test_honest_names_are_shown_as_they_are(name: str) -> None:
    assert shown_name(name) == name
    assert not hidden_characters(name)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("ann\u202egnp.exe", "ann⟨U+202E⟩gnp.exe"),  # right-to-left override
        ("\u200bAnn", "⟨U+200B⟩Ann"),
        ("Ann\u200d", "Ann⟨U+200D⟩"),
        ("A\u200cn", "A⟨U+200C⟩n"),  # a non-joiner without use
        ("A\ufe0fn", "A⟨U+FE0F⟩n"),
        ("\u3164", "⟨U+3164⟩"),
        ("\u2800\u200d\u2800", "⟨U+2800⟩⟨U+200D⟩⟨U+2800⟩"),
        ("A\x07\x1b[31m", "A⟨U+0007⟩⟨U+001B⟩[31m"),
        ("A\U000e0041", "A⟨U+E0041⟩"),  # a letter of the tags, which nobody sees
        ("A\u2028B", "A⟨U+2028⟩B"),
        ("A\U0010ffff", "A⟨U+10FFFF⟩"),
        ("A\udc80", "A⟨U+DC80⟩"),
    ],
)
def test_hidden_characters_are_written_out(name: str, shown: str) -> None:
    assert shown_name(name) == shown
    assert hidden_characters(name)


@given(st.text(max_size=30))
@settings(max_examples=examples(200), deadline=None)
def test_what_is_shown_hides_nothing(name: str) -> None:
    assert hidden_characters(shown_name(name)) == []
    assert not any(unicodedata.category(char) == "Cc" for char in folded(name) + skeleton(name))


ALIKE = [
    ("Ann", "\u0410nn"),  # Cyrillic
    ("paypaI", "раура\u04c0"),
    ("Bob1", "Bobl"),
    ("O0", "0O"),
    ("modern", "rnodern"),
    ("Ann 1", "Ａnn １"),  # full width
    ("Øle", "O\u0338le"),
    ("Ann Lee", "Ann\u00a0Lee"),
    ("Ann Lee", "Ann  Lee"),
    ("Ann", "A\u200bnn"),
    ("Zoé", "Zoe\u0301"),
    ("二二", "ニニ"),  # Han, Katakana
]
#: Names of different people; in some scripts they differ by a stroke.
DIFFERENT = [
    ("Tim", "Tom"), ("Ann", "Anna"), ("Ann", "ann"), ("Player 1", "Player 2"), ("Kim", "Jim"), ("Łukasz", "Lukasz"),
    ("Zoé", "Zoe"), ("张伟", "張偉"), ("刘洋", "劉洋"), ("王伟", "玉伟"), ("未来", "末来"), ("己", "已"), ("人", "入"),
    ("日", "曰"), ("干", "千"), ("李明", "李鸣"), ("陈", "陳"), ("wangwei", "wangwie"),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_look_alikes_have_one_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_names_have_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


def test_skeletons_are_their_own_skeletons() -> None:
    """Else a name would be told from another by the way in which it was copied."""
    assert [char for char in _prototypes() if skeleton(skeleton(char)) != skeleton(char)] == []


def test_the_same_letter_from_every_alphabet_is_one() -> None:
    assert {skeleton(char) for char in "lI1|ІӀ׀Ⅰ１𝐥"} == {skeleton("l")}


# --- searching and comparing ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("Zoë Roböt", "zoe robot"),
        ("Zoe\u0308  Robo\u0308t", "zoe robot"),
        ("Łukasz Żółć", "lukasz zolc"),
        ("Søren Đorđević", "soren dordevic"),
        ("IŞIK ığdır İzmir", "isik igdir izmir"),
        ("Ægir Þórður Œuvre Straße", "aegir thordur oeuvre strasse"),
        ("Nguyễn Ơn", "nguyen on"),
        ("Андрей Ёлкин", "андреи елкин"),
        ("Ґалаґан", "галаган"),
        ("Ἀλέξανδρος", "αλεξανδροσ"),
        ("أحمد", "احمد"),
        ("שָׁלוֹם", "שלום"),
        ("김민수", "김민수"),
        ("ﾊﾟﾋﾟ", "ハヒ"),
        ("雷神", "雷神"),
        ("\u0301", ""),
        ("Ann", "ann"),
    ],
)
def test_searching_leaves_out_accents(name: str, plain: str) -> None:
    assert without_accents(name) == plain == without_accents(plain)


@given(st.text(max_size=30))
@settings(max_examples=examples(200), deadline=None)
def test_texts_without_accents_have_none(name: str) -> None:
    plain = without_accents(name)
    assert without_accents(plain) == plain == without_accents(unicodedata.normalize("NFD", name))
    assert not any(unicodedata.category(char) == "Mn" for char in plain)


@pytest.mark.parametrize(
    ("spelling", "name"),
    [
        ("Zoe\u0301", "Zoé"),
        ("Ann   Lee", "Ann Lee"),
        (" Ann\u00a0Lee\u3000", "Ann Lee"),
        ("A\u030angstro\u0308m \u212b", "Ångström Å"),
        ("\u1100\u1161", "가"),
        ("\uf914", "樂"),
    ],
)
def test_equal_names_have_one_spelling(spelling: str, name: str) -> None:
    assert canonical(spelling) == name == canonical(name)


@pytest.mark.parametrize(
    ("one", "other"), [*DIFFERENT, ("Ann", "\u0410nn"), ("Ann", "A\u200bnn"), ("Ann 1", "Ａnn １")]
)
def test_names_that_only_look_alike_keep_their_spelling(one: str, other: str) -> None:
    """Somebody who imitates a name by an accent or another alphabet stays another player, whom the skeleton finds."""
    assert canonical(one) != canonical(other)


@given(st.text(max_size=30))
@settings(max_examples=examples(200), deadline=None)
def test_spelling_a_name_changes_nothing_of_its_looks(name: str) -> None:
    assert canonical(canonical(name)) == canonical(name)
    assert skeleton(canonical(name)) == skeleton(name)
