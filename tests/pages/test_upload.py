"""Uploading from the browser, with scripts and without."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from players.models import User
from replays.models import Replay
from replays.trust.judging.rules import LIMIT
from replays.trust.judging.selectors import judgement_text
from replays.trust.reasons import reject_text
from replays.upload.intake.selectors import MAX_STATUSES
from replays.upload.processing.services import analyse_replays
from tests.pages.html import Document
from tests.replays.games import game_file


def send(client: Client, *files: tuple[str, bytes], scripted: bool = False) -> Any:
    uploaded = [SimpleUploadedFile(name, data) for name, data in files]
    headers = {"Accept": "application/json"} if scripted else {}
    return client.post("/upload/", {"files": uploaded}, headers=headers)


def statuses(client: Client, *ids: int) -> list[dict[str, Any]]:
    response = client.get(f"/upload/status/?ids={','.join(map(str, ids))}")
    assert response.status_code == 200
    rows: list[dict[str, Any]] = json.loads(response.content)["replays"]
    return rows


def test_form_works_without_scripts(owner_client: Client) -> None:
    response = send(
        owner_client, ("game.rawvf", game_file()), ("again.rawvf", game_file()), ("<i>x", b"nonsense"), ("e", b"")
    )
    page = Document(response.content.decode())
    assert "2 stored, 1 already on the site, 1 refused." in page.text
    assert "The file is empty." in page.text
    assert "<i>x" in page.text
    for replay in Replay.objects.all():
        assert replay.get_absolute_url() in page.links()


def test_script_gets_a_receipt_for_each_file(owner: User, owner_client: Client) -> None:
    response = send(owner_client, ("a.rawvf", game_file()), ("b.rawvf", game_file()), ("c", b""), scripted=True).json()
    first, second, third = response["receipts"]
    replay = Replay.objects.get()
    assert replay.uploader == owner
    assert first == {
        "name": "a.rawvf",
        "outcome": "stored",
        "id": replay.pk,
        "url": f"/replays/{replay.pk}/",
        "message": "",
    }
    assert (second["outcome"], second["id"]) == ("duplicate", replay.pk)
    assert third == {"name": "c", "outcome": "refused", "id": None, "url": "", "message": "The file is empty."}


def test_archive_gives_a_receipt_for_each_member(owner_client: Client) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as packed:
        packed.writestr("one/a.rawvf", game_file(1))
        packed.writestr("../b.rawvf", game_file(2))
    response = send(owner_client, ("games.zip", archive.getvalue()), scripted=True).json()
    assert [receipt["name"] for receipt in response["receipts"]] == ["a.rawvf", "b.rawvf"]
    assert Replay.objects.count() == 2


def test_status_follows_the_analysis(owner_client: Client) -> None:
    send(owner_client, ("good.rawvf", game_file()), ("bad.avf", b"nonsense"))
    good, bad = Replay.objects.order_by("pk")
    assert [row["status"] for row in statuses(owner_client, good.pk, bad.pk)] == ["queued", "queued"]
    analyse_replays([good.pk, bad.pk])
    done, rejected = statuses(owner_client, good.pk, bad.pk)
    good.refresh_from_db()
    assert done["status"] == "done"
    assert done["numbers"].startswith("Beginner · ")
    assert f"3BV {good.statistic('bv')}" in done["numbers"]
    assert (done["judgement"], done["why"]) == (good.judgement, judgement_text(good))
    assert rejected["status"] == "rejected"
    assert "isn't a replay in any format" in rejected["reason"]


def test_status_says_on_the_readers_clock_why_a_game_does_not_count(ingest: Callable[..., Replay]) -> None:
    replay = ingest(game_file())
    params = {"statistic": "time", "sign": "<", "value": 0.4, "bound": 1.0}
    Replay.objects.update(judgement="suspicious", judgement_code=LIMIT, judgement_params=params)
    reader = Client()
    for clock, told in (("zero", "Time is 0.400 s, below the 1 s"), ("one", "Time is 1.400 s, below the 2 s")):
        reader.cookies["clock"] = clock
        (row,) = statuses(reader, replay.pk)
        assert row["judgement"] == "suspicious"
        assert row["why"].startswith(told)


def test_status_of_a_game_in_another_wrapper(owner_client: Client) -> None:
    send(owner_client, ("a.rawvf", game_file()), ("b.rawvf", game_file() + b"\n"))
    first, second = Replay.objects.order_by("pk")
    analyse_replays([first.pk])
    analyse_replays([second.pk])
    row = statuses(owner_client, second.pk)[0]
    assert (row["status"], row["url"]) == ("done", second.get_absolute_url())


def test_status_hides_what_others_wait_for(owner_client: Client, other_client: Client) -> None:
    send(owner_client, ("game.rawvf", game_file()))
    assert statuses(other_client, Replay.objects.get().pk) == []


@pytest.mark.parametrize("ids", ["a", "1,", "-1", "1" * 30, ",".join(["1"] * (MAX_STATUSES + 1)), "١"])
def test_bad_ids_are_refused(owner_client: Client, ids: str) -> None:
    assert owner_client.get("/upload/status/", {"ids": ids}).status_code == 400


def test_an_account_is_needed(db: None, client: Client) -> None:
    page = Document(client.get("/upload/").content.decode())
    assert not page.all("input") or all(field.get("type") != "file" for field in page.all("input"))
    assert "/sign-in/?next=/upload/" in page.links()
    assert send(client, ("game.rawvf", game_file())).headers["Location"] == "/sign-in/?next=/upload/"
    assert send(client, ("game.rawvf", game_file()), scripted=True).status_code == 403
    assert not Replay.objects.exists()


def test_anonymous_uploads_if_the_site_allows_them(db: None, client: Client, settings: Any) -> None:
    settings.ANONYMOUS_UPLOADS = True
    assert send(client, ("game.rawvf", game_file()), scripted=True).status_code == 200
    assert statuses(client, Replay.objects.get().pk)[0]["status"] == "queued"


def test_nothing_sent(owner_client: Client) -> None:
    assert owner_client.post("/upload/").status_code == 400
    response = owner_client.post("/upload/", headers={"Accept": "application/json"})
    assert response.status_code == 400
    assert response.json()["error"].startswith("No file")


def test_too_many_files(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis.limits.UPLOAD_MAX_FILES", 2)
    response = send(owner_client, *((f"{number}.avf", b"x") for number in range(3)), scripted=True)
    assert response.status_code == 400
    assert "at most 2" in response.json()["error"]
    assert not Replay.objects.exists()


def test_form_needs_its_token(owner: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert send(client, ("game.rawvf", game_file())).status_code == 403
    assert not Replay.objects.exists()


def test_a_duplicate_of_another_account_has_no_link_to_its_hidden_page(
    owner_client: Client, other_client: Client
) -> None:
    send(owner_client, ("bad.avf", b"nonsense"), ("cut.rawvf", game_file()[:300]), ("good.rawvf", game_file()))
    bad, cut, good = Replay.objects.order_by("pk")
    analyse_replays([bad.pk, cut.pk, good.pk])
    files = (("my.rawvf", game_file()[:300]), ("mine.rawvf", game_file()))
    (hidden, shown) = send(other_client, *files, scripted=True).json()["receipts"]
    cut.refresh_from_db()
    assert (hidden["outcome"], hidden["url"], hidden["message"]) == ("duplicate", "", reject_text(cut))
    assert hidden["message"]
    assert (shown["outcome"], shown["url"]) == ("duplicate", good.get_absolute_url())
    links = Document(send(other_client, *files).content.decode()).links()
    assert good.get_absolute_url() in links
    assert cut.get_absolute_url() not in links
    assert send(owner_client, files[0], scripted=True).json()["receipts"][0]["url"] == cut.get_absolute_url()
