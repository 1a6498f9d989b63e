"""Messages speak as ``docs/voice.md`` says, as far as a pattern can tell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest
from babel.messages.pofile import read_po
from django.conf import settings

CATALOGUE = Path(settings.BASE_DIR) / "config/locale/zh_Hans/LC_MESSAGES/django.po"

#: English that sounds translated.
ENGLISH: Final = {
    "stand": r"\b(stands?|stood|standing)\b",
    "beside": r"\bbesides?\b",
    "whose": r"\bwhose\b",
    "whoever": r"\b(whatever|whoever|whom|thereof)\b",
    "so many": r"\bso many\b",
    "in a while": r"\bin a while\b",
    "at all": r"\bat all\b(?! times)",
    "let go of": r"\blet go of\b",
    "that was": r"\bthat (was|were)\b",
    "of the player": r"\bof the player\b(?!['’]s| this)",
    "the game of": r"\bthe game of\b",
    "there is … that": r"\bthere (is|are|was|were) (?!no )[^.?]* that\b",
    "who as a subject": r"(^|[.;:] )(who|whoever) (?!.*\?)",
    "is held to be": r"\bheld to be\b",
    "for good": r"\bfor good\b",
    "staff": r"\bstaff\b",
    "letter": r"\b(a|the) letter (?!of)|\bletters? (sent|with)\b",
    "fingers": r"(?<!two )\bfingers\b",
    "own board": r"\bown board\b|\bone's own\b",
    "opens around": r"\bopens? around\b",
    "double click": r"\bdouble[- ]clicks?\b",
    "cannot be": r"\bcannot be\b",
}  # fmt: skip
#: Chinese that sounds translated, or another word than the one of ``docs/voice.md``.
CHINESE: Final = {
    "您": "您",
    "工作人员": "工作人员|管理人员",
    "棋盘": "棋盘|盘面",
    "账户": "账户",
    "访客": "访客(?!$)",
    "插旗": "插旗|旗帜",
    "猜测": "猜测",
    "首击": "首击",
    "地雷": "地雷",
    "个人最佳": "个人最佳",
    "份录像": "份录像",
    "被": "被",
    "的……的……的": r"的[^，。；：、！？（）“”\s]*的[^，。；：、！？（）“”\s]*的",
    "进行": "进行(?!于|中|$)[^，。；：！？]{0,3}(排名|计算|比较|分析|检查|操作的)",
    "对于": "对于|至于",
    "...": r"\.\.\.",
    "two spaces": "[\u4e00-\u9fff]  |\\S  [\u4e00-\u9fff]",
}  # fmt: skip
#: Uses that have a reason, by pattern and message.
ALLOWED: Final[Mapping[tuple[str, str], str]] = {}
_PLACEHOLDER: Final = re.compile(r"%\(\w+\)[sd]|\{\w+\}")
#: A value directly before what may be its plural noun.
_COUNTED: Final = re.compile(r"(?<![\w-])(?:%\((\w+)\)[sd]|\{(\w+)\}) (?!(?:s|ms|is|has|was|does|as|its)\b)[a-z]+s\b")
#: Values that are never 1, and words: limits, settings, names, numbers with decimals.
NEVER_ONE: Final = frozenset({
    "date", "days", "formats", "limit", "max_cells", "max_files", "max_statuses", "most", "most_common", "number", "path", "players",
    "ratio", "shown_mines", "statistics",
})  # fmt: skip
#: Messages with a value that is never 1 there, and why.
MANY: Final[Mapping[str, str]] = {
    "%(count)s years": "with a decimal",
    "%(games)s games affected": "told from two on",
    "The analysis was started %(attempts)s times and never finished.": "the most attempts",
    "The file's seal is %(size_bytes)s bytes long; its program never writes that length.": "a seal has many",
}
#: In a help text of a model, where another sign is a migration.
CURLY: Final = ("Bechtel’s Board",)


def messages() -> Iterator[tuple[tuple[str, ...], str]]:
    """The English forms and the Chinese of each message."""
    with CATALOGUE.open("rb") as file:
        for message in read_po(file, locale="zh_Hans"):
            if message.id:
                ids = (message.id,) if isinstance(message.id, str) else tuple(message.id)
                yield ids, message.string if isinstance(message.string, str) else (message.string or [""])[0]


def giveaways(text: str, patterns: Mapping[str, str]) -> list[str]:
    return [name for name, pattern in patterns.items() if re.search(pattern, text, re.IGNORECASE)]


def test_english_does_not_sound_translated() -> None:
    found = {(name, ids[0]) for ids, _chinese in messages() for text in ids for name in giveaways(text, ENGLISH)}
    assert found == ALLOWED.keys()  # a use that is gone needs no reason


def test_chinese_does_not_sound_translated() -> None:
    assert [(name, text) for _ids, text in messages() for name in giveaways(text, CHINESE)] == []


def lacks_plural(ids: tuple[str, ...]) -> bool:
    """Tell if a message has one value, directly before a plural noun, and no form for one of them."""
    if len(ids) > 1 or len(_PLACEHOLDER.findall(ids[0])) != 1:
        return False
    counted = _COUNTED.search(ids[0])
    return counted is not None and (counted[1] or counted[2]) not in NEVER_ONE


def test_what_is_counted_has_a_form_for_one() -> None:
    assert {ids[0] for ids, _chinese in messages() if lacks_plural(ids)} == MANY.keys()


def test_apostrophes_are_straight() -> None:
    texts = (text for ids, _chinese in messages() for text in ids)
    assert [text for text in texts if "’" in text and not text.startswith(CURLY)] == []


@pytest.mark.parametrize(
    ("ids", "lacks"),
    [
        (("%(mines)s mines",), True), (("{done} swaps left",), True), (("%(mines)s mine", "%(mines)s mines"), False),
        (("Mines: %(mines)s",), False), (("At most %(limit)s lines.",), False), (("No sub-%(n)s games yet.",), False),
        (("%(time)s s",), False), (("%(one)s cells of %(all)s",), False),
    ],
)  # fmt: skip
def test_a_missing_plural_is_found(ids: tuple[str, ...], lacks: bool) -> None:
    assert lacks_plural(ids) == lacks


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The room stands on this page.", "stand"), ("The day is beside it.", "beside"),
        ("Better than 9 other games of the player", "of the player"), ("Who had no result is not listed.", "who as a subject"),
        ("There is a flag that you set.", "there is … that"), ("The answer comes in a letter with a link.", "letter"),
    ],
)  # fmt: skip
def test_english_giveaways_are_found(text: str, name: str) -> None:
    assert name in giveaways(text, ENGLISH)


@pytest.mark.parametrize(
    "text",
    [
        "Next to it", "Tap with two fingers", "Letters, digits and . _ - + @", "One of the player's games is final.",
        "Who can join?", "There are no replays that match.", "Beat the best of the player this one was merged into",
    ],
)  # fmt: skip
def test_plain_english_passes(text: str) -> None:
    assert giveaways(text, ENGLISH) == []


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("您的录像", "您"), ("文件将被保留。", "被"), ("由本站的在开局前的定下的数字", "的……的……的"), ("并进行排名。", "进行"),
        ("稍候...", "..."),
    ],
)  # fmt: skip
def test_chinese_giveaways_are_found(text: str, name: str) -> None:
    assert name in giveaways(text, CHINESE)


@pytest.mark.parametrize("text", ["显示为“进行于”。", "对局进行中", "你的录像的页面，他的文件", "关于局面的解答"])
def test_plain_chinese_passes(text: str) -> None:
    assert giveaways(text, CHINESE) == []
