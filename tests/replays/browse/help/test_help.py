"""The pages of the help, the glossary, and explanations of numbers where they are shown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.test import Client
from django.utils import translation

from analysis.deduction import Rule
from analysis.formats import FORMATS
from analysis.solver import Strength
from analysis.statistics import BY_NAME, STATISTICS
from replays.browse.help.clones import CLONES
from replays.browse.help.selectors import glossary
from replays.browse.help.terms import TERMS
from replays.models import Replay
from replays.odds.positions.position_texts import rule_text
from replays.odds.solver_page.solver_texts import stage_text
from tests.pages.conftest import MakePlayers, game, make_players  # noqa: F401 - fixtures
from tests.pages.html import Document
from tests.replays.conftest import ingest, store  # noqa: F401 - fixtures

PAGES = (
    "/help/", "/help/replay-files/", "/help/ranking/", "/help/glossary/", "/help/about/", "/help/privacy/", "/help/licence/",
)  # fmt: skip
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def page(client: Client, address: str) -> Document:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return Document(answer.content.decode())


@pytest.mark.parametrize("address", PAGES)
def test_pages_need_no_database_and_are_in_both_languages(client: Client, address: str) -> None:
    english = page(client, address)
    client.cookies[django_settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    chinese = page(client, address)
    assert len(english.all("h1")) == len(chinese.all("h1")) == 1
    assert len(_CHINESE.findall(chinese.text)) > 100
    assert chinese.text != english.text


def test_the_footer_of_every_page_leads_to_them(client: Client) -> None:
    links = page(client, "/help/").links()
    assert {"/help/", "/help/glossary/", "/help/about/", "/help/privacy/", "/help/licence/", "/statistics/"} <= set(
        links
    )
    assert {*PAGES, "/help/evidence/"} <= set(links)


def test_pictures_are_ours_small_and_described(client: Client) -> None:
    pictures = page(client, "/help/").all("img")
    assert len(pictures) == 3
    for picture in pictures:
        assert picture["alt"]
        file = Path(django_settings.BASE_DIR) / "replays" / picture["src"].lstrip("/")
        assert file.stat().st_size < 60_000
        assert "script" not in file.read_text()


def test_every_clone_has_what_its_documentation_says(client: Client) -> None:
    text = page(client, "/help/replay-files/").text
    for clone in CLONES:
        assert clone.name in text
        assert clone.place in text
        assert clone.saving in text
    read = {ending for clone in CLONES if clone.is_read for ending in clone.endings}
    assert read == {module.NAME for module in FORMATS} | {"evfs"}  # sets of EVF files
    assert "mvr" not in read  # nobody can read it


def test_glossary_has_community_words_and_the_whole_registry(client: Client) -> None:
    rows = glossary()
    assert [row.name for row in rows] == [one.name for one in TERMS] + [row.public for row in STATISTICS]
    document = page(client, "/help/glossary/")
    for row in rows:
        assert row.english in document.text
        assert row.chinese in document.text
        assert row.html_url in document.links() or not row.is_statistic
    identifiers = {attributes.get("id") for _tag, attributes in document.elements}
    assert {one.name for one in TERMS} <= identifiers


def test_both_languages_stand_beside_each_other_in_either() -> None:
    english = {entry.name: entry for entry in glossary()}
    with translation.override("zh-hans"):
        chinese = {entry.name: entry for entry in glossary()}
    for name, entry in english.items():
        assert (entry.english, entry.chinese) == (chinese[name].english, chinese[name].chinese)
    assert (english["debt"].chinese, chinese["debt"].english) == ("欠债", "debt")
    assert _CHINESE.search(chinese["ioe"].text)


def test_contact_and_licence_are_said_or_said_to_be_missing(client: Client, settings: Any) -> None:
    assert "No contact details have been set" in page(client, "/help/privacy/").text
    assert "No licence has been set" in page(client, "/help/licence/").text
    settings.SITE_CONTACT, settings.DATA_LICENCE = "<b>me</b>@example.org", "CC-BY-4.0"
    assert "<b>me</b>@example.org" in page(client, "/help/privacy/").text  # as text
    assert "<b>me</b>@example.org" in page(client, "/help/about/").text
    assert "https://creativecommons.org/licenses/by/4.0/" in page(client, "/help/licence/").links()


def test_rules_of_ranking_are_those_of_the_settings(client: Client, settings: Any) -> None:
    settings.MINIMUM_3BV = {"expert": 123}
    assert "Expert 123" in page(client, "/help/ranking/").text


@pytest.mark.parametrize(
    ("name", "chinese"),
    [
        ("corpse", "尸体"), ("rtime", "rtime（真实用时）"), ("opening-an-area", "开荒"), ("colouring", "染色"), ("md1", "MD(1)"),
        ("md2", "MD(2)"), ("nmd3", "NMD(3)"), ("component", "连通块"), ("room", "房间"), ("stamp", "时间戳"), ("repair", "修正"),
        ("idle-cell", "闲者"), ("idle-set", "闲者集"), ("sage", "Sage"), ("bottleneck", "概率瓶颈"), ("sub-area", "子雷区"), ("junction", "结合点"),
        ("adjacent-cell", "邻接方块"), ("subtraction-formula", "减法公式"), ("isolated-cells", "孤立格"), ("three-parameters", "三大参数"),
        ("fibonacci", "斐波那契数"),
    ],
)  # fmt: skip
def test_words_of_players_papers_and_rooms_are_in_the_glossary(name: str, chinese: str) -> None:
    entries = {entry.name: entry for entry in glossary()}
    assert entries[name].chinese == chinese
    with translation.override("zh-hans"):
        assert _CHINESE.search({entry.name: entry for entry in glossary()}[name].text)


def test_rules_go_by_their_names_beside_plain_words() -> None:
    named = {Rule.MD1: "MD(1)", Rule.MD2: "MD(2)", Rule.NMD3: "NMD(3)"}
    terms = {term.term for term in TERMS}
    for language in ("en", "zh-hans"):
        with translation.override(language):
            for rule, name in named.items():
                assert name in rule_text(rule)
                assert rule_text(rule) != name
                assert name in translation.gettext(BY_NAME["difficulty"].doc)
                assert name in terms
            for stage in (Strength.SURRENDER, Strength.CAREFUL):
                assert all(name in stage_text(stage) for name in ("MD(1)", "MD(2)"))


@pytest.mark.parametrize(
    ("name", "english", "chinese"),
    [
        ("bv", "Bechtel’s Board Benchmark Value", "Bechtel’s Board Benchmark Value"),
        ("qg", "Quality Grade", "Quality Grade"),
        ("rv", "Rirun Value", "Rirun Value"),
        ("cpo", "Average CE wasted per opening", "平均每个空浪费的有效点击（CE）"),
        ("coo", "Average cost of an opening in effective clicks", "打开一个空平均要花的有效点击（CE）"),
        ("sao", "风骚度", "风骚度"),
        ("stnb", "lost games (“corpses”)", "尸体牛逼"),
        ("completion", "corpse (a lost game)", "尸体（输掉的对局）"),
        ("estime", "corpse (a lost game)", "尸体（输掉的对局）"),
    ],
)
def test_numbers_are_called_what_their_sources_call_them(name: str, english: str, chinese: str) -> None:
    row = BY_NAME[name]
    assert english in row.doc
    with translation.override("zh-hans"):
        assert chinese in f"{translation.gettext(row.label)} {translation.gettext(row.doc)}"


def test_every_number_has_a_label_of_its_own_in_both_languages() -> None:
    words = [entry for entry in glossary() if entry.is_statistic]
    for labels in ([entry.english for entry in words], [entry.chinese for entry in words]):
        assert len(set(labels)) == len(labels)
    chinese = {entry.name: entry.chinese for entry in words}
    assert (chinese["corr"], chinese["accuracy"]) == ("正确率", "准确度")


# --- explanations of numbers ---


def explanations(document: Document) -> set[str]:
    """The names of the statistics that the page explains; every button has its popover, and no id stands twice."""
    popovers = [attributes["id"] for _tag, attributes in document.elements if "popover" in attributes]
    buttons = [button["popovertarget"] for button in document.all("button") if "popovertarget" in button]
    assert sorted(popovers) == sorted(buttons)
    identifiers = [attributes["id"] for _tag, attributes in document.elements if "id" in attributes]
    assert len(set(popovers)) == len(popovers)
    assert not [one for one in popovers if identifiers.count(one) > 1]
    return {one.rsplit("-", 1)[1] for one in popovers}


def test_numbers_of_a_replay_explain_themselves(client: Client, game: Replay) -> None:  # noqa: F811
    document = page(client, game.get_absolute_url())
    assert explanations(document) == {row.name for row in STATISTICS}
    row = BY_NAME["ioe"]
    assert row.doc in document.text
    assert "ioe = bvdone / cl" in document.text
    client.cookies[django_settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    with translation.override("zh-hans"):
        assert translation.gettext(row.doc) in page(client, game.get_absolute_url()).text


@pytest.mark.parametrize(
    "address",
    ["/leaderboards/expert/ioe/", "/leaderboards/combined/stnb/", "/leaderboards/", "/records/holders/",
     "/leaderboards/expert/rqp/history/"],
)  # fmt: skip
def test_boards_explain_their_numbers(client: Client, make_players: MakePlayers, address: str) -> None:  # noqa: F811
    make_players(2)
    found = explanations(page(client, address))
    assert found
    last = address.removesuffix("history/").rstrip("/").rsplit("/", 1)[1]
    assert last not in {row.name for row in STATISTICS} or found == {last}


def test_bests_of_a_player_explain_themselves(client: Client, make_players: MakePlayers) -> None:  # noqa: F811
    player = make_players(1)[0]
    assert {"time", "ioe", "rqp", "stnb"} <= explanations(page(client, f"{player.get_absolute_url()}records/"))


def test_the_time_is_explained_on_the_readers_clock(owner: Any, owner_client: Client, game: Replay) -> None:  # noqa: F811
    assert "counted from 0" in page(owner_client, game.get_absolute_url()).text
    owner.clock = "one"
    owner.save()
    assert "counted from 1" in page(owner_client, game.get_absolute_url()).text
