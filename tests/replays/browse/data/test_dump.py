"""A dump has what the API serves to guests, of one moment, and nothing else."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from players.db.change_log import log_level_changes
from players.db.changes import changes_after, place_from
from players.models import Change, Player, RecordEvent, User
from players.web.disk import StorageFull
from replays.browse.data import services
from replays.browse.data.dumped_rows import KINDS
from replays.browse.data.services import DumpError, make_dump
from replays.models import Replay, store_mark
from tests.effort import seeds
from tests.factories import stored_replay
from tests.replays.browse.data.site import PRIVATE, bytes_of, fill, rows_of, tables_of, walk
from tests.replays.conftest import store as store

pytestmark = pytest.mark.django_db(transaction=True)

#: Addresses, which follow from the id.
ADDRESSES = {"url", "html_url"}
#: Properties of the API's objects that rows of a dump do not have.
LEFT_OUT = {
    "replays": ADDRESSES | {
        "links", "equals", "seal_in_doubt", "provenance", "reject_code", "reject_text", "reject_detail", "reject_params",
    },
    "players": ADDRESSES | {"totals", "boards_played", "not_owned_games", "bests", "best_corpses", "sub_ladders"},
    "records": set(),
    "statistics": set(),
}  # fmt: skip


@pytest.fixture
def account(staff: User) -> User:
    return fill(1, staff)


def served(client: Client) -> dict[str, list[dict[str, Any]]]:
    """Everything that the API serves to a guest."""
    return {
        "replays": [client.get(row["url"]).json() for row in walk(client, "replays/?size=7")],
        "players": [client.get(row["player"]["url"]).json() for row in walk(client, "players/?size=7")],
        "records": [row for style in ("all", "NF", "FL") for row in walk(client, f"records/?style={style}&size=50")],
        "statistics": client.get("/api/v1/statistics/").json()["rows"],
    }


def without_addresses(value: Any) -> Any:
    """Leave out the addresses of the objects inside."""
    if isinstance(value, dict):
        return {name: without_addresses(one) for name, one in value.items() if name not in ADDRESSES}
    return [without_addresses(one) for one in value] if isinstance(value, list) else value


@pytest.mark.long(beside="tests/replays/browse/data/test_dump.py::test_every_row_is_of_the_schema")
@pytest.mark.parametrize("seed", seeds(1, 2, 3))
def test_every_row_is_that_of_the_api_for_guests(client: Client, staff: User, seed: int) -> None:
    fill(seed, staff)
    dumped = rows_of(make_dump())
    for kind, expected in served(client).items():
        rows, key = dumped[kind], "name" if kind == "statistics" else "id"
        assert len(rows) > 5, kind
        assert [row[key] for row in rows] == (
            [row[key] for row in expected] if key == "name" else sorted(row[key] for row in expected)
        )
        by_key = {row[key]: row for row in expected}
        for row in rows:
            whole = by_key[row[key]]
            assert whole.keys() - row.keys() == LEFT_OUT[kind]
            assert row == {name: without_addresses(whole[name]) for name in row}


def test_nothing_private_is_in_any_byte(account: User, owner: User) -> None:
    written = bytes_of(make_dump())
    assert written.count(b"seen: frozen"), "the reason of staff is public, as on the page of the replay"
    assert "hidden\u202eeman".encode() in written
    assert [word for word in PRIVATE if word.encode() in written] == []
    hidden = Replay.objects.exclude(status=Replay.Status.DONE).values_list("sha256", flat=True)
    assert len(hidden) == 3
    assert not [sha256 for sha256 in hidden if sha256.encode() in written]


def test_tables_have_the_same_rows(account: User, tmp_path: Path) -> None:
    dump = make_dump()
    dumped, tables = rows_of(dump), tables_of(dump, tmp_path)
    tables.row_factory = lambda cursor, row: dict(zip([one[0] for one in cursor.description], row, strict=True))
    for kind in KINDS:
        rows = tables.execute(f'SELECT * FROM "{kind.name}" ORDER BY rowid').fetchall()  # noqa: S608 - our own names
        assert len(rows) == len(dumped[kind.name])
        for row, whole in zip(rows, dumped[kind.name], strict=True):
            _check_columns(row, whole)
    tables.close()


def _check_columns(row: dict[str, Any], whole: dict[str, Any]) -> None:
    expected: dict[str, Any] = {}
    for name, value in whole.items():
        if name == "statistics":
            expected |= {one: number for one, number in value.items() if one in row}
        elif f"{name}_id" in row:
            expected[f"{name}_id"] = value and value["id"]
        else:
            expected[name] = value
    read = {
        name: json.loads(row[name]) if isinstance(value, (dict, list)) else row[name]
        for name, value in expected.items()
    }
    assert read == expected
    assert row.keys() == expected.keys()


def test_every_row_is_of_the_schema(account: User) -> None:
    dump = make_dump()
    schema = json.loads((dump / "schema.json").read_bytes())
    for kind, rows in rows_of(dump).items():
        of_kind = {**schema, "$ref": f"#/$defs/{kind}"}
        jsonschema.Draft202012Validator.check_schema(of_kind)
        validator = jsonschema.Draft202012Validator(of_kind)
        for row in rows:
            validator.validate(row)
            assert row.keys() == schema["$defs"][kind]["properties"].keys()
    broken = {**rows_of(dump)["replays"][0], "level": "hard"}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(broken, {**schema, "$ref": "#/$defs/replays"})


def test_the_index_tells_counts_hashes_and_licence(account: User, settings: Settings) -> None:
    settings.DATA_LICENCE = "CC-BY-4.0"
    dump = make_dump()
    index = json.loads((dump / "index.json").read_bytes())
    assert index["licence"] == "CC-BY-4.0"
    assert index["licence_url"].startswith("https://creativecommons.org/licenses/by/4.0")
    assert {one["name"] for one in index["files"]} == {path.name for path in dump.iterdir()} - {"index.json"}
    counts = {kind: len(rows) for kind, rows in rows_of(dump).items()}
    assert {one["kind"]: one["rows"] for one in index["files"] if one["kind"]} == counts
    for one in index["files"]:
        data = (dump / one["name"]).read_bytes()
        assert (one["bytes"], one["sha256"]) == (len(data), hashlib.sha256(data).hexdigest())


def test_all_rows_are_of_one_moment(account: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Writers between players and replays change nothing in the dump, and changes after its position have all of it."""
    late: list[Replay] = []

    def write() -> None:
        player = Player.objects.create(name="Late")
        late.append(stored_replay(player))
        log_level_changes({(player.pk, "expert")})
        connection.close()

    def write_when_players_are_read(_folder: Path) -> bool:
        looks.append(None)
        if len(looks) == 2:
            thread = threading.Thread(target=write)
            thread.start()
            thread.join()
        return True

    looks: list[None] = []
    monkeypatch.setattr(services, "has_room", write_when_players_are_read)
    dump = make_dump()
    assert len(late) == 1
    dumped = rows_of(dump)
    assert late[0].pk not in [row["id"] for row in dumped["replays"]]
    assert "Late" not in [row["name"] for row in dumped["players"]]
    place = json.loads((dump / "index.json").read_bytes())["changes_after"]
    told = changes_after(place_from(place), 200).rows
    assert late[0].pk in [change.thing_id for change in told if change.thing == Change.Thing.REPLAY]


def test_statements_do_not_grow_with_rows(account: User, root: Path) -> None:
    def statements(name: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            make_dump(root / name)
        return len(captured)

    few = statements("few")
    for number in range(40):
        stored_replay(
            Player.objects.create(name=f"more {number}"), findings=[{"code": "seal_stub", "params": {"byte": 7}}]
        )
    assert statements("many") == few <= 20


def test_a_full_disk_ends_it_and_leaves_nothing(account: User, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = make_dump()
    monkeypatch.setattr(services, "has_room", lambda _folder: False)
    with pytest.raises(StorageFull):
        make_dump()
    assert {path.name for path in root.iterdir()} == {".lock", "files", before.name}
    with pytest.raises(CommandError, match="out of storage"):
        call_command("dump")


def test_what_an_earlier_one_left_is_removed(root: Path) -> None:
    (root / ".unfinished-20200101T000000Z" / "months").mkdir(parents=True)
    made = make_dump()
    assert {path.name for path in root.iterdir()} == {".lock", "files", made.name}


def test_one_is_made_at_a_time(root: Path) -> None:
    with services._only_one(root), pytest.raises(DumpError, match="Another dump"):
        make_dump()


def test_a_store_that_is_not_ours_makes_none(store: Path, root: Path) -> None:
    """A folder that was not mounted would make archives without files."""
    store_mark.mark_store()
    for path in store.glob("mark-*"):
        path.unlink()
    with pytest.raises(CommandError, match="not visible"):
        call_command("dump")
    assert not root.exists()


@pytest.mark.parametrize(("kept", "left"), [(2, 2), (0, 1)])
def test_old_ones_are_deleted(root: Path, settings: Settings, kept: int, left: int) -> None:
    settings.DUMPS_KEPT = kept
    old = [root / f"2020010{day}T000000Z" for day in range(1, 4)]
    for folder in old:
        folder.mkdir(parents=True)
    other = root / "notes"
    other.mkdir()
    made = make_dump()
    assert sorted(path.name for path in root.glob("20*Z")) == sorted(
        [made.name, *(one.name for one in old[::-1])][:left]
    )
    assert other.is_dir(), "what is not ours stays"


def test_personal_records_are_left_out(account: User) -> None:
    assert RecordEvent.objects.filter(kind="personal").exists()
    assert {row["kind"] for row in rows_of(make_dump())["records"]} == {"site"}
