"""A date without a zone is that of the player's own clock: nobody's zone changes it, wherever it is shown."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import unquote

import pytest
from django.test import Client
from django.utils import timezone

from analysis.formats import rawvf
from players.models import User
from replays.models import Replay
from replays.own.account_deletion.export import _upload
from replays.trust.judging.services import replay_trust_date
from tests.effort import rest_long
from tests.encoders import avf
from tests.players.profile.charts.test_rows import built
from tests.replays.conftest import Ingest
from tests.replays.games import recording

pytestmark = pytest.mark.django_db

WRITTEN = datetime(2025, 12, 31, 23, 59, 58)  # noqa: DTZ001 - no zone in the file
ZONES = ("Asia/Shanghai", "America/Los_Angeles", "Pacific/Kiritimati", "UTC")
_SHOWN = re.compile(r"<time[^>]*>(2025-12-31|2026-01-01)[^<]*</time>")


def avf_of(when: datetime, seed: int = 1) -> bytes:
    game = recording(seed)
    events = game.events.copy()
    events["time_ms"] = events["time_ms"] // 10 * 10
    return avf.encode(
        replace(
            game, events=events, played_at=when, ended_at=when + timedelta(milliseconds=int(events["time_ms"].max()))
        )
    )


@pytest.fixture
def game(ingest: Ingest, owner: User) -> Replay:
    return ingest(avf_of(WRITTEN), name="nye.avf", uploader=owner)


def times_on(client: Client, address: str) -> list[str]:
    response = client.get(address)
    assert response.status_code == 200, address
    return [found[0] for found in re.finditer(_SHOWN, response.content.decode())]


@pytest.mark.parametrize("zone", rest_long(*ZONES, usual=2))
def test_pages_show_it_as_written(game: Replay, owner: User, staff: User, zone: str) -> None:
    client = Client()
    for user in (owner, staff):
        user.time_zone = zone
        user.save()
    replay_trust_date(game, staff, trusted=True)
    client.force_login(staff)
    player, level = game.player_id, game.level
    pages = [
        game.get_absolute_url(), f"/players/{player}/", f"/players/{player}/records/", "/records/", "/",
        f"/leaderboards/{level}/time/", f"/leaderboards/{level}/time/?period=2025", f"/leaderboards/sub/{level}/9/",
        f"/leaderboards/{level}/time/history/", f"/players/{player}/progress/{level}/time/",
    ]  # fmt: skip
    shown = {}
    for address in pages:
        shown[address] = times_on(client, address)
        assert all(">2025-12-31" in one and "data-format" not in one for one in shown[address]), (address, shown)
    assert all(shown.values()), shown


@pytest.mark.parametrize("zone", rest_long(*ZONES, usual=2))
def test_charts_take_it_as_written(game: Replay, zone: str) -> None:
    assert game.player is not None
    player = game.player

    def rows(name: str) -> list[dict[str, object]]:
        found: list[dict[str, object]] = built(player, name, zone=zone).rows
        return found

    assert [(row["weekday"], row["hour"]) for row in rows("hours")] == [(3, 23)]
    assert [row["day"] for row in rows("calendar")] == ["2025-12-31"]
    assert [row["period"] for row in rows("wins")] == ["2025-12"]


def test_the_day_of_the_calendar_lists_the_game(game: Replay, client: Client) -> None:
    for zone in ZONES:
        page = client.get(f"/players/{game.player_id}/charts/calendar/?zone={zone}").content.decode()
        (link,) = set(re.findall(r'href="(/replays/\?[^"]+)"', page))
        listed = client.get(link.replace("&amp;", "&")).content.decode()
        assert game.get_absolute_url() in listed, (zone, unquote(link))


def test_programs_get_it_without_an_offset(game: Replay, client: Client) -> None:
    answer = client.get(f"/api/v1/replays/{game.pk}/").json()
    assert answer["played_at"] == "2025-12-31T23:59:58"
    assert answer["achieved_at"].endswith("Z")
    assert client.get("/api/v1/replays/").json()["rows"][0]["played_at"] == "2025-12-31T23:59:58"
    totals = client.get(f"/api/v1/players/{game.player_id}/").json()["totals"]
    assert (totals["first_at"], totals["last_at"]) == ("2025-12-31T23:59:58", "2025-12-31T23:59:58")
    assert _upload(game)["played_at"] == WRITTEN
    written = client.get(f"/replays/{game.pk}.rawvf").content
    assert b"Timestamp: 2025-12-31T23:59:58" in written
    assert rawvf.read(written).played_at == WRITTEN


@pytest.mark.parametrize("stamp", ["1767225598000", "1767225598", "2025-12-31T23:59:58Z", "2026-01-01T07:59:58+08:00"])
def test_a_moment_is_still_everybodys_own(ingest: Ingest, owner: User, owner_client: Client, stamp: str) -> None:
    data = rawvf.write(replace(recording(1), played_at=WRITTEN))
    row = ingest(data.replace(b"2025-12-31T23:59:58", stamp.encode()))
    assert row.played_at == row.stated_at == WRITTEN.replace(tzinfo=UTC)
    owner.time_zone = "Asia/Shanghai"
    owner.save()
    assert any(">2026-01-01" in one for one in times_on(owner_client, row.get_absolute_url()))
    assert Client().get(f"/api/v1/replays/{row.pk}/").json()["played_at"] == "2025-12-31T23:59:58Z"


def test_a_stamp_without_a_zone_in_rawvf_has_none_either(ingest: Ingest) -> None:
    row = ingest(rawvf.write(replace(recording(1), played_at=WRITTEN)))
    assert (row.played_at_has_zone, row.stated_at) == (False, WRITTEN)


def test_lists_sort_by_what_is_written(ingest: Ingest, owner: User, client: Client) -> None:
    stamps = [WRITTEN, WRITTEN.replace(hour=1), WRITTEN.replace(day=30)]
    rows = [ingest(avf_of(when, seed), name=f"{seed}.avf") for seed, when in enumerate(stamps, 1)]
    found = client.get("/api/v1/replays/?played__gte=2025-12-31&played__lte=2025-12-31").json()["rows"]
    assert {row["id"] for row in found} == {rows[0].pk, rows[1].pk}
    found = client.get("/api/v1/replays/?played__gte=2025-12-31T12:00:00%2B08:00").json()["rows"]
    assert {row["id"] for row in found} == {rows[0].pk}
    assert rows[0].uploaded_at <= timezone.now()


def test_the_export_of_an_account_is_json(game: Replay) -> None:
    from django.core.serializers.json import DjangoJSONEncoder

    assert json.loads(json.dumps(_upload(game), cls=DjangoJSONEncoder))["played_at"] == "2025-12-31T23:59:58"
