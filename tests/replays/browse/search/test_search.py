"""The search of the whole site: what it finds, what it hides, and what it costs."""

from __future__ import annotations

import html
import json

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import translation
from django.utils.translation import gettext

from analysis.statistics import STATISTICS
from players.models import Player, User
from players.people.services import players_for_names
from replays.browse.help.terms import TERMS
from replays.browse.search.selectors import BOARDS, MOST, PLAYERS, REPLAYS, search
from replays.browse.search.selectors import PAGES as MOST_PAGES
from replays.browse.search.selectors import STATISTICS as MOST_STATISTICS
from replays.browse.search.selectors import TERMS as MOST_TERMS
from replays.browse.search.texts import PAGES as PAGES_OF_THE_SITE
from replays.browse.search.texts import pages_named, terms_named
from replays.browse.search.words import boards_named, statistics_named
from replays.models import Replay
from tests.cases import check_each_on_site
from tests.factories import rank_replays, receive_one, stored_replay
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db

NO_PREFIX = "f" * 64


def test_boards_are_found_by_words() -> None:
    def is_found(query: str, first: str) -> None:
        assert boards_named(query, BOARDS)[0].title == first

    cases = [
        ("expert stnb", "Expert · STNB"),
        ("EXP stnb", "Expert · STNB"),
        ("stnb expert", "Expert · STNB"),
        ("int 3bv/s", "Intermediate · 3BV/s"),
        ("combined time", "Combined · Time"),
        ("9x9 ioe", "Beginner 9×9 · IOE"),
        ("sub 60 expert", "Expert · sub-60"),
        ("sub60", "Beginner · sub-60"),
        ("exp SUB-40", "Expert · sub-40"),
    ]
    check_each_on_site(is_found, cases)


def test_no_boards_for_other_words() -> None:
    def has_no_board(query: str) -> None:
        assert boards_named(query, BOARDS) == []

    cases = ["", "expert nothing", "sub 0", "sub 1", "sub 99999", "\u200b", "custom time", "; drop"]
    check_each_on_site(has_no_board, cases)


def test_every_found_board_has_its_page_and_its_api(client: Client) -> None:
    for query in ("expert ioe", "combined bvs", "sub 60"):
        for board in boards_named(query, BOARDS):
            assert client.get(board.html_url).status_code == 200
            assert client.get(board.url).status_code == 200


def test_statistics_are_found_by_name_abbreviation_and_definition() -> None:
    def is_found(query: str, first: str) -> None:
        assert statistics_named(query, MOST_STATISTICS)[0].name == first

    cases = [("STNB", "stnb"), ("rqp", "rqp"), ("ioe", "ioe"), ("3bv", "bv"), ("bvs", "bvs"), ("Time", "time"), ("index of speed", "ios"),
    ("rapport qualité", "rqp"), ("greedy zini", "gzini"), ("needless", "needless_guesses")]  # fmt: skip
    check_each_on_site(is_found, cases)


def test_every_statistic_is_found_by_its_name_and_its_label() -> None:
    for row in STATISTICS:
        assert row in statistics_named(row.name, MOST_STATISTICS), row.name
        assert row in statistics_named(row.label, MOST_STATISTICS), row.label


def test_names_of_the_active_language_and_english_ones() -> None:
    with translation.override("zh-hans"):
        assert boards_named("高级stnb", BOARDS)[0].html_url == "/leaderboards/expert/stnb/"
        assert boards_named("高级 用时", BOARDS)[0].title == "高级 · 用时"
        assert boards_named("expert time", BOARDS)[0].title == "高级 · 用时"
        assert "gzini" in [row.name for row in statistics_named("贪心", MOST_STATISTICS)]


@pytest.mark.parametrize("language", ["en", "zh-hans"])
def test_names_of_every_language_are_found_in_every_language(language: str) -> None:
    def finds(query: str, name: str) -> None:
        with translation.override(language):
            assert name in [row.name for row in statistics_named(query, MOST)]

    with translation.override("zh-hans"):
        labels = [(gettext(row.label), row.name) for row in STATISTICS]
    check_each_on_site(finds, [("空", "op"), ("完成度", "completion"), ("OPENINGS", "op"), ("öpenings", "op"), *labels])
    with translation.override(language):
        for query, level, statistic in [("高级 用时", "expert", "time"), ("expert time", "expert", "time")]:
            first = boards_named(query, BOARDS)[0]
            assert (first.level, first.statistic) == (level, statistic)
        assert terms_named("双击", MOST_TERMS)[0].name == "chord"
        for query, name in [
            ("开荒", "opening-an-area"), ("闲者", "idle-cell"), ("idle cell", "idle-cell"), ("sage", "sage"), ("概率瓶颈", "bottleneck"),
            ("子雷区", "sub-area"), ("结合点", "junction"), ("邻接方块", "adjacent-cell"), ("减法公式", "subtraction-formula"),
            ("孤立格", "isolated-cells"), ("三大参数", "three-parameters"), ("斐波那契", "fibonacci"), ("subtraction formula", "subtraction-formula"),
        ]:  # fmt: skip
            assert terms_named(query, MOST_TERMS)[0].name == name
        assert pages_named("上传", MOST_PAGES)[0].name == "upload"


def test_players_are_found_without_accents_by_page_and_api(client: Client) -> None:
    names = ["Zoë Roböt", "Zoe", "Łukasz"]
    players_for_names(names)
    cases = [("zoe", ["Zoe", "Zoë Roböt"]), ("zoë", ["Zoë Roböt", "Zoe"]), ("LUKASZ", ["Łukasz"])]
    for query, expected in cases:
        found = client.get("/api/v1/search/", {"q": query}).json()["players"]
        assert [player["name"] for player in found] == expected
        found = client.get("/api/v1/players/", {"q": query}).json()["rows"]
        assert [row["player"]["name"] for row in found] == expected
        for page in ("/search/", "/players/"):
            listed = Document(client.get(page, {"q": query}).content.decode()).text
            assert all(name in listed for name in expected), page


def test_words_of_the_glossary_are_found(client: Client) -> None:
    def is_found(query: str, name: str) -> None:
        (first, *_others) = client.get("/api/v1/search/", {"q": query}).json()["terms"]
        assert (first["name"], first["html_url"]) == (name, f"/help/glossary/#{name}")
        assert first["doc"] in html.unescape(client.get("/search/", {"q": query}).content.decode())

    cases = [("NF", "nf"), ("rtime", "rtime"), ("corpse", "corpse"), ("MD(2)", "md2"), ("md2", "md2"), ("50/50", "fifty-fifty"),
    ("lost game", "corpse")]  # fmt: skip
    check_each_on_site(is_found, cases)


def test_pages_and_tools_are_found(client: Client) -> None:
    def is_found(query: str, address: str) -> None:
        assert client.get("/api/v1/search/", {"q": query}).json()["pages"][0]["html_url"] == address
        assert address in Document(client.get("/search/", {"q": query}).content.decode()).links()

    cases = [("solver", "/tools/solver/"), ("probability", "/tools/probability/"), ("probabilities", "/tools/probability/"),
    ("rooms", "/play/rooms/"), ("glossary", "/help/glossary/"), ("upload", "/upload/"), ("exact answer", "/tools/one-and-two/")]  # fmt: skip
    check_each_on_site(is_found, cases)


def test_every_word_and_every_page_is_found_by_its_name_and_leads_somewhere(client: Client) -> None:
    for term in TERMS:
        assert term.name in [found.name for found in terms_named(term.term, MOST_TERMS)], term.name
    for name, title, _doc in PAGES_OF_THE_SITE:
        (found,) = [found for found in pages_named(title, MOST_PAGES) if found.name == name]
        assert client.get(found.html_url).status_code == 200


def test_words_and_pages_in_chinese() -> None:
    with translation.override("zh-hans"):
        assert terms_named("尸体", MOST_TERMS)[0].name == "corpse"
        assert pages_named("求解器", MOST_PAGES)[0].html_url == "/tools/solver/"
        assert pages_named("solver", MOST_PAGES)[0].label == "求解器实战"


def test_players_come_with_a_sign_that_there_are_more() -> None:
    players_for_names([f"Wang {number:02}" for number in range(PLAYERS + 2)])
    found = search("wang", None)
    assert (len(found.players), found.more_players) == (PLAYERS, True)
    assert not search("wang 01", None).more_players


def test_replays_by_number_and_by_hash(ingest: Ingest) -> None:
    replay, other = ingest(game_file(1)), ingest(game_file(2))
    assert replay.game_hash is not None
    for query, by in (
        (str(replay.pk), "number"), (f"#{replay.pk}", "number"), (f" {replay.pk} ", "number"),
        (replay.sha256[:8], "file"), (replay.sha256, "file"), (replay.sha256[:12].upper(), "file"),
        (replay.game_hash[:8], "game"), (replay.game_hash, "game"),
    ):  # fmt: skip
        assert [(found.replay.pk, found.by) for found in search(query, None).replays] == [(replay.pk, by)], query
    assert search(other.sha256[:8], None).replays[0].replay == other
    for query in (replay.sha256[:7], replay.sha256 + "0", "-1", "0", "9" * 19, "9" * 20, "²", "#", NO_PREFIX):
        assert search(query, None).replays == [], query


def test_many_replays_with_one_beginning() -> None:
    for number in range(REPLAYS + 3):
        stored_replay(None, sha256=f"abcdef12{number:056x}", game_hash=None)
    assert len(search("abcdef12", None).replays) == REPLAYS
    assert [found.replay.sha256[-1] for found in search("abcdef12" + "0" * 55, None).replays] == list("01234")


def test_replays_that_are_hidden_are_not_found_by_others(ingest: Ingest, owner: User, other_player: User) -> None:
    hidden = ingest(b"no replay", uploader=owner)
    assert hidden.status == Replay.Status.REJECTED
    for query in (str(hidden.pk), hidden.sha256[:8], hidden.sha256):
        assert search(query, None).replays == []
        assert search(query, other_player).replays == []
        assert [found.replay.pk for found in search(query, owner).replays] == [hidden.pk]


@pytest.mark.parametrize("column", ["sha256", "game_hash"])
def test_hashes_are_looked_up_in_their_index(column: str, tables_swept: None) -> None:
    for number in range(300):
        stored_replay(None, sha256=f"{number * 7919:064x}", game_hash=f"{number * 7907:064x}")
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    with CaptureQueriesContext(connection) as queries:
        search("abcdef12", None)
    (sql,) = [query["sql"] for query in queries if f'"{column}" >= ' in query["sql"]]
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {sql}")
        plan = "\n".join(str(row) for row in cursor.fetchall())
    assert "Seq Scan on replays_replay" not in plan
    assert column in plan  # in the name of the index, or in its condition


def test_statements_are_few_and_do_not_grow(client: Client) -> None:
    def are_few(query: str, most: int) -> None:
        def count() -> int:
            with CaptureQueriesContext(connection) as queries:
                assert client.get("/search/", {"q": query}).status_code == 200
                assert client.get("/api/v1/search/", {"q": query}).status_code == 200
            return len(queries)

        few = count()
        assert few <= 2 * most
        players_for_names([f"wang {number}" for number in range(40)])
        for number in range(8):
            stored_replay(None, sha256=f"abcdef12{number:056x}", game_hash=f"12345678{number:056x}")
        assert count() <= 2 * most

    cases = [("wang", 6), ("sub 60", 6), ("12345678", 9), ("abcdef12", 8), ("x" * 100, 6), ("é", 10), ("", 0)]
    check_each_on_site(are_few, cases)


def test_page_and_api_show_the_same(client: Client, ingest: Ingest) -> None:
    replay = ingest(game_file(player="Ioe Wang"))
    players_for_names(["Ioe Wang"])
    answer = client.get("/api/v1/search/", {"q": "ioe"}).json()
    page = Document(client.get("/search/", {"q": "ioe"}).content.decode())
    rows = [row for kind in answer.values() if isinstance(kind, list) for row in kind]
    assert {row["html_url"] for row in rows} <= set(page.links())
    assert [row["name"] for row in answer["players"]] == ["Ioe Wang"]
    assert answer["statistics"][0]["name"] == "ioe"
    one = client.get("/api/v1/search/", {"q": str(replay.pk)}).json()["replays"][0]
    assert (one["id"], one["by"], one["player"]["name"]) == (replay.pk, "number", "Ioe Wang")
    assert client.get(one["url"]).json()["statistics"]["time"] == one["time"]


def test_all_of_a_kind_are_shown_on_request(client: Client) -> None:
    """Each kind of which there are more than its few rows leads to all of them, and to them alone."""
    few = Document(client.get("/search/?q=expert").content.decode())
    assert few.links().count("?q=expert&kind=boards") == 1
    assert not any("kind=pages" in link for link in few.links())
    every = Document(client.get("/search/?q=expert&kind=boards").content.decode())
    boards = [link for link in every.links() if link.startswith("/leaderboards/expert/")]
    assert len(boards) > len([link for link in few.links() if link.startswith("/leaderboards/expert/")]) == 6
    assert not any("kind=" in link for link in every.links())
    assert client.get("/search/?q=expert&kind=replays").status_code == 400


def test_a_found_board_names_its_holder(client: Client) -> None:
    first, second = (Player.objects.create(name=name) for name in ("Quick", "Slow"))
    rank_replays([stored_replay(first, time_ms=41_000), stored_replay(second, time_ms=42_000)])
    text = Document(client.get("/search/?q=expert+time").content.decode()).text
    assert "Expert · Time 41.00" in text.replace("41.000", "41.00")
    assert "Quick" in text
    assert "Slow" not in text


def test_nothing_found_and_nothing_asked(client: Client) -> None:
    assert "“zzzzz”" in client.get("/search/?q=zzzzz").content.decode()
    assert client.get("/search/").status_code == 200
    assert client.get("/api/v1/search/").json() == {
        "players": [], "more_players": False, "replays": [], "boards": [], "statistics": [], "terms": [], "pages": [],
    }  # fmt: skip


def test_hostile_texts_are_texts(client: Client) -> None:
    def is_text(query: str) -> None:
        answer = client.get("/search/", {"q": query})
        assert answer.status_code == 200
        page = Document(answer.content.decode())
        assert not any("alert" in code for code in page.inline_code)
        assert client.get("/api/v1/search/", {"q": query}).status_code == 200

    cases = ["<script>alert(1)</script>", "%", "_", "\\", "'; drop table replays_replay; --", "\x00", "\u202e", "(" * 100,
    "sub" * 33, "9" * 100, "a b " * 25, "\ufdfa" * 100, "{{ 7 * 7 }}"]  # fmt: skip
    check_each_on_site(is_text, cases)


def test_a_text_that_is_too_long_is_refused(client: Client) -> None:
    assert client.get("/search/", {"q": "x" * 101}).status_code == 400
    problem = client.get("/api/v1/search/", {"q": "x" * 101}).json()
    assert (problem["code"], set(problem["errors"])) == ("bad_parameter", {"q"})
    assert client.get("/api/v1/search/?query=x").status_code == 400


def test_searches_are_limited_for_page_and_api_together(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.browse.search.selectors.SEARCH_LIMIT._rate", "2/minute")
    assert client.get("/search/?q=a").status_code == 200
    assert client.get("/search/").status_code == 200  # the form alone is not counted
    assert client.get("/api/v1/search/?q=a").status_code == 200
    refused = client.get("/api/v1/search/?q=a")
    assert (refused.status_code, json.loads(refused.content)["code"]) == (429, "too_many_requests")
    assert int(refused["Retry-After"]) >= 1
    assert client.get("/search/?q=a").status_code == 429


def test_uploads_under_way_have_no_level_yet(client: Client, owner: User, owner_client: Client) -> None:
    waiting = receive_one(game_file(), name="a.rawvf", uploader=owner, enqueue=False)
    page = Document(owner_client.get(f"/search/?q={waiting.replay_id}").content.decode())
    assert f"/replays/{waiting.replay_id}/" in page.links()
    assert "queued" in page.text
    assert owner_client.get(f"/api/v1/search/?q={waiting.replay_id}").json()["replays"][0]["time"] is None


def test_the_field_of_every_page_leads_here(client: Client) -> None:
    page = Document(client.get("/statistics/").content.decode())
    (form,) = [form for form in page.all("form") if form.get("role") == "search"]
    (field,) = [field for field in page.all("input") if field.get("name") == "q"]
    assert (form["action"], form["role"]) == ("/search/", "search")
    assert field["data-suggest"] == "/api/v1/search/"
    assert field["aria-label"]
