"""Names in ten code pages, with the country of the file and without one: what is read right, what wrong, and why."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest

from analysis import formats
from analysis.countries import code_pages_of, country_code
from analysis.formats.code_pages import CODE_PAGES, guess
from analysis.formats.text import decode, read_name
from tests.encoders import avf
from tests.replays.games import recording
from tests.shared_files import SHARED, needs_shared

#: Letters that two pages have at the same places look alike to every rule.
SAME_LETTERS: Final = "both pages have a letter there"
CAPITALS: Final = "Cyrillic capitals are pairs of GB2312, too"
RARE: Final = "no common surname, so it is read as the Chinese that it could be as well"
GREEK: Final = "each word could be Cyrillic as well"
ONE_CASE: Final = "Hebrew has no capitals, and its letters are where Cyrillic small ones are"
OTHER_ASIAN: Final = "the same bytes are a common name in GB2312"

#: Name, code page, country; and if it is misread without the country: how, and why.
NAMES: Final = [
    ("王嘉宁", "gb18030", "CN", "", ""),
    ("张三", "gb18030", "CN", "", ""),
    ("李怡", "gb18030", "CN", "", ""),
    ("欧阳娜娜", "gb18030", "CN", "", ""),
    ("朱镕基", "gb18030", "CN", "", ""),
    ("陈 X", "gb18030", "China", "", ""),
    ("赵敏SB34K2X7", "gb18030", "CN", "", ""),
    ("小雨", "gb18030", "中国", "", ""),
    ("Łukasz Żółć", "cp1250", "PL", "", ""),
    ("Kamil Murański", "cp1250", "PL", "", ""),
    ("Michał Wójcik", "cp1250", "Poland", "", ""),
    ("Jędrzej", "cp1250", "PL", "Jêdrzej", SAME_LETTERS),
    ("Jiří Novák", "cp1250", "CZ", "Jiøí Novák", SAME_LETTERS),
    ("Tomáš Dvořák", "cp1250", "Czech Republic", "Tomáš Dvoøák", SAME_LETTERS),
    ("Ľuboš Kováč", "cp1250", "SK", "", ""),
    ("Erdős Pál", "cp1250", "HU", "Erdõs Pál", SAME_LETTERS),
    ("Đorđe Šarić", "cp1250", "HR", "Ðorðe Šariæ", SAME_LETTERS),
    ("Ştefan Rădulescu", "cp1250", "RO", "", ""),
    ("Иван Петров", "cp1251", "RU", "", ""),
    ("Сергей", "cp1251", "RU", "", ""),
    ("Пётр", "cp1251", "Russia", "", ""),
    ("ИВАН", "cp1251", "RU", "嚷劳", CAPITALS),
    ("Анна", "cp1251", "BY", "", ""),
    ("Олексій Коваленко", "cp1251", "UA", "", ""),
    ("Сергій", "cp1251", "UA", "", ""),
    ("Георги", "cp1251", "BG", "", ""),
    ("Đoković", "cp1250", "RS", "Ðokoviæ", SAME_LETTERS),
    ("Müller", "cp1252", "DE", "", ""),
    ("Jürgen Groß", "cp1252", "AT", "", ""),
    ("François", "cp1252", "FR", "", ""),
    ("René", "cp1252", "FR", "", ""),
    ("Élodie Zoë", "cp1252", "CH", "", ""),
    ("José Núñez", "cp1252", "ES", "", ""),
    ("Åge Ørsted", "cp1252", "DK", "", ""),
    ("São João", "cp1252", "BR", "", ""),
    ("山田太郎", "cp932", "JP", "", ""),
    ("さとう", "cp932", "JP", "", ""),
    ("スズキ", "cp932", "Japan", "", ""),
    ("櫻井", "cp932", "JP", "", ""),
    ("田中abc", "cp932", "JP", "", ""),
    ("ﾀﾅｶ", "cp932", "JP", "ÀÅ¶", SAME_LETTERS),
    ("김철수", "cp949", "KR", "", ""),
    ("이영희", "cp949", "KR", "", ""),
    ("최 민수", "cp949", "South Korea", "", ""),
    ("홍길동", "cp949", "KR", "", ""),
    ("독고탁", "cp949", "KR", "刀绊殴", RARE),
    ("王小明", "cp950", "TW", "", ""),
    ("陳大文", "cp950", "HK", "", ""),
    ("林志玲", "cp950", "Taiwan", "", ""),
    ("張惠妹", "cp950", "TW", "", ""),
    ("李登輝", "cp950", "TW", "", ""),
    ("Νίκος Παπαδόπουλος", "cp1253", "GR", "", ""),
    ("Μαρία", "cp1253", "Greece", "", ""),
    ("Γιώργος", "cp1253", "GR", "Гйюсгпт", GREEK),
    ("Ελένη", "cp1253", "CY", "", ""),
    ("Şükrü", "cp1254", "TR", "Þükrü", SAME_LETTERS),
    ("Çağrı", "cp1254", "Turkey", "Çaðrý", SAME_LETTERS),
    ("İbrahim", "cp1254", "TR", "Ýbrahim", SAME_LETTERS),
    ("דוד", "cp1255", "IL", "гег", ONE_CASE),
    ("Žukauskas", "cp1257", "LT", "Þukauskas", SAME_LETTERS),
    ("Čepaitė", "cp1257", "LT", "Èepaitë", SAME_LETTERS),
    ("สมชาย", "cp874", "TH", "ĘÁŞŇÂ", SAME_LETTERS),
]

#: Names whose code page is not that of their country, in the code page where they are read.
ABROAD: Final = [
    ("王嘉宁", "gb18030", "RU"),
    ("王嘉宁", "gb18030", "PL"),
    ("张伟", "gb18030", "US"),
    ("Müller", "cp1252", "CN"),
    ("François", "cp1252", "JP"),
    ("René", "cp1252", "CN"),
    ("Øystein", "cp1252", "TW"),
    ("Иван Петров", "cp1251", "DE"),
    ("김철수", "cp949", "US"),
    ("张伟", "gb18030", "RU"),
    ("Müller", "cp1252", "RU"),
    ("Größe", "cp1252", "GR"),
    ("Ñandú", "cp1252", "IL"),
    ("Анна", "cp1251", "DE"),
]

#: Names in the code page of their country that are no plain words of it.
DECORATED: Final = [
    *(
        (name, "cp1251", "RU")
        for name in ("Сапёр №1", "«Сапёр»", "Вася™", "ДимОн", "СуперСапёр", "ДиМа", "СоваКоты", "№1")
    ),
    *((name, "cp1251", "UA") for name in ("«Сергій»", "Їжак™", "ЇжакОк", "Козак №1")),
    *((name, "cp1253", "GR") for name in ("«Νίκος»", "Νίκος©", "ΝίΚος")),
    *((name, "cp1255", "IL") for name in ("«דוד»", "דוד™", "“דוד”")),
    *((name, "cp1256", "EG") for name in ("«محمد»", "محمد™")),
    *((name, "cp874", "TH") for name in ("“สมชาย”", "สมชาย•1")),
]

#: Names of Latin letters that other code pages have small letters for, too.
ACCENTS: Final = [
    ("äöü", "cp1252", "DE"),
    ("æøå", "cp1252", "NO"),
    ("åäö", "cp1252", "SE"),
    ("áéíóú", "cp1252", "ES"),
    ("áé", "cp1252", "ES"),
    ("ěščřž", "cp1250", "CZ"),
]

#: Chinese in GBK, without a country: half of the signs or more are in GBK alone, which Big5 and Shift JIS have as well.
GBK: Final = ["王珺", "阎珺", "王珺_expert", "褚珺", "錄像_張偉", "張偉", "陳偉"]


def test_the_table_is_of_sixty_names_in_ten_code_pages() -> None:
    assert len(NAMES) >= 60
    assert len({page for _name, page, *_rest in NAMES}) >= 10


@pytest.mark.parametrize(("name", "page", "country", "misread", "why"), NAMES)
def test_a_name_is_read_by_its_country_and_mostly_without(
    name: str, page: str, country: str, misread: str, why: str
) -> None:
    raw = name.encode(page)
    assert read_name(raw, country)[0] == name
    assert decode(raw) == (misread or name), why
    assert bool(misread) == bool(why)


@pytest.mark.parametrize(("name", "page", "country"), [*DECORATED, *ACCENTS])
def test_the_country_comes_before_the_looks(name: str, page: str, country: str) -> None:
    assert read_name(name.encode(page), country) == (name, page)


@pytest.mark.parametrize("name", GBK)
def test_chinese_names_outside_gb2312(name: str) -> None:
    assert decode(name.encode("gbk")) == name


@pytest.mark.parametrize(("name", "page", "country"), ABROAD)
def test_players_live_abroad(name: str, page: str, country: str) -> None:
    assert read_name(name.encode(page), country) == (name, page)


@pytest.mark.parametrize(("name", "country"), [("Ann", "PL"), ("Łukasz", "PL"), ("王嘉宁", "")])
def test_ascii_and_utf_8_are_no_guesses(name: str, country: str) -> None:
    assert read_name(name.encode(), country) == (name, "")


def test_two_chinese_signs_in_a_latin_word_are_no_chinese() -> None:
    assert read_name("Kamil Murański".encode("cp1250")) == ("Kamil Murański", "cp1250")
    assert read_name("Kovář".encode("cp1250"), "CZ")[0] == "Kovář"  # its last two bytes are a pair of GB2312


@pytest.mark.parametrize("page", CODE_PAGES)
def test_every_page_to_choose_exists(page: str) -> None:
    assert "Ann".encode(page) == b"Ann"


def test_the_table_of_countries_has_the_pages_of_the_list() -> None:
    for page in CODE_PAGES[2:]:
        assert any(
            page in code_pages_of(code)
            for code in ("PL", "RU", "GR", "TR", "IL", "EG", "LT", "VN", "TH", "CN", "TW", "JP", "KR")
        )


@pytest.mark.parametrize(
    ("stated", "code"),
    [("PL", "PL"), ("pl", "PL"), ("Poland", "PL"), ("波兰", "PL"), ("Polska", "PL"), ("中国", "CN"), ("UK", "GB"), ("USA", "US"),
     ("Deutschland", "DE"), ("XX", ""), ("", ""), ("Atlantis", "")],
)  # fmt: skip
def test_countries_are_known_by_letters_and_names(stated: str, code: str) -> None:
    assert country_code(stated) == code


@pytest.mark.parametrize(
    ("country", "name", "page"),
    [("PL", "Jędrzej", "cp1250"), ("RU", "ИВАН", "cp1251"), ("JP", "ﾀﾅｶ", "cp932"), ("KR", "독고탁", "cp949")],
)
def test_avf_tells_by_its_country_byte(country: str, name: str, page: str) -> None:
    game = replace(recording(), player_bytes=name.encode(page), country=country)
    events = game.events.copy()
    events["time_ms"] = events["time_ms"] // 10 * 10
    read = formats.read(avf.encode(replace(game, events=events)))
    assert (read.player, read.player_encoding, read.country) == (name, page, country)


@needs_shared
def test_the_case_of_a_polish_name() -> None:
    read = formats.read((SHARED / "cases" / "name_cp1250.avf").read_bytes())
    assert (read.player, read.player_encoding) == ("Łukasz Żółć", "cp1250")


def test_the_guess_decodes_what_it_is_of() -> None:
    assert guess(b"\x81") == "latin-1"
