"""Guessing the code page of a name, by the country that the file states and by what names look like.

No guess is certain: a name of two letters may be right in several code pages.  What speaks for one:

country
    its own code page, if the name looks like one there: whole words of one script, in capitals as words have them;
    with a script of its own also any other capitals and signs, unless the letters are torn from a Latin word
pairs
    GB2312, whose bytes come in pairs above 0xA0, and only if no single Chinese sign touches a Latin letter
surnames
    the common ones of China and Korea, whose codes are the same bytes
faults
    signs inside a word that no name has: the Western code page makes them of the letters of another one
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from analysis.countries import code_pages_of, country_code

UTF8: Final = "utf-8"
WESTERN: Final = "cp1252"
_CHINESE, _JAPANESE, _KOREAN, _TRADITIONAL = "gb18030", "cp932", "cp949", "cp950"
_EAST_ASIAN: Final = frozenset({_CHINESE, _JAPANESE, _KOREAN, _TRADITIONAL})
#: Code pages of one byte a letter with a script of their own, by its name in Unicode.
_SCRIPTS: Final = {
    "cp1251": "CYRILLIC",
    "cp866": "CYRILLIC", "cp1253": "GREEK", "cp1255": "HEBREW", "cp1256": "ARABIC", "cp874": "THAI",
}  # fmt: skip
#: All that a name may be read in, for people to choose from.
CODE_PAGES: Final = (
    UTF8, WESTERN, "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp874",
    _CHINESE, _TRADITIONAL, _JAPANESE, _KOREAN,
)  # fmt: skip

_HIGH: Final = re.compile(r"[^\x00-\x7f]+")
#: Signs between the letters of a name.
_MARKS: Final = "’‘·–"
#: A shorter run of letters that touches Latin ones is more likely a part of their word.
_LEAST_LETTERS: Final = 3
#: The most common surnames, which four of five people have.
_CHINESE_SURNAMES: Final = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖"
    "贾夏韦付方白邹孟熊秦邱江尹薛闫阎段雷侯龙史陶黎贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
    "張劉陳楊黃趙吳孫馬羅鄭謝許韓馮鄧蕭葉蘇魏呂盧鍾鐘譚陸賈韋鄒閻龍賀顧龔萬錢嚴湯"
)
_KOREAN_SURNAMES: Final = frozenset(
    "김이박최정강조윤장임한오서신권황안송류홍전고문손양배백허유남심노하곽성차주우구민나진지엄채원천방공현함변염"
)
#: Letters that Ukrainian and Belarusian have besides.
_CORE_CYRILLIC: Final = re.compile("[А-Яа-яЁё]")
#: An unbroken run of letters with accents is rarely this long in a Latin name, unless all its accents are of one kind.
_LEAST_LETTERS_ABROAD: Final = 4
#: Polish, never Spanish: the letter before a consonant or at the end of a word.
_POLISH_N: Final = re.compile("ñ(?![aeiouáéíóúü])", re.IGNORECASE)


def guess(raw: bytes, country: str = "", *, is_utf8: bool | None = None) -> str:
    """Return the likeliest encoding of ``raw``, which decodes it; "latin-1" if there is no other.

    ``country``: as the file states it.  ``is_utf8``: what the file states, if it does.
    """
    if raw.isascii() or (is_utf8 is not False and _fits(raw, UTF8)):
        return UTF8
    return next(page for page in _candidates(raw, country, is_utf8) if _fits(raw, page))


def guess_in_zip(raw: bytes) -> str:
    """Return the likeliest encoding of a file name in an archive that does not say that it is UTF-8; it is never certain.

    Archives have the code pages of DOS: those of East Asia are the same, CP437 decodes any bytes.
    """
    if _fits(raw, UTF8):
        return UTF8
    if _is_in_script(raw, "cp866", certain=True):  # as Chinese it would be rare signs alone
        return "cp866"
    if _is_gb2312(raw):
        return _CHINESE
    return next(_common_east_asian(raw), "cp437")


def _candidates(raw: bytes, country: str, is_utf8: bool | None) -> Iterator[str]:
    """Yield code pages that the name speaks for, the likeliest first."""
    own = code_pages_of(country)
    yield from (page for page in own if _is_word_of(page, raw))
    yield from _by_surname(raw)
    yield from (page for page in own if page in _SCRIPTS and _may_be_in_script(raw, page))
    is_latin = bool(country_code(country)) and not any(page in _SCRIPTS or page in _EAST_ASIAN for page in own)
    if not (is_latin and _is_plainly_latin(raw, own[0] if own else WESTERN)):
        yield from _by_evidence(raw)
    if is_utf8 is False:  # it may happen to be, all the same
        yield UTF8
    yield from (page for page in own if page not in _SCRIPTS and page not in _EAST_ASIAN)
    if country_code(country) and not own:
        yield WESTERN
    else:
        latin = min((WESTERN, "cp1250"), key=lambda page: _faults(raw, page))
        if _faults(raw, latin):
            yield from _common_east_asian(raw)
        yield latin
    yield from (WESTERN, "latin-1")


def _is_word_of(page: str, raw: bytes) -> bool:
    """Return whether ``raw`` looks like a name in the ``page`` of its country, whose script is not the Latin one."""
    if page in _SCRIPTS:
        return _is_in_script(raw, page)
    return page in _EAST_ASIAN and _is_east_asian(raw, page)


def _by_surname(raw: bytes) -> Iterator[str]:
    """Yield code pages in which the name begins with a common surname."""
    if _is_gb2312(raw) and _first_sign(raw, _CHINESE) in _CHINESE_SURNAMES:
        yield _CHINESE
    if _is_korean(raw):
        yield _KOREAN


def _by_evidence(raw: bytes) -> Iterator[str]:
    """Yield code pages for which a name without common surname speaks."""
    yield from (page for page in ("cp1251", "cp1253") if _is_in_script(raw, page, certain=True))
    if _is_gb2312(raw):
        yield _CHINESE


# --- scripts of one byte a letter -------------------------------------------------------------------------------------


def _is_in_script(raw: bytes, page: str, *, certain: bool = False) -> bool:
    """Return whether all that is not ASCII is words of the page's script.

    ``certain``: no words in capitals, whose bytes are those of Chinese signs as well, and three letters at least.
    """
    text = _decoded(raw, page)
    if text is None:
        return False
    text = text.translate(dict.fromkeys(map(ord, _MARKS), " "))
    runs = list(_HIGH.finditer(text))
    return bool(runs) and all(_is_run_in_script(run, page, certain=certain) for run in runs)


def _is_run_in_script(run: re.Match[str], page: str, *, certain: bool) -> bool:
    word = run[0]
    if certain and not word.isalpha():
        return False
    if not all(_is_sign_of(sign, page) for sign in word):
        return False
    if _touches_latin(run) and len(word) < _LEAST_LETTERS:
        return False
    if certain:
        letters = _CORE_CYRILLIC.findall(word) if page == "cp1251" else word
        return len(letters) >= _LEAST_LETTERS and (word.istitle() or word.islower())
    return word.istitle() or word.islower() or word.isupper() or word.lower() == word.upper() or _is_camel_case(word)


def _is_camel_case(word: str) -> bool:
    """Return whether these are words of three letters at least, written together: СуперСапёр."""
    ends = [at for at in range(1, len(word)) if word[at - 1].islower() and word[at].isupper()]
    parts = [word[begin:end] for begin, end in pairwise((0, *ends, len(word)))]
    return all(len(part) >= _LEAST_LETTERS and (part.istitle() or part.islower()) for part in parts)


def _may_be_in_script(raw: bytes, page: str) -> bool:
    """Return whether all letters that are not ASCII are of the page's script, and none are torn from a Latin word.

    Capitals and signs may stand anywhere: ДимОн, «Сапёр», Вася™.
    """
    text = _decoded(raw, page)
    if text is None or any(_is_foreign(sign, page) for sign in text):
        return False
    apart = "".join(sign if sign.isascii() or _is_sign_of(sign, page) else " " for sign in text)
    return not any(len(run[0]) < _LEAST_LETTERS and _touches_latin(run) for run in _HIGH.finditer(apart))


def _is_sign_of(sign: str, page: str) -> bool:
    return unicodedata.name(sign, "").startswith(_SCRIPTS[page])


def _is_foreign(sign: str, page: str) -> bool:
    return sign.isalpha() and not sign.isascii() and not _is_sign_of(sign, page)


# --- pairs of bytes ---------------------------------------------------------------------------------------------------


def _is_gb2312(raw: bytes) -> bool:
    """Return whether all high bytes are pairs of GB2312, with a Chinese sign, and none that is alone touches a Latin letter.

    Several signs may touch one: codes of the site and of tournaments are put behind names.
    """
    text = _decoded(raw, "gb2312")
    runs = [] if text is None else list(_HIGH.finditer(text))
    return any(map(_is_han, text or "")) and not any(len(run[0]) == 1 and _touches_latin(run) for run in runs)


def _is_east_asian(raw: bytes, page: str) -> bool:
    """Return whether the name looks like one of a country of this page: no single sign is a part of a Latin word."""
    text = _decoded(raw, page)
    runs = [] if text is None else list(_HIGH.finditer(text))
    return bool(runs) and all(run[0].isprintable() and not _is_torn(run, page) for run in runs)


def _is_torn(run: re.Match[str], page: str) -> bool:
    """Return whether a single sign is more likely a high letter, or one with the ASCII letter behind it."""
    if len(run[0]) > 1 or not _touches_latin(run):
        return False
    code = run[0].encode(page)
    is_inside = _is_latin(run.string[run.start() - 1 : run.start()]) and _is_latin(
        run.string[run.end() : run.end() + 1]
    )
    return is_inside or len(code) == 1 or (code[0] > 0xA0 and code[-1] < 0x80)


def _is_korean(raw: bytes) -> bool:
    """Return whether each run is two to four syllables, the first of them a surname; blanks may be behind it."""
    text = _decoded(raw, "euc_kr") or ""
    first = _HIGH.search(text)
    if first is None or first[0][0] not in _KOREAN_SURNAMES:
        return False
    signs = "".join(_HIGH.findall(text))
    return 2 <= len(signs) <= 4 and all("가" <= sign <= "힣" for sign in signs)


def _common_east_asian(raw: bytes) -> Iterator[str]:
    """Yield code pages in which half of the signs at least are common: Japanese, then the Chinese one of the larger part."""
    if _has_chinese_surname(raw):
        yield _CHINESE
    chinese = sorted((_TRADITIONAL, _CHINESE), key=lambda page: _common_part(raw, page), reverse=True)
    yield from (page for page in (_JAPANESE, *chinese) if _common_part(raw, page) >= (0.5, False))


def _has_chinese_surname(raw: bytes) -> bool:
    """Return whether all is Chinese in GBK, and a word of two to four signs begins with a common surname."""
    words = _han_and_kana(raw, _CHINESE)
    is_han = all(map(_is_han, "".join(words)))
    return is_han and any(2 <= len(word) <= 4 and word[0] in _CHINESE_SURNAMES for word in words)


def _common_part(raw: bytes, page: str) -> tuple[float, bool]:
    """Return how many of the signs, from 0 to 1, are common ones of the page, and whether the first is."""
    common = [_is_common(sign, page) for sign in "".join(_han_and_kana(raw, page))]
    return (sum(common) / len(common), common[0]) if common else (0.0, False)


def _han_and_kana(raw: bytes, page: str) -> list[str]:
    """Return the runs of signs that are not ASCII; none if one is no East Asian letter, or alone touches a Latin one."""
    runs = list(_HIGH.finditer(_decoded(raw, page) or ""))
    if not all(_is_han(sign) or _is_kana(sign) for run in runs for sign in run[0]):
        return []
    return [] if any(len(run[0]) == 1 and _touches_latin(run) for run in runs) else [run[0] for run in runs]


def _is_common(sign: str, page: str) -> bool:
    """Return whether the sign is in the part of the page for common ones; of Chinese that is GB2312."""
    code = sign.encode(page)
    if page == _JAPANESE:
        return _is_kana(sign) or 0x88 <= code[0] <= 0x98
    if page == _TRADITIONAL:
        return code[0] <= 0xC6
    return len(code) == 2 and code[0] >= 0xB0 and code[1] > 0xA0


# --- Latin ------------------------------------------------------------------------------------------------------------


def _faults(raw: bytes, page: str) -> float:
    """Count what no name has: high signs that are no letters, capitals inside a word."""
    text = _decoded(raw, page)
    if text is None:
        return float("inf")
    high = "".join(_HIGH.findall(text))
    signs = sum(unicodedata.category(sign) not in ("Lu", "Ll") or sign == "ƒ" for sign in high if sign not in _MARKS)
    capitals = sum(before.islower() and sign.isupper() and not sign.isascii() for before, sign in pairwise(text))
    return signs + capitals + (len(_POLISH_N.findall(text)) if page == WESTERN else 0)


def _is_plainly_latin(raw: bytes, page: str) -> bool:
    """Return whether the ``page`` of a Latin country reads the name without fault, in few letters or accents of one kind."""
    high = "".join(_HIGH.findall(_decoded(raw, page) or ""))
    kinds = {unicodedata.normalize("NFD", sign.lower())[1:] or sign.lower() for sign in high}
    return not _faults(raw, page) and (len(high) < _LEAST_LETTERS_ABROAD or len(kinds) == 1)


# --- signs ------------------------------------------------------------------------------------------------------------


def _fits(raw: bytes, page: str) -> bool:
    return _decoded(raw, page) is not None


def _decoded(raw: bytes, page: str) -> str | None:
    try:
        return raw.decode(page)
    except UnicodeDecodeError:
        return None


def _first_sign(raw: bytes, page: str) -> str:
    first = _HIGH.search(raw.decode(page))
    return first[0][0] if first else ""


def _touches_latin(run: re.Match[str]) -> bool:
    text, start, end = run.string, run.start(), run.end()
    return (start > 0 and _is_latin(text[start - 1])) or (end < len(text) and _is_latin(text[end]))


def _is_latin(sign: str) -> bool:
    return sign.isascii() and sign.isalpha()


def _is_han(sign: str) -> bool:
    return unicodedata.name(sign, "").startswith("CJK UNIFIED")


def _is_kana(sign: str) -> bool:
    return unicodedata.name(sign, "").startswith(("HIRAGANA", "KATAKANA"))
