"""The list of replays and the page of one."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from analysis.recording import Level
from analysis.statistics import BY_NAME, STATISTICS, STORED
from analysis.time_convention import value_text
from analysis.zini import rzini
from players.models import Player, User
from replays.models import Replay
from replays.trust.judging.services import replay_judge
from tests.factories import stored_replay
from tests.pages.conftest import MakePlayers
from tests.pages.html import Document
from tests.replays.games import game_file, other_wrapper

Ingest = Callable[..., Replay]


def page(client: Client, address: str) -> Document:
    response = client.get(address)
    assert response.status_code == 200
    return Document(response.content.decode())


# --- the list ---


def shown(client: Client, query: str) -> list[int]:
    """The numbers of the replays of a list, in its order."""
    source = client.get(f"/replays/{query}").content.decode()
    return [int(number) for number in re.findall(r'data-main href="/replays/(\d+)/"', source)]


def test_newest_first(make_players: MakePlayers, client: Client) -> None:
    make_players(2)
    assert shown(client, "") == list(Replay.objects.order_by("-id").values_list("pk", flat=True))


def test_filters_of_the_list(make_players: MakePlayers, client: Client) -> None:
    make_players(3)
    expert = Replay.objects.filter(level=Level.EXPERT)
    assert set(shown(client, "?level=expert")) == set(expert.values_list("pk", flat=True))
    assert shown(client, "?level=expert&time__lte=41") == [expert.get(time_ms=40_000).pk]
    assert shown(client, "?level=expert&bv__gte=102") == [expert.get(bv=102).pk]
    assert shown(client, "?style=NF") == []
    fastest = list(expert.order_by("time_ms").values_list("pk", flat=True))
    assert shown(client, "?level=expert&sort=time") == fastest


def test_filters_stay_in_form_links_and_chips(make_players: MakePlayers, client: Client) -> None:
    (player,) = make_players(1)
    query = f"?level=expert&result=won&bv__gte=50&player={player.pk}&sort=-stnb"
    found = page(client, f"/replays/{query}")
    links = {link["href"] for link in found.all("a")}
    chips = [link["href"] for link in found.all("a") if link.get("aria-label", "").startswith("Remove filter:")]
    assert set(chips) == {
        f"?level=expert&result=won&player={player.pk}&sort=-stnb",
        "?level=expert&result=won&bv__gte=50&sort=-stnb",
    }
    assert f"?result=won&bv__gte=50&player={player.pk}" in links  # all levels: the statistic of the sort needs one
    assert f"?level=expert&bv__gte=50&player={player.pk}&sort=-stnb" in links  # any result
    assert f"?level=expert&result=won&bv__gte=50&player={player.pk}" in links  # the newest first
    assert f"?level=expert&result=won&bv__gte=50&player={player.pk}&sort=time" in links
    fields = {field["name"]: field.get("value") for field in found.all("input") if "name" in field}
    assert fields["bv__gte"] == "50"
    assert fields["player"] == str(player.pk)  # a hidden field
    assert f"Player {player.name}" in found.text
    assert "Sorted by STNB" in found.text
    shown_links = [link["href"] for link in found.all("a") if link.get("aria-current") == "true"]
    assert query.replace("?", "") in {link.replace("?", "") for link in shown_links}


@pytest.mark.long(beside="tests/pages/test_replays.py::test_page_shows_every_number")
def test_the_next_page_has_the_filters(make_players: MakePlayers, client: Client) -> None:
    make_players(52)
    source = client.get("/replays/?level=expert&sort=time").content.decode()
    following = re.search(r'rel="next" href="([^"]+)"', source)
    assert following is not None
    query = following[1].replace("&amp;", "&")
    assert "level=expert" in query
    assert "sort=time" in query
    assert len(shown(client, query)) == 2
    removed = page(client, f"/replays/{query}")
    links = [link["href"] for link in removed.all("a") if link["href"].startswith("?") and link.get("rel") is None]
    assert len(links) > 50
    assert all("cursor" not in link for link in links)


def test_own_uploads_in_every_state(owner: User, owner_client: Client, client: Client) -> None:
    waiting = stored_replay(None, uploader=owner, status=Replay.Status.QUEUED, original_name="<b>wait</b>.avf")
    assert waiting.pk in shown(owner_client, "?uploader=me&status=any")
    assert waiting.pk not in shown(client, "")
    assert "<b>wait</b>.avf" in page(owner_client, "/replays/?uploader=me&status=any").text


# --- one replay ---


def test_page_shows_every_number(game: Replay, client: Client) -> None:
    found = page(client, game.get_absolute_url())
    for row in STORED:
        assert row.label in found.text
        value = game.statistic(row.name)
        if value is None:
            assert row.undefined in found.text
        else:
            assert value_text(row, value, precision_ms=game.time_precision_ms) in found.text
    assert "won" in found.text
    assert "Sweepbook" in found.text
    assert game.sha256 in found.text
    assert "(column order)" in found.text  # a ZiNi names its scan order


def test_the_film_comes_first_and_the_numbers_are_in_order(ingest: Ingest, client: Client) -> None:
    """The film, six main numbers, then every number in two tables; at most 150 KB."""
    source = client.get(ingest(game_file(1, Level.EXPERT)).get_absolute_url()).content.decode()
    places = [
        source.index(part)
        for part in (
            'id="film"',
            "film-tiles",
            'id="numbers-title"',
            "Basic data",
            "Derived data",
            "What the file claims",
            "SHA-256",
        )
    ]
    assert places == sorted(places)
    found = Document(source)
    tiles = source[source.index("film-tiles") :].split("</dl>")[0]
    assert tiles.count("<dt>") == 6
    numbers = source[source.index('id="numbers-title"') :].split("</section>")[0]
    assert numbers.count("<table") == 2
    assert numbers.count('scope="row"') == len(STATISTICS), "each number once"
    assert numbers.count("popovertarget") == len(STATISTICS), "each leads to its definition"
    assert not [one for one in found.all("details") if "open" in one]
    assert len(source.encode()) <= 150_000


def test_previous_and_next_game_of_the_player(make_players: MakePlayers, client: Client) -> None:
    (player,) = make_players(1)
    ids = list(Replay.objects.filter(player=player).order_by("pk").values_list("pk", flat=True))
    links = {link["rel"]: link["href"] for link in page(client, f"/replays/{ids[1]}/").all("a") if "rel" in link}
    assert links == {"prev": f"/replays/{ids[0]}/", "next": f"/replays/{ids[2]}/"}


def test_lost_game_says_why_numbers_are_missing(db: None, client: Client) -> None:
    from tests.pages.conftest import board_of

    player = Player.objects.create(name="Loser")
    lost = stored_replay(
        player,
        Level.EXPERT,
        result=Replay.Result.LOST,
        win=False,
        ranked=False,
        values={"gznt": None, "cpo": None, "completion": 0.5},
        board=board_of(Level.EXPERT),
    )
    source = client.get(lost.get_absolute_url()).content.decode()
    assert "not defined: the board has no openings, or the game was lost" in Document(source).text
    assert "Estimated time" in source


def test_board_is_drawn_with_a_description(game: Replay, client: Client) -> None:
    source = client.get(game.get_absolute_url()).content.decode()
    found = Document(source)
    (drawing,) = [svg for svg in found.all("svg") if svg.get("class") == "board"]
    assert drawing["role"] == "img"
    assert drawing["aria-label"] == f"8 by 8 board with 10 mines. 3BV {game.statistic('bv')}, " + (
        f"{game.statistic('op')} opening{'s' * (game.statistic('op') != 1)}, "
        f"{game.statistic('isl')} island{'s' * (game.statistic('isl') != 1)}"
    )
    text = source.split('aria-label="Board as text">')[1].split("</pre>")[0]
    assert text.count("*") == 10


def test_personal_bests_link_their_boards(game: Replay, client: Client) -> None:
    links = page(client, game.get_absolute_url()).links()
    assert "/leaderboards/beginner/time/" in links


def test_original_is_a_download(game: Replay, client: Client) -> None:
    response = client.get(reverse("replay-file", args=[game.pk]))
    assert response.content == game_file()
    assert response.headers["Content-Disposition"] == 'attachment; filename="game.rawvf"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_random_zini_is_computed_on_request(game: Replay, client: Client) -> None:
    address = reverse("replay-rzini", args=[game.pk])
    assert address in page(client, game.get_absolute_url()).links()
    number = str(rzini(game.board_object()))
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    game.refresh_from_db()
    throughput = value_text(BY_NAME["rznt"], int(number) / float(game.statistic("ce") or 0))
    assert Document(part).text.startswith(f"{number} clicks")
    assert f'<span id="number-rznt" hx-swap-oob="true">{throughput}</span>' in part
    whole = page(client, address)
    assert f'<span id="number-rznt">{throughput}</span>' in client.get(address).content.decode()
    assert len(whole.all("h1")) == 1
    assert address not in whole.links()


def test_frozen_replay_says_so(game: Replay, staff: User, client: Client) -> None:
    replay_judge(game, Replay.Judgement.FROZEN, "Played on a known board.", staff)
    found = page(client, game.get_absolute_url())
    assert "doesn't count on leaderboards" in found.text
    assert "Played on a known board." in found.text


def test_waiting_replay_is_its_uploaders_alone(owner: User, owner_client: Client, client: Client) -> None:
    waiting = stored_replay(None, uploader=owner, status=Replay.Status.QUEUED)
    assert "replaying and measuring" in page(owner_client, waiting.get_absolute_url()).text
    assert client.get(waiting.get_absolute_url()).status_code == 404
    assert client.get(reverse("replay-rzini", args=[waiting.pk])).status_code == 404


def test_a_linked_file_names_the_other(game: Replay, ingest: Ingest, owner: User, owner_client: Client) -> None:
    again = ingest(other_wrapper(game_file()) + b"\n", uploader=owner)
    assert again.status == Replay.Status.DONE, "the same game in another file"
    found = page(owner_client, again.get_absolute_url())
    assert game.get_absolute_url() in found.links()
    assert f"#{game.pk}" in found.text


# --- deleting ---


def test_deleting_needs_a_confirmation(ingest: Ingest, owner: User, owner_client: Client) -> None:
    mine = ingest(game_file(), uploader=owner)
    address = reverse("replay-delete", args=[mine.pk])
    assert address in page(owner_client, mine.get_absolute_url()).links()
    assert any(
        form.get("method") == "post" and "action" not in form for form in page(owner_client, address).all("form")
    )
    assert Replay.objects.filter(pk=mine.pk).exists()
    assert owner_client.post(address).status_code == 302
    assert not Replay.objects.filter(pk=mine.pk).exists()


def test_nobody_deletes_what_others_uploaded(
    ingest: Ingest, owner: User, other_client: Client, client: Client, staff_client: Client
) -> None:
    mine = ingest(game_file(), uploader=owner)
    address = reverse("replay-delete", args=[mine.pk])
    assert other_client.post(address).status_code == 403
    assert client.post(address).headers["Location"].startswith("/sign-in/")
    assert address not in page(other_client, mine.get_absolute_url()).links()
    assert Replay.objects.filter(pk=mine.pk).exists()
    assert staff_client.post(address).status_code == 302
    assert not Replay.objects.filter(pk=mine.pk).exists()
