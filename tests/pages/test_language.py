"""The Chinese catalogue is complete and well formed, and is used for visitors who want it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po
from django.conf import settings
from django.template.base import Lexer, TokenType
from django.template.loader import get_template
from django.templatetags.i18n import BlockTranslateNode
from django.test import Client
from django.utils import translation
from django.utils.translation import trim_whitespace

from analysis.sources import SOURCES
from analysis.statistics import GROUPS, STATISTICS
from players.models import User
from replays.models import Replay
from replays.trust import reasons
from replays.trust.judging import findings
from replays.trust.judging.findings import finding_sentence
from tests.pages.html import Document

ROOT = Path(settings.BASE_DIR)
CATALOGUE = ROOT / "config/locale/zh_Hans/LC_MESSAGES/django.po"
TEMPLATES = sorted((ROOT / "templates").rglob("*.html")) + sorted((ROOT / "templates").rglob("*.txt"))
#: Names of statistics that are the same in every language are not marked for translation.
_SAME = re.compile(r"[A-Z]+( \(2023\))?|s|px|ms|1/s|")
_QUOTED = re.compile(r"""(?=(["'])(.*?)\1)""")  # also inside an attribute's quotes
_LITERAL = re.compile(r"""^(?:translate|trans) +(?P<quote>["'])(?P<text>.*?)(?P=quote)""")
_MARKS = {"_": None, "gettext": None, "gettext_lazy": None, "gettext_noop": None, "ngettext": (1, 2)}
_MARKED = re.compile(rf"\b({'|'.join(_MARKS)})\s*\(")
_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[sd]")


@pytest.fixture(scope="module")
def catalogue() -> Catalog:
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="zh_Hans")


def translated(catalogue: Catalog, text: str) -> bool:
    message = catalogue.get(text)
    return message is not None and bool(message.string) and not message.fuzzy


def template_texts() -> Iterator[tuple[str, str]]:
    """Every text that a template marks for translation, except those of blocks."""
    for path in TEMPLATES:
        for token in Lexer(path.read_text()).tokenize():
            found = _LITERAL.match(token.contents) if token.token_type == TokenType.BLOCK else None
            if found:
                yield path.name, found["text"]


def template_blocks() -> Iterator[tuple[str, list[str]]]:
    """Every text of a ``blocktranslate``, singular and plural together, with the names of its values."""
    for path in TEMPLATES:
        if path.parent.name == "rows":  # Jinja2, which has no such tag
            continue
        template: Any = get_template(str(path.relative_to(ROOT / "templates")))
        for node in template.template.nodelist.get_nodes_by_type(BlockTranslateNode):
            for tokens in filter(None, (node.singular, node.plural)):
                text, names = node.render_token_list(tokens)
                yield (trim_whitespace(text) if node.trimmed else text), names


def test_nothing_is_left_untranslated(catalogue: Catalog) -> None:
    unfinished = [message.id for message in catalogue if message.id and (message.fuzzy or not message.string)]
    assert unfinished == []


def test_translations_have_the_same_placeholders(catalogue: Catalog) -> None:
    for message in catalogue:
        if not message.id:
            continue
        source = message.id if isinstance(message.id, str) else message.id[0]
        target = message.string if isinstance(message.string, str) else (message.string or [""])[0]
        assert sorted(_PLACEHOLDER.findall(source)) == sorted(_PLACEHOLDER.findall(target)), source


def test_templates_are_in_the_catalogue(catalogue: Catalog) -> None:
    marked = list(template_texts())
    assert len(marked) > 200
    assert [(name, text) for name, text in marked if not translated(catalogue, text)] == []


def test_blocks_of_templates_are_in_the_catalogue_and_take_their_values(catalogue: Catalog) -> None:
    """Django shows the English text for a translation that cannot take them, such as one with a single ``%``."""
    forms: dict[str, str] = {}
    for message in catalogue:
        ids, strings = ([one] if isinstance(one, str) else list(one or ()) for one in (message.id, message.string))
        forms |= dict.fromkeys(ids, strings[-1])
    blocks = list(template_blocks())
    assert len(blocks) > 200
    for text, names in blocks:
        assert text in forms
        assert forms[text] % dict.fromkeys(names, 1), text


def code_texts() -> Iterator[tuple[str, str]]:
    """Every text that the code marks for translation; of plural forms the first."""
    for package in ("analysis", "config", "players", "replays"):
        for path in (ROOT / package).rglob("*.py"):
            if _MARKED.search(path.read_text(encoding="utf-8")):  # extracting takes long
                for _line, text, _comments, _context in extract_from_file("python", path, keywords=_MARKS):
                    yield str(path), text if isinstance(text, str) else text[0]


def test_texts_of_the_code_are_in_the_catalogue(catalogue: Catalog) -> None:
    marked = list(code_texts())
    assert len(marked) > 300
    assert {(path, text) for path, text in marked if not translated(catalogue, text)} == set()


def source_texts() -> Iterator[str]:
    """Every text of the code and the templates that a message could be; of migrations none."""
    for package in ("analysis", "config", "players", "replays"):
        for path in (ROOT / package).rglob("*.py"):
            if path.parent.name != "migrations":
                nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
                yield from (
                    node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
                )
    for path in TEMPLATES:
        yield from (found[2] for found in _QUOTED.finditer(path.read_text(encoding="utf-8")))
    yield from (text for text, _names in template_blocks())


@pytest.mark.long(beside="tests/pages/test_language.py::test_chinese_has_full_width_punctuation")
def test_every_message_has_a_source(catalogue: Catalog) -> None:
    texts = set(source_texts())
    ids = [message.id if isinstance(message.id, str) else message.id[0] for message in catalogue if message.id]
    assert [text for text in ids if text not in texts] == []


def test_registry_is_in_the_catalogue(catalogue: Catalog) -> None:
    texts = {text for row in STATISTICS for text in (row.label, row.doc, row.undefined, row.unit)}
    texts |= set(GROUPS) | {text for source in SOURCES for text in (source.name, source.title)}
    assert [text for text in texts if not _SAME.fullmatch(text) and not translated(catalogue, text)] == []


def test_reasons_and_findings_are_in_the_catalogue(catalogue: Catalog) -> None:
    texts = {*reasons.SENTENCES.values(), *chain(*findings.SENTENCES.values()), *findings.WORDS.values()}
    assert [text for text in texts if not translated(catalogue, text)] == []


def test_pages_in_chinese(game: Replay, client: Client) -> None:
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    for address, words in (
        ("/", ("每一局都算数", "全部排行榜")),
        ("/leaderboards/beginner/time/", ("排行榜", "初级", "用时")),
        (game.get_absolute_url(), ("有效点击", "岛屿", "数字为 3 的格数", "贪心 ZiNi（按列）", "FL")),
        ("/statistics/", ("越低越好", "既不属于空、也不挨着空")),
        ("/nothing/", ("这里什么都没有",)),
        ("/records/?level=hard", ("无法处理这个请求", "可选的值")),
    ):
        page = Document(client.get(address).content.decode())
        assert page.all("html")[0]["lang"] == "zh-Hans"
        for word in words:
            assert word in page.text, (address, word)


def test_language_of_the_browser_is_followed(db: None, client: Client) -> None:
    assert "排行榜" in client.get("/", headers={"Accept-Language": "zh-CN,zh;q=0.9"}).content.decode()


def test_the_chosen_language_is_stored_in_a_cookie(db: None, client: Client) -> None:
    response = client.post("/language/", {"language": "zh-hans", "next": "/replays/?level=expert"})
    assert response.headers["Location"] == "/replays/?level=expert"
    assert "录像" in client.get("/replays/").content.decode()
    response = client.post("/language/", {"language": "en", "next": "https://evil.example/"})
    assert response.headers["Location"] == "/"


def test_the_chosen_language_is_stored_in_the_account(owner: User, owner_client: Client) -> None:
    owner_client.post("/language/", {"language": "zh-hans", "next": "/"})
    owner.refresh_from_db()
    assert owner.language == "zh-hans"
    owner_client.cookies.clear()
    owner_client.force_login(owner)
    assert "排行榜" in owner_client.get("/").content.decode()
    assert owner_client.post("/language/", {"language": "tlh", "next": "/"}).status_code == 302
    owner.refresh_from_db()
    assert owner.language == "zh-hans"


@pytest.mark.parametrize(
    ("code", "params", "shown"),
    [
        ("bv_differs", {"claimed": 22, "actual": 24}, "文件里记的3BV是 22，重放得出的是 24。"),
        ("result_differs", {"claimed": "won", "actual": "lost"}, "文件里记的结果是 胜，重放得出的是 负。"),
        ("time_goes_back", {"late": 3}, "3 个事件的时间比前一个事件还早，已按前一个事件的时间算。"),
        ("stamp_level", {"level": "%(x)s", "stamp": "100%"}, "级别为 %(x)s，但时间戳写的是 100%。"),
        (
            "level_unknown",
            {"level": "won"},
            "无法识别级别 won，级别只看雷盘。",
        ),  # a text of the file is no word of ours
    ],
)
def test_findings_are_worded_in_the_readers_language(code: str, params: dict[str, object], shown: str) -> None:
    assert finding_sentence(code, params).isascii()
    with translation.override("zh-hans"):
        assert finding_sentence(code, params) == shown


#: Half-width punctuation beside a Chinese character, or parentheses around a value: Chinese text has full-width forms.
#: "?" and "." alone are signs of cells.
_HALF_WIDTH = re.compile(r"[\u4e00-\u9fff][,;:!(?]|[,;:!)][\u4e00-\u9fff]|(?<!P)\(\x00\)")


def test_chinese_has_full_width_punctuation(catalogue: Catalog) -> None:
    found = []
    for message in catalogue:
        texts = [message.string] if isinstance(message.string, str) else list(message.string or ())
        found += [text for text in texts if message.id and _HALF_WIDTH.search(_PLACEHOLDER.sub("\0", text))]
    assert found == []
