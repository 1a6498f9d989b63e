"""Pictures of replays: what they show, who may have them, and that nobody can tie up the site with them."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.test import Client
from PIL import Image

from analysis import formats
from analysis.analyse import analyse
from analysis.board import board_facts
from analysis.click_machine import Result
from analysis.film import film_of
from analysis.formats import rawvf
from analysis.recording import Board, Level
from analysis.time_convention import number_text
from players.models import User
from players.web import rate_limits
from replays.models import Replay, file_store
from replays.watch.film.selectors import film_of_replay
from replays.watch.pictures import drawing, selectors
from replays.watch.pictures.drawing import (
    CLOSED,
    FLAG,
    HIT_MINE,
    QUESTION,
    WRONG_FLAG,
    draw_card,
    draw_moment,
    is_drawable,
    shown_faces,
)
from replays.watch.pictures.tags import moment_ms
from tests.cases import check_each_on_site
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import game_file, largest_game, recording

MINE = 9


@pytest.fixture
def game(ingest: Ingest) -> Replay:
    return ingest(game_file(1, Level.EXPERT))


@pytest.fixture
def accepted(game: Replay) -> Replay:
    Replay.objects.filter(pk=game.pk).update(judgement=Replay.Judgement.ACCEPTED)
    game.refresh_from_db()
    return game


def picture(data: bytes) -> Image.Image:
    image = Image.open(io.BytesIO(data))
    image.load()
    assert image.format == "PNG"
    return image


def card(replay: Replay) -> str:
    return f"/replays/{replay.pk}/card.png"


def frame(replay: Replay, moment: str = "") -> str:
    return f"/replays/{replay.pk}/frame.png{moment and '?t='}{moment}"


# --- drawing ----------------------------------------------------------------------------------------------------------


def test_faces_before_and_after_the_end() -> None:
    facts = board_facts(Board(np.array([[1, 0, 0], [0, 0, 1]], np.uint8)))
    film = np.array([[1, 3, 2], [1, 0, 0]], np.uint8)
    before = shown_faces(film, facts, over=False)
    assert before.tolist() == [[FLAG, 2, QUESTION], [FLAG, CLOSED, CLOSED]]
    after = shown_faces(film, facts, over=True)
    assert after.tolist() == [[FLAG, 2, QUESTION], [WRONG_FLAG, CLOSED, MINE]]
    hit = np.array([[3, 0, 0], [0, 0, 0]], np.uint8)
    assert shown_faces(hit, facts, over=True)[0, 0] == HIT_MINE


@pytest.mark.parametrize("style", ["FL", "NF"])
def test_a_won_game_shows_the_flags_of_the_player_and_no_others(ingest: Ingest, style: str) -> None:
    replay = ingest(rawvf.write(recording(1, Level.EXPERT, style)))
    film = film_of_replay(replay)
    faces = selectors._faces(film, len(film.events))
    assert film.result is Result.WON
    assert (faces == FLAG).sum() == replay.statistic("flags") == (0 if style == "NF" else replay.statistic("rce"))
    assert (faces == FLAG).sum() + (faces == MINE).sum() == replay.mines


def test_every_face_looks_different() -> None:
    for size in (24, 12):
        cells = [Image.fromarray(cell) for cell in drawing.sprites(size)]
        looks = {cell.quantize(palette=drawing._palette(), dither=Image.Dither.NONE).tobytes() for cell in cells}
        assert len(looks) == 15, "with the few colours of a picture too"


@pytest.mark.parametrize("shape", [(1, 1), (8, 8), (16, 30), (255, 255), (1, 255)])
def test_every_board_fits(shape: tuple[int, int]) -> None:
    faces = np.full(shape, CLOSED, np.uint8)
    image = picture(draw_card(faces, title="Custom", name="Ada", large="1.00 s", lines=["3BV 1"]))
    assert image.size == (1200, 630)
    moment = picture(draw_moment(faces, (0.5, 0.5), "Sweepbook"))
    assert moment.width <= 1200
    assert moment.height <= 1000 + 44


@pytest.mark.parametrize("name", ["玩家", "a\u202eb", "😀", "\u0007", "ن"])
def test_names_that_the_font_lacks_are_left_out(name: str) -> None:
    """No boxes: the card is the one without a name."""
    faces = np.zeros((8, 8), np.uint8)
    assert not is_drawable(name)
    texts: dict[str, Any] = {"title": "Expert", "large": "1.00 s", "lines": []}
    assert draw_card(faces, name=name, **texts) == draw_card(faces, name="", **texts)


@pytest.mark.parametrize("name", ["Ada", "José Müller-Ñandú", "Ольга Ж", "Νίκος", "x_X [2] {3} <b>", "W" * 255])
def test_names_that_it_has_are_written(name: str) -> None:
    faces = np.zeros((8, 8), np.uint8)
    assert is_drawable(name)
    texts: dict[str, Any] = {"title": "Expert", "large": "1.00 s", "lines": []}
    assert draw_card(faces, name=name, **texts) != draw_card(faces, name="", **texts)


# --- addresses --------------------------------------------------------------------------------------------------------


def test_card(client: Client, accepted: Replay, django_assert_num_queries: Any) -> None:
    response = client.get(card(accepted))
    assert response.status_code == 200
    assert response["Content-Type"] == "image/png"
    assert response["Cache-Control"] == "public, max-age=86400"
    assert "Cookie" not in response.get("Vary", "")
    assert picture(response.content).size == (1200, 630)
    assert len(response.content) <= 17_000
    with django_assert_num_queries(1):
        again = client.get(card(accepted), headers={"If-None-Match": response["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.head(card(accepted)).content == b""
    assert client.post(card(accepted)).status_code == 405


def test_a_card_follows_the_name(client: Client, accepted: Replay) -> None:
    before = client.get(card(accepted))
    assert accepted.player is not None
    accepted.player.name = "Other Name"
    accepted.player.save()
    after = client.get(card(accepted))
    assert before["ETag"] != after["ETag"]
    assert before.content != after.content


def test_a_moment_is_the_board_then(client: Client, accepted: Replay) -> None:
    """Before the opening, in the middle, and from the last click on."""
    film = film_of(analyse(formats.read(file_store.get(accepted.sha256))))
    first, middle, end = (client.get(frame(accepted, t)).content for t in ("-5", "20", ""))
    assert len({first, middle, end}) == 3
    assert client.get(frame(accepted, "99999")).content == end
    assert client.get(frame(accepted, f"{film.time_ms / 1000:.3f}")).content == end, "the last click is not lost"
    image = np.asarray(picture(first).convert("RGB"))
    cells = image[: 16 * 40].reshape(16, 40, 30, 40, 3).swapaxes(1, 2).reshape(480, -1)
    assert len(np.unique(cells, axis=0)) <= 5, (
        "nothing is open before the first click; the cursor lies over up to four cells"
    )


def test_bad_moments(client: Client, accepted: Replay) -> None:
    def is_refused(moment: str) -> None:
        assert client.get(frame(accepted, moment)).status_code == 400

    cases = ["x", "1e9", "nan", "1.2345", "12345678", "--1", "٣", "1:60", "1:2:3", "1;5", ":5"]
    check_each_on_site(is_refused, cases)


def test_moments_are_read() -> None:
    assert [moment_ms(text) for text in ("0", "12.34", "-0.5", "", "abc")] == [0, 12_340, -500, None, None]
    assert [moment_ms(text) for text in ("20,5", "1:02", "1:2,5", "-0:01", "1:60")] == [
        20_500,
        62_000,
        62_500,
        -1_000,
        None,
    ]


def test_a_moment_between_clicks_has_its_time_and_its_cursor(
    client: Client, accepted: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not those of the click before, in the longest way between two clicks; in minutes it is the same picture."""
    film = film_of(analyse(formats.read(file_store.get(accepted.sha256))))
    times = film.events["time_ms"].astype(int) - int(film.events["time_ms"][film.places[film.start_act]])
    times = times.tolist()
    act = int(np.argmax(np.diff(film.places)))
    before, event = int(film.places[act]), int(film.places[act : act + 2].mean())
    drawn: list[tuple[Any, ...]] = []

    def draw(*given: Any) -> bytes:
        drawn.append(given)
        return draw_moment(*given)

    monkeypatch.setattr(selectors, "draw_moment", draw)
    seconds = f"{times[event] / 1000:.3f}"
    pictures = [client.get(frame(accepted, f"{times[place] / 1000:.3f}")).content for place in (before, event)]
    assert pictures[0] != pictures[1]
    faces, cursor, caption = drawn[1]
    assert caption.startswith(f"{number_text(times[event] / 1000, 2)} s  |  Sweepbook · Ada Bot · Expert")
    assert cursor == (film.events["x_px"][event] / film.cell_px, film.events["y_px"][event] / film.cell_px)
    assert cursor != drawn[0][1]
    assert faces.tolist() == drawn[0][0].tolist()
    minutes, rest = divmod(times[event], 60_000)
    assert client.get(frame(accepted, f"{minutes}:{rest / 1000:.3f}")).content == pictures[1]
    assert client.get(frame(accepted, seconds.replace(".", ","))).content == pictures[1]
    assert len(drawn) == 2


@pytest.mark.parametrize("judgement", ["suspicious", "frozen", "unverified"])
def test_only_accepted_replays(client: Client, accepted: Replay, judgement: str) -> None:
    cached = client.get(card(accepted))
    assert cached.status_code == 200
    Replay.objects.filter(pk=accepted.pk).update(judgement=judgement)
    for address in (card(accepted), frame(accepted, "1")):
        assert client.get(address).status_code == 404
        assert client.get(address, headers={"If-None-Match": cached["ETag"]}).status_code == 404
    assert "og:image" not in client.get(accepted.get_absolute_url()).content.decode()


@pytest.mark.parametrize("change", [{"status": "queued"}, {"ownership": "disowned"}, {"ownership": "waiting"}])
def test_replays_that_are_not_public(client: Client, accepted: Replay, change: dict[str, str]) -> None:
    Replay.objects.filter(pk=accepted.pk).update(**change)
    assert client.get(card(accepted)).status_code == client.get(frame(accepted)).status_code == 404


def test_lost_files_and_games_that_are_not_won(client: Client, accepted: Replay, ingest: Ingest) -> None:
    large = ingest(largest_game())
    Replay.objects.filter(pk=large.pk).update(judgement=Replay.Judgement.ACCEPTED)
    assert client.get(card(large)).status_code == client.get(frame(large, "3")).status_code == 200
    file_store.delete(accepted.sha256)
    cache.clear()
    assert client.get(card(accepted)).status_code == 404


# --- limits -----------------------------------------------------------------------------------------------------------


def test_only_what_is_drawn_is_counted(client: Client, accepted: Replay, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("replays.watch.pictures.selectors.PICTURE_LIMIT._rate", "2/minute")
    assert [client.get(card(accepted)).status_code for _ in range(5)] == [200] * 5
    assert [client.get(frame(accepted, str(t))).status_code for t in range(3)] == [200, 429, 429]
    refused = client.get(frame(accepted, "9"))
    assert 0 < int(refused["Retry-After"]) <= 60
    assert client.get(card(accepted)).status_code == 200, "what is kept is free"
    rate_limits.reset()
    assert client.get(frame(accepted, "9")).status_code == 200


def test_a_failure_does_not_hold_the_others(client: Client, accepted: Replay) -> None:
    data = file_store.get(accepted.sha256)
    file_store.delete(accepted.sha256)
    for _ in range(3):
        assert client.get(frame(accepted, "1")).status_code == 404
    file_store.put_many({accepted.sha256: data})
    assert client.get(frame(accepted, "1")).status_code == 200


def test_moments_after_the_end_are_drawn_once(
    client: Client, accepted: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = client.get(frame(accepted, "500"))
    monkeypatch.setattr(selectors, "draw_moment", lambda *_: pytest.fail("it is kept"))
    assert [client.get(frame(accepted, str(t))).content for t in (501, 777.7)] == [first.content] * 2


# --- tags -------------------------------------------------------------------------------------------------------------


def tags(client: Client, address: str) -> dict[str, str]:
    found = Document(client.get(address).content.decode()).all("meta")
    return {tag.get("property") or tag.get("name") or "": tag.get("content") or "" for tag in found}


def test_tags_of_the_page(client: Client, accepted: Replay) -> None:
    found = tags(client, accepted.get_absolute_url())
    assert found["og:image"] == f"http://testserver{card(accepted)}"
    assert (found["og:image:width"], found["og:image:height"]) == ("1200", "630")
    assert found["og:url"] == f"http://testserver{accepted.get_absolute_url()}"
    assert re.fullmatch(r"[0-9.]+ s · Expert · Ada Bot", found["og:title"])
    assert found["twitter:card"] == "summary_large_image"
    assert "3BV" in found["description"] == found["og:description"]


def test_a_link_to_a_moment_shows_it(client: Client, accepted: Replay) -> None:
    found = tags(client, f"{accepted.get_absolute_url()}?t=12.34")
    assert found["og:image"] == f"http://testserver{frame(accepted, '12.34')}"
    assert "og:image:width" not in found
    assert client.get(found["og:image"]).status_code == 200
    for bad in ('1"><script>', "abc", "1%26x=2"):
        assert tags(client, f"{accepted.get_absolute_url()}?t={bad}")["og:image"].endswith("card.png")


def test_names_are_escaped_and_chinese_ones_stay_in_the_title(client: Client, accepted: Replay, staff: User) -> None:
    assert accepted.player is not None
    accepted.player.name = '玩家"><script>'
    accepted.player.save()
    source = client.get(accepted.get_absolute_url()).content.decode()
    assert "<script>·" not in source
    assert '玩家"><script>' in tags(client, accepted.get_absolute_url())["og:title"]
    assert client.get(card(accepted)).status_code == 200
