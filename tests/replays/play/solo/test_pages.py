"""Pages and API of single games: who sees which game, and that no secret shows before its end."""

from __future__ import annotations

import json
import logging
import re
import uuid
import zlib
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from analysis import fair
from analysis.recording import Level
from players.models import User
from players.templatetags.led import led
from replays.models import Replay
from replays.play import wire
from replays.play.models import LiveGame
from replays.play.sockets.visitors import Visitor
from replays.play.solo.playing.registry import registry_of_loop
from tests.conftest import PASSWORD
from tests.replays.games import game_file
from tests.replays.play.solo.conftest import GUEST, cookie_of
from tests.replays.play.solo.player import SoloPlayer, run

SECRET = bytes(range(32))
NONCE = bytes(range(16))


def live_game(**values: object) -> LiveGame:
    """A stored game; by default one of nobody that is being played."""
    now, pk = timezone.now(), uuid.uuid4()
    given: dict[str, object] = {
        "id": pk, "level": "beginner", "rows": 8, "columns": 8, "mines": 10, "rules": "xp",
        "commit": fair.commitment(str(pk), SECRET), "secret": SECRET, "nonce": NONCE, "first_cell": 0, "state": "playing",
        "created_at": now, "started_at": now, "cell_px": 16,
    }  # fmt: skip
    return LiveGame.objects.create(**(given | values))


def addresses(game: LiveGame) -> list[str]:
    return [f"/play/games/{game.pk}/", f"/api/v1/play/games/{game.pk}/"]


@pytest.mark.django_db
@pytest.mark.parametrize(("time_ms", "told"), [(5_123, True), (5_000, False), (4_990, False)])
def test_the_page_of_a_game_tells_what_the_network_has_added(anonymous: Client, time_ms: int, told: bool) -> None:
    clocks = {"time_ms": time_ms, "client_span_ms": 5_000, "server_span_us": 5_133_000, "jitter_ms": 10}
    game = live_game(state="over", result="won", ended_at=timezone.now(), **clocks)
    page = anonymous.get(addresses(game)[0]).content.decode()
    assert ("network delay" in page) == told
    assert ("123 ms" in page) == told


@pytest.mark.django_db
def test_a_running_game_is_shown_to_its_player_alone_and_without_its_secret(
    owner: User, owner_client: Client, other_client: Client, staff_client: Client, anonymous: Client
) -> None:
    game = live_game(user=owner)
    for address in addresses(game):
        answer = owner_client.get(address)
        assert answer.status_code == 200
        assert SECRET.hex() not in answer.content.decode()
        assert game.commit in answer.content.decode()
        assert {client.get(address).status_code for client in (other_client, staff_client, anonymous)} == {404}
    assert SECRET.hex() not in owner_client.get("/api/v1/play/games/").content.decode()
    assert SECRET.hex() not in owner_client.get(f"/play/verify/?game={game.pk}").content.decode()


@pytest.mark.django_db
def test_a_running_game_of_a_guest_is_shown_to_that_browser_alone(anonymous: Client, owner_client: Client) -> None:
    game, browser, forged = live_game(guest=GUEST.guest), Client(), Client()
    cookie_of(browser, GUEST)
    forged.cookies["play_guest"] = f"{GUEST.guest}:x:y"
    for address in addresses(game):
        assert browser.get(address).status_code == 200
        assert {client.get(address).status_code for client in (forged, anonymous, owner_client)} == {404}
    assert [row["id"] for row in browser.get("/api/v1/play/games/").json()["rows"]] == [str(game.pk)]
    for client in (anonymous, forged, owner_client):
        assert client.get("/api/v1/play/games/").json()["rows"] == []


@pytest.mark.django_db
def test_an_ended_game_is_public_with_all_that_draws_its_board(owner: User, anonymous: Client) -> None:
    game = live_game(user=owner, state="over", result="lost", ended_at=timezone.now(), time_ms=1234)
    page, api = (anonymous.get(address) for address in addresses(game))
    assert SECRET.hex() in page.content.decode()
    provenance = api.json()["provenance"]
    assert (provenance["secret"], provenance["nonce"], provenance["first_cell"]) == (SECRET.hex(), NONCE.hex(), 0)
    assert fair.commitment(str(game.pk), bytes.fromhex(provenance["secret"])) == provenance["commit"]
    assert (api.json()["player"], api.json()["time_ms"]) == ("owner", 1234)
    verify = anonymous.get(f"/play/verify/?game={game.pk}").content.decode()
    assert SECRET.hex() in verify
    assert anonymous.get("/play/verify/?game=nonsense&replay=0").status_code == 404
    assert anonymous.get("/play/verify/?game=nonsense").status_code == 200


@pytest.mark.django_db
def test_the_admin_shows_no_secret(owner: User, staff_client: Client) -> None:
    game = live_game(user=owner, state="over")
    page = staff_client.get(f"/admin/play/livegame/{game.pk}/change/").content.decode()
    assert game.commit in page
    assert not re.search(r"name=.secret|field-secret|field-nonce|field-recording", page)
    assert repr(SECRET)[2:-1] not in page
    assert staff_client.get("/admin/play/livegame/").status_code == 200
    assert staff_client.post("/admin/play/livegame/add/").status_code == 403


@pytest.mark.django_db
def test_lists_take_the_same_number_of_queries_whatever_their_length(
    owner: User, owner_client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (1, 12):
        for number in range(count):
            when = timezone.now() - timedelta(minutes=number)
            live_game(user=owner, state="over", result="won", time_ms=5_000, created_at=when, counts={"bvdone": 9})
        owner_client.get("/play/beginner/")
        with django_assert_num_queries(3):
            owner_client.get("/api/v1/play/games/")
        with django_assert_num_queries(5):
            owner_client.get("/play/beginner/")


@pytest.mark.django_db
def test_pages_of_levels(owner_client: Client, anonymous: Client) -> None:
    page = owner_client.get("/play/expert/?rules=win7")
    assert (page.context["rows"], page.context["columns"], page.context["mines"]) == (16, 30, 99)
    assert (page.context["rules"], page.context["ranked"]) == ("win7", False)
    assert owner_client.get("/play/expert/").context["ranked"]
    assert not anonymous.get("/play/expert/").context["ranked"]
    assert "play_guest" in anonymous.cookies
    assert "play_guest" not in owner_client.cookies
    text = page.content.decode()
    config = json.loads(re.search(r'id="play-config" type="application/json">(.*?)</script>', text).group(1))  # type: ignore[union-attr]
    assert (config["level"], config["rows"], config["rules"], config["ranked"]) == ("expert", 16, "win7", False)
    assert config["texts"]["future"]
    for wrong in ("rows=0&columns=5&mines=3", "rows=300&columns=5&mines=3", "rows=5&columns=5&mines=25", "rows=x", ""):
        assert anonymous.get(f"/play/custom/?{wrong}").status_code == 400
    assert anonymous.get("/play/custom/?rows=30&columns=30&mines=400&rules=no-guess").status_code == 400
    small = "/play/custom/?rows=3&columns=3&mines=1"
    assert anonymous.get(f"{small}&rules=win7").status_code == 400, "there is no place for a mine under these rules"
    assert anonymous.get(small).status_code == 200
    assert anonymous.get("/play/expert/?rules=mine").status_code == 400
    assert anonymous.get("/play/nowhere/").status_code == 404


@pytest.mark.django_db
def test_a_ticket_is_for_a_game_that_can_be_played(anonymous: Client) -> None:
    def ask(**values: object) -> int:
        body = json.dumps({"purpose": "solo", **values})
        return anonymous.post("/api/v1/play/tickets/", body, content_type="application/json").status_code

    assert ask(level="expert") == 200
    assert ask(level="custom", rows=9, columns=9, mines=9, rules="win7") == 200
    assert ask(level="custom", rows=9, columns=9, mines=80, rules="win7") == 422
    assert ask(level="nowhere") == 422


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("worker")
def test_the_replay_shows_where_it_comes_from(visitor: Visitor, anonymous: Client) -> None:
    async def play() -> None:
        async with SoloPlayer(visitor, {"level": "beginner", "rules": "xp"}) as player:
            await player.begin()
            await player.click(0, 8)
            await player.wait_for(wire.Faces)
            (game,) = registry_of_loop().games.values()
            await player.click(int(game.board().mines.ravel().argmax()), 8)
            await player.wait_for(wire.Stored)

    run(play)
    game, replay = LiveGame.objects.get(), Replay.objects.get()
    page = anonymous.get(f"/replays/{replay.pk}/").content.decode()
    for shown in (game.commit, game.secret_hex, game.nonce_hex, f"/play/verify/?replay={replay.pk}"):
        assert shown in page
    provenance = anonymous.get(f"/api/v1/replays/{replay.pk}/").json()["provenance"]
    assert (provenance["game"], provenance["secret"]) == (str(game.pk), game.secret_hex)
    assert game.secret_hex in anonymous.get(f"/play/verify/?replay={replay.pk}").content.decode()
    listed = anonymous.get("/api/v1/replays/?result=lost").content.decode()
    assert game.secret_hex not in listed


@pytest.mark.django_db(transaction=True)
def test_no_log_has_the_secret_of_a_running_game(
    visitor: Visitor, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the database fails while the game is written, and where a search fails."""

    def broken(*_arguments: object) -> None:
        from django.db import OperationalError

        raise OperationalError("the database is away")

    async def play() -> tuple[str, str]:
        async with SoloPlayer(visitor) as player:
            await player.begin()
            await player.click(0)
            await player.wait_for(wire.Faces)
            registry = registry_of_loop()
            (game,) = registry.games.values()
            monkeypatch.setattr("replays.play.solo.services.games_begin", broken)
            monkeypatch.setattr("replays.play.solo.playing.registry.WRITE_SECONDS", 0.01)
            with pytest.raises(Exception, match="away"):
                await registry.write_once()
            logging.getLogger("replays.play").error("The game %r", game)
            assert not game.is_stored  # it is written later
            return game.secret.hex(), repr(game.secret)

    with caplog.at_level(logging.DEBUG):
        secrets = run(play)
    assert not any(secret in caplog.text for secret in secrets)


# --- guests -----------------------------------------------------------------------------------------------------------


def decided_game(**values: object) -> LiveGame:
    recording = zlib.compress(game_file(2, Level.BEGINNER))
    return live_game(state="over", result="lost", ended_at=timezone.now(), recording=recording, **values)


@pytest.mark.django_db
def test_a_finished_game_of_a_guest_has_its_film(anonymous: Client) -> None:
    game = decided_game(guest=GUEST.guest)
    page = anonymous.get(addresses(game)[0]).content.decode()
    film = json.loads(re.search(r'id="film-data" type="application/json">(.*?)</script>', page)[1])  # type: ignore[index]
    assert len(film["bytes"]) > 100
    assert "kept for 30 days" in page
    LiveGame.objects.update(recording=None)
    assert "film-data" not in anonymous.get(addresses(game)[0]).content.decode()


@pytest.mark.django_db
def test_too_many_films_leave_the_page_of_a_game(anonymous: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.watch.film.services.FILM_LIMIT._rate", "1/hour")
    address = addresses(decided_game(guest=GUEST.guest))[0]
    assert b"film-data" in anonymous.get(address).content
    refused = anonymous.get(address)
    assert refused.status_code == 200
    assert b"Too many replays loaded" in refused.content


@pytest.mark.django_db
@pytest.mark.parametrize(("clock", "time"), [("zero", "000"), ("one", "001")])
def test_the_displays_are_drawn_before_the_script_comes(anonymous: Client, clock: str, time: str) -> None:
    anonymous.cookies["clock"] = clock
    page = anonymous.get("/play/beginner/").content.decode()
    for name, shown in (("mines", "010"), ("time", time)):
        assert re.search(rf'<output[^>]* data-counter="{name}"[^>]*>{shown}</output>', page)
        assert str(led(shown, name=name)) in page


@pytest.mark.django_db
def test_after_three_games_a_guest_is_told_how_to_keep_them(anonymous: Client) -> None:
    cookie_of(anonymous, GUEST)
    for games in range(1, 4):
        decided_game(guest=GUEST.guest)
        page = anonymous.get("/play/beginner/").content.decode()
        offer = re.search(r'data-played="(\d)"( hidden)?', page)
        assert offer is not None
        assert offer.groups() == (str(games), None if games == 3 else " hidden")
    assert 'class="counts"' in page
    for address in ("/play/beginner/?rules=no-guess", "/play/custom/?rows=9&columns=9&mines=10"):
        page = anonymous.get(address).content.decode()
        assert "data-played" in page
        assert 'class="counts"' not in page, "what does not rank is promised to nobody"
    page = anonymous.get("/sign-up/?next=/play/beginner/&username=Newcomer").content.decode()
    assert 'value="Newcomer"' in page
    form = {"username": "Newcomer", "password1": PASSWORD, "password2": PASSWORD, "next": "/play/beginner/"}
    page = anonymous.post("/sign-up/", form, follow=True).content.decode()
    assert "3 guest games" in page
    assert "data-save" not in page
    assert set(LiveGame.objects.values_list("user__username", "guest")) == {("Newcomer", "")}
