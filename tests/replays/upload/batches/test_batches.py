"""Batches: which files are known, what came of the others, and claims of the names in them."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import Claim, Identity, Player, User
from players.people.services import players_for_names
from replays.models import BatchFile, Replay, UploadBatch
from replays.upload.batches import outcome as outcomes
from replays.upload.batches import services
from replays.upload.batches.outcome import outcome_of
from replays.upload.batches.services import BATCH_LIMIT, LIFETIME, delete_old_batches
from replays.upload.processing.services import analyse_replays
from tests.factories import stored_replay
from tests.pages.html import Document
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db
BATCHES = "/api/v1/me/batches/"
KNOWN = "/api/v1/me/known-files/"


def start(client: Client) -> int:
    answer = client.post(BATCHES)
    assert answer.status_code == 201
    number: int = answer.json()["id"]
    return number


def send(client: Client, batch: int | str, *files: tuple[str, bytes], address: str = "/upload/") -> Any:
    uploaded = [SimpleUploadedFile(name, data) for name, data in files]
    headers = {"Accept": "application/json"}
    return client.post(address, {"files": uploaded, "batch": str(batch)}, headers=headers)


def work() -> None:
    analyse_replays(list(Replay.objects.filter(status="queued").order_by("pk").values_list("pk", flat=True)))


def ask(client: Client, *hashes: str, **more: object) -> Any:
    return client.post(KNOWN, {"sha256": hashes, **more}, content_type="application/json")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


# --- known files ------------------------------------------------------------------------------------------------------


def test_what_the_question_tells(
    owner: User, owner_client: Client, other_client: Client, staff_client: Client, ingest: Ingest
) -> None:
    done, bad, cut, waits = game_file(1), b"nothing", game_file(2)[:300], game_file(3)
    for data in (done, bad, cut):
        ingest(data, uploader=owner)
    send(owner_client, "", ("waits.rawvf", waits))
    hashes = [sha256(data) for data in (done, bad, cut, waits, b"never sent")]

    def known(client: Client) -> list[str]:
        return [row["sha256"] for row in ask(client, *hashes).json()["known"]]

    # A file of an unknown format is analysed again, so it is sent.
    assert known(owner_client) == [hashes[0], hashes[2], hashes[3]]
    # What others sent looks like what was never sent: it is sent, so that its sender is remembered.
    assert known(staff_client) == known(other_client) == []
    Replay.objects.filter(sha256=hashes[2]).update(file_deleted_at=timezone.now())
    assert hashes[2] not in known(owner_client)  # sent again, the file is back


def test_questions_that_are_refused(owner_client: Client, client: Client) -> None:
    good = sha256(b"")
    for hashes in ([], ["x"], [good.upper()], [good + "0"], [good] * 501):
        assert ask(owner_client, *hashes).status_code == 400
    assert ask(owner_client, good, batch=1).status_code == 404
    assert ask(client, good).status_code == 401


def test_one_question_is_one_statement(owner: User, owner_client: Client) -> None:
    rows = [stored_replay(owner.player, uploader=owner) for _ in range(20)]
    ask(owner_client, sha256(b""))
    with CaptureQueriesContext(connection) as queries:
        assert len(ask(owner_client, *(row.sha256 for row in rows)).json()["known"]) == 20
    assert len([query for query in queries if "replays_replay" in query["sql"]]) == 1


# --- the outcome ------------------------------------------------------------------------------------------------------


def outcome(client: Client, batch: int) -> dict[str, Any]:
    answer = client.get(f"{BATCHES}{batch}/")
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


def test_what_is_settled_has_its_records(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that are analysed between two statements: the page that hears "settled" asks no more."""
    batch = start(owner_client)
    send(owner_client, batch, ("1.rawvf", game_file(1)))
    read = outcomes._events

    def done_meanwhile(of: UploadBatch) -> Any:
        events = read(of)
        work()
        return events

    monkeypatch.setattr(outcomes, "_events", done_meanwhile)
    assert outcome(owner_client, batch)["counts"]["waiting"] == 1
    monkeypatch.undo()
    found = outcome(owner_client, batch)
    assert found["counts"]["done"] == 1
    assert found["bests"]


def test_the_outcome_of_a_batch(owner: User, owner_client: Client, ingest: Ingest) -> None:
    ingest(game_file(1, player="Rival"), uploader=owner)
    ingest(game_file(2), uploader=owner)
    batch = start(owner_client)
    files = [(f"{seed}.rawvf", game_file(seed)) for seed in range(2, 8)]
    send(owner_client, batch, *files, ("empty.avf", b""), ("photo.jpg", b"nothing"))
    ask(owner_client, sha256(game_file(1, player="Rival")), batch=batch)
    assert outcome(owner_client, batch)["settled"] is False
    assert 'hx-trigger="load delay:2s"' in owner_client.get(f"/upload/batches/{batch}/").content.decode()
    work()
    found = outcome(owner_client, batch)
    assert found["settled"] is True
    assert found["counts"] == {
        "waiting": 0, "done": 5, "judged": 0, "rejected": 1, "duplicate": 1, "refused": 1, "known": 1,
    }  # fmt: skip
    assert found["names"] == [{"name": "Ada Bot", "games": 5, "owner": "nobody"}]
    assert [(reason["files"], reason["example"]) for reason in sorted(found["reasons"], key=lambda one: one["example"])] == [
        (1, "empty.avf"), (1, "photo.jpg"),
    ]  # fmt: skip
    assert len({reason["text"] for reason in found["reasons"]}) == 2
    before = Replay.objects.get(sha256=sha256(game_file(2)))
    new = Replay.objects.filter(sha256__in=[sha256(data) for _name, data in files]).exclude(pk=before.pk)
    best = max(new, key=lambda row: row.statistic("bvs") or 0)
    bests = {row["statistic"]: row for row in found["bests"] if row["level"] == "beginner"}
    expected, old = best.statistic("bvs"), before.statistic("bvs")
    assert expected is not None
    assert old is not None
    assert ("bvs" in bests) == (expected > old)
    if expected > old:
        assert (bests["bvs"]["value"], bests["bvs"]["old_value"]) == (expected, old)
        assert bests["bvs"]["replay"]["id"] == best.pk
        assert bests["bvs"]["rank"] in (1, 2)
    page = Document(owner_client.get(f"/upload/batches/{batch}/").content.decode())
    part = Document(owner_client.get(f"/upload/batches/{batch}/?part=outcome").content.decode())
    for shown in (page, part):
        assert "Ada Bot" in [field.get("value") for field in shown.all("input") if field.get("name") == "name"]
        assert all(reason["text"] in shown.text for reason in found["reasons"])
        assert {f"/replays/{best['replay']['id']}/" for best in found["bests"]} <= set(shown.links())
    assert not part.all("h1")
    lines = owner_client.get(f"{BATCHES}{batch}/files/").json()["rows"]
    assert [(line["name"], line["state"]) for line in lines] == [
        ("2.rawvf", "duplicate"), *((f"{seed}.rawvf", "done") for seed in range(3, 8)), ("empty.avf", "refused"),
        ("photo.jpg", "rejected"),
    ]  # fmt: skip


def test_a_first_game_is_a_record_and_a_best(owner_client: Client) -> None:
    batch = start(owner_client)
    assert send(owner_client, batch, ("a.rawvf", game_file(1)), address="/api/v1/replays/").status_code == 202
    work()
    found = outcome(owner_client, batch)
    times = [row for row in found["bests"] if (row["statistic"], row["level"]) == ("time", "beginner")]
    assert [(row["old_value"], row["rank_before"], row["rank"]) for row in times] == [(None, None, 1)]
    assert any(row["statistic"] == "time" for row in found["records"])
    assert found["more_bests"] > 0


def test_own_players_come_first_and_rows_lead_to_games(owner: User, owner_client: Client) -> None:
    players_for_names(["Zoe"])
    own = Player.objects.get(user=owner)
    Identity.objects.update(player=own, state=Identity.State.CLAIMED, claimant=owner)
    batch = start(owner_client)
    send(owner_client, batch, ("a.rawvf", game_file(1, player="Ada")), ("z.rawvf", game_file(2, player="Zoe")))
    work()
    Replay.objects.filter(identifier="Ada").update(judgement=Replay.Judgement.SUSPICIOUS)
    found = outcome(owner_client, batch)
    owned = [(row["player"]["name"], row["is_own"]) for row in found["bests"]]
    assert dict(owned) == {own.name: True, "Ada": False}
    assert own.name > "Ada"  # so that the order is not that of the names
    assert [is_own for _name, is_own in owned] == sorted((is_own for _name, is_own in owned), reverse=True)
    assert [row["name"] for row in found["names"]] == ["Zoe", "Ada"]
    zoe, ada = Replay.objects.get(identifier="Zoe"), Replay.objects.get(identifier="Ada")
    assert [(reason["example"], reason["replay"]["id"]) for reason in found["judged"]] == [("a.rawvf", ada.pk)]
    page = Document(owner_client.get(f"/upload/batches/{batch}/").content.decode())
    links = [
        link["href"] for link in page.all("a") if link.get("href") in (zoe.get_absolute_url(), ada.get_absolute_url())
    ]
    assert links[0] == zoe.get_absolute_url()
    assert links.count(ada.get_absolute_url()) > 2  # each best, the judgement and the file


@pytest.mark.parametrize(
    "name", ["Anonymous! Press F5 for Setup", "匿名玩家(anonymous player)", "双击设置姓名", "ANONYMOUS"]
)
def test_names_that_nobody_set_are_no_names(owner_client: Client, name: str) -> None:
    batch = start(owner_client)
    send(owner_client, batch, ("a.rawvf", game_file(1, player=name)))
    work()
    found = outcome(owner_client, batch)
    assert found["names"] == []
    assert not Identity.objects.exists()
    replay = Replay.objects.get()
    assert (replay.status, replay.identifier, replay.player) == ("done", "", None)


def test_batches_are_of_one_account(owner: User, owner_client: Client, other_client: Client, client: Client) -> None:
    batch = start(owner_client)
    send(other_client, batch, ("a.rawvf", game_file()))
    assert not BatchFile.objects.exists()  # stored, but not noted in a batch of somebody else
    assert Replay.objects.count() == 1
    for address in (f"{BATCHES}{batch}/", f"{BATCHES}{batch}/files/", f"/upload/batches/{batch}/"):
        assert other_client.get(address).status_code == 404
        assert client.get(address).status_code in (401, 302)
    assert other_client.post(f"/upload/batches/{batch}/names/", {"name": "Ada Bot"}).status_code == 404
    assert ask(other_client, sha256(b""), batch=batch).status_code == 404


def test_a_hidden_upload_of_somebody_else_has_no_link(owner: User, other_client: Client, ingest: Ingest) -> None:
    cut = ingest(game_file()[:300], uploader=owner)
    batch = start(other_client)
    send(other_client, batch, ("mine.rawvf", game_file()[:300]))
    (line,) = other_client.get(f"{BATCHES}{batch}/files/").json()["rows"]
    assert (line["replay"], line["html_url"], line["state"]) == (None, None, "duplicate")
    assert f"/replays/{cut.pk}/" not in other_client.get(f"/upload/batches/{batch}/").content.decode()


def test_deleted_games_stay_in_the_list_of_files(owner: User, owner_client: Client) -> None:
    batch = start(owner_client)
    send(owner_client, batch, ("a.rawvf", game_file()))
    Replay.objects.all().delete()
    (line,) = owner_client.get(f"{BATCHES}{batch}/files/").json()["rows"]
    assert (line["state"], line["replay"]) == ("deleted", None)
    assert outcome(owner_client, batch)["settled"] is True


def test_statements_do_not_grow(owner: User, owner_client: Client) -> None:
    def statements(count: int) -> int:
        batch = UploadBatch.objects.get(pk=start(owner_client))
        rows = [stored_replay(owner.player, uploader=owner, identifier=f"name {number}") for number in range(count)]
        rows += [
            stored_replay(None, uploader=owner, status="rejected", reject_code="unknown_format") for _ in range(count)
        ]
        rows += [stored_replay(None, uploader=owner, judgement="suspicious") for _ in range(count)]
        services.batch_add(batch, [BatchFile(name="x", outcome="stored", replay=row) for row in rows])
        services.batch_add(batch, [BatchFile(name="x", outcome="refused", message=str(n)) for n in range(count)])
        with CaptureQueriesContext(connection) as queries:
            outcome_of(batch)
        return len(queries)

    assert statements(1) == statements(12) == 10


def test_bounds(owner: User, owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_FILES", 3)
    batch = start(owner_client)
    send(owner_client, batch, *((f"{number}.avf", f"x{number}".encode()) for number in range(5)))
    send(owner_client, batch, ("more.avf", b"more"))
    assert (BatchFile.objects.count(), Replay.objects.count()) == (3, 6)
    BATCH_LIMIT.count(str(owner.pk), BATCH_LIMIT.amount)
    answer = owner_client.post(BATCHES)
    assert (answer.status_code, answer.json()["code"]) == (429, "too_many_requests")
    assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize("text", ["x", "0", "-1", "9" * 40, "١"])
def test_a_batch_that_is_none_is_ignored(owner_client: Client, text: str) -> None:
    assert send(owner_client, text, ("a.rawvf", game_file())).status_code == 200
    assert Replay.objects.count() == 1


def test_old_batches_are_deleted(owner: User) -> None:
    old, young = (
        UploadBatch.objects.create(user=owner, made_at=timezone.now() - age) for age in (LIFETIME * 1.1, LIFETIME * 0.9)
    )
    services.batch_add(old, [BatchFile(name="a", outcome="refused")])
    assert delete_old_batches() == 1
    assert list(UploadBatch.objects.all()) == [young]
    assert not BatchFile.objects.exists()


# --- names ------------------------------------------------------------------------------------------------------------


def test_ticking_a_name_opens_a_claim_and_changes_nothing_else(owner: User, owner_client: Client) -> None:
    batch = start(owner_client)
    send(owner_client, batch, *((f"{name}.rawvf", game_file(seed, player=name)) for seed, name in enumerate("ABC", 1)))
    work()
    names = f"/upload/batches/{batch}/names/"
    before = list(Identity.objects.order_by("name").values_list("name", "player", "state", "claimant"))
    answer = owner_client.post(names, {"name": "A"})
    assert answer.headers["Location"] == f"/account/claims/{Claim.objects.get().pk}/"
    assert owner_client.post(names, {"name": ["B", "C", "Somebody else"]}).headers["Location"] == "/account/#names"
    assert sorted(Claim.objects.values_list("name", "state")) == [("A", "open"), ("B", "open"), ("C", "open")]
    assert list(Identity.objects.order_by("name").values_list("name", "player", "state", "claimant")) == before
    assert owner_client.post(names).status_code == 302  # nothing ticked
