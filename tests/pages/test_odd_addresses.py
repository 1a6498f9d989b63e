"""No page or API address of players, boards, uploads, search and comments fails on odd parameters: they answer below 500."""

from __future__ import annotations

import random
from typing import Any, Final

import pytest
from django.test import Client

from players.models import Player, User
from players.profile.charts.kinds.catalogue import KINDS
from replays.models import Comment, Replay, UploadBatch
from replays.upload.batches.services import batch_start
from replays.watch.comments.services import comment_create
from tests.conftest import with_second_factor
from tests.effort import amount
from tests.pages.conftest import MakePlayers
from tests.replays.conftest import ingest, store  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db

_HUGE: Final = "9" * 25
_ODD: Final = (
    "", " ", "0", "-1", "1", "2", "1e400", "NaN", "Infinity", "-Infinity", _HUGE, "9223372036854775807", "2147483648", "\x00",
    "a\x00b", "%", "_", "%%", "\\", "'", "\"", "=cmd|' /C calc'!A0", "<script>", "\u202e", "\u200b", "\ud7ff", "\U0010ffff", "e\u0301" * 60, "٣",
    "²", "1_0", "0x10", "+1", "1.5", "x" * 300, "../../etc/passwd", "localtime", "Factory", "posixrules", "Europe/Kyiv",
    "Etc/GMT+12", "1989", "2100", "1988", "2101", "2024-02-30", "2024-13", "0000", "9999-12-31", "active", "PL", "pl", "ZZ", "gap,bv",
    "none", "trend,age", "combined", "expert", "custom", "time", "cell0", "id", "all", "NF", "csv", "1,2,3", "sub 60", "sub60", "deadbeef",
    "#1", "f" * 64, "(((((", "a&b|!c", "judged", "waiting", "eyJhIjoxfQ:1abc:def", "true", "1:2:3", "AAAA", "desc", "-id", "time_ms",
)  # fmt: skip
_NAMES: Final = (
    "q", "cursor", "size", "level", "style", "statistic", "year", "zone", "period", "as_of", "country", "min_3bv",
    "best_of", "columns", "player", "value", "games", "n", "state", "part", "limit", "kind", "played__gte", "played__lte",
    "time_ms__gte", "time__lte", "result", "with", "chart", "view", "sort", "page", "tab", "format", "language",
)  # fmt: skip


def addresses(pk: int, other: int, replay: int, comment: int, batch: int) -> list[str]:
    """Addresses with one place for a level, a statistic, a name: each may be odd."""
    both = [
        "leaderboards/", "leaderboards/combined/{statistic}/", "leaderboards/sub/{level}/{n}/", "leaderboards/{level}/{statistic}/",
        "leaderboards/{level}/{statistic}/history/", "players/", f"players/{pk}/", "players/{n}/", "records/",
        "records/holders/", "statistics/", "search/", "replays/", f"replays/{replay}/",
    ]  # fmt: skip
    pages = [
        "leaderboards/countries/{level}/{statistic}/", "leaderboards/improvements/{level}/", f"players/{pk}/charts/{{chart}}/",
        f"players/{pk}/versus/{other}/", f"players/{pk}/versus/{{n}}/", f"players/{pk}/by-3bv/{{level}}/{{statistic}}/",
        f"players/{pk}/progress/{{level}}/{{statistic}}/", f"players/{pk}/needless-guesses/", f"replays/{replay}/comments/",
        "replays/{n}/comments/",
        "", "records.atom", f"upload/batches/{batch}/", "upload/batches/{n}/", "account/uploads/", "account/comments/", "staff/reports/", "staff/bans/", "staff/decisions/", "staff/versions/", "account/ban/", "account/decisions/",
        f"report/comment/{comment}/", "report/comment/{n}/", "help/glossary/", "help/", "upload/status/", "account/games/", "account/",
    ]  # fmt: skip
    api = [
        f"players/{pk}/ranks/{{level}}/{{statistic}}/", "me/", f"me/batches/{batch}/", f"me/batches/{batch}/files/",
        "me/batches/{n}/", "me/uploads/",
        "leaderboards/{level}/{statistic}/rows.{kind}", "replays/status/",
    ]  # fmt: skip
    return [f"/{path}" for path in both + pages] + [f"/api/v1/{path}" for path in both + api]


def filled(address: str, source: random.Random) -> str:
    """``address`` with each of its places filled, mostly with what it is for."""

    def one(*right: str) -> str:
        odd = source.choice(_ODD).replace("/", "")
        return (
            source.choice(right) if source.random() < 0.85 else "".join(f"%{byte:02X}" for byte in odd.encode()) or "x"
        )

    return address.format(
        level=one("expert", "beginner", "intermediate", "beginner-9x9", "combined"), statistic=one("time", "bvs", "ioe", "stnb", "path"),
        chart=one(*KINDS), n=source.choice(["0", "1", "40", "999999", _HUGE]), kind=one("csv", "ndjson"),
    )  # fmt: skip


@pytest.fixture
def visitors(db: None) -> list[Client]:
    """A guest, an account with a player, and staff."""
    user = User.objects.create_user("Somebody", password="x")
    staff = with_second_factor(User.objects.create_superuser("The staff"))
    Player.objects.create(name="Somebody", user=user)
    clients = [Client(), Client(), Client()]
    clients[1].force_login(user)
    clients[2].force_login(staff)
    return clients


@pytest.mark.long(beside="tests/pages/test_odd_addresses.py::test_odd_bodies_are_answered")
@pytest.mark.parametrize("seed", range(amount(long=8, usual=1)))
def test_odd_parameters_are_answered(
    seed: int, make_players: MakePlayers, visitors: list[Client], game: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("replays.browse.search.selectors.SEARCH_LIMIT._rate", "1000000/hour")
    monkeypatch.setattr("players.leaderboards.pages.export.EXPORT_LIMIT._rate", "1000000/hour")
    first, second = make_players(2)
    user = User.objects.get(username="Somebody")
    comment = comment_create(game, user, "Well played")
    batch = batch_start(user)
    source = random.Random(seed)
    places = addresses(first.pk, second.pk, game.pk, comment.pk, batch.pk)
    for address in places * amount(long=6, usual=4):
        path = filled(address, source)
        names = source.sample(_NAMES, source.choice([0, 1, 1, 2, 3]))
        query = {name: source.choice(_ODD) for name in names}
        headers = {"Accept-Language": source.choice(["en", "zh-hans"])} | (
            {"HX-Request": "true"} if source.random() < 0.3 else {}
        )
        response = source.choice(visitors).get(path, query, headers=headers)
        body = b"".join(response) if response.streaming else response.content
        assert response.status_code < 500, (path, query, response.status_code, body[:300])
    assert Comment.objects.exists()
    assert UploadBatch.objects.exists()


POSTS: Final = (
    ("/replays/{replay}/comments/", ("text",)),
    ("/replays/{replay}/like/", ("liked",)),
    ("/report/comment/{comment}/", ("rule", "text")),
    ("/comments/{comment}/moderate/", ("hidden", "reason", "next")),
    ("/comments/{n}/delete/", ("next",)),
    ("/account/uploads/delete/", ("replay", "state", "choice", "confirmed")),
    ("/upload/batches/{batch}/names/", ("name",)),
    ("/leaderboards/columns/", ("columns", "next")),
    ("/api/v1/me/uploads/delete/", ("replays",)),
    ("/api/v1/me/known-files/", ("sha256", "batch")),
    ("/api/v1/me/batches/", ()),
)
_JSON: Final[tuple[Any, ...]] = (
    None, True, 0, -1, 1.5, 10**30, "", "x", "\ud800", "\x00", [], {}, [[]], [None], [1], [10**30], ["x"], ["\ud800"], ["\x00"],
    ["f" * 64], ["F" * 64], ["f" * 64 + "\n"], {"a": 1}, [{}], "a\u0301" * 5000, "<b>", "\u202egnp", [-1], [2**63], [True],
)  # fmt: skip


@pytest.mark.parametrize("seed", range(amount(long=8, usual=1)))
def test_odd_bodies_are_answered(seed: int, visitors: list[Client], game: Replay) -> None:
    user = User.objects.get(username="Somebody")
    source = random.Random(seed)
    batch = batch_start(user)
    for path, fields in POSTS * amount(long=16, usual=8):
        comment = Comment.objects.order_by("?").first() or Comment.objects.create(
            replay=game, user=user, text="x", created_at=game.uploaded_at
        )
        address = path.format(replay=game.pk, comment=comment.pk, batch=batch.pk, n=source.choice(["0", _HUGE, "7"]))
        client = source.choice(visitors)
        if address.startswith("/api/") or source.random() < 0.1:
            body = {name: source.choice(_JSON) for name in fields if source.random() < 0.9}
            response = client.post(
                address, source.choice([body, body, body, [body], "x", None]), content_type="application/json"
            )
        else:
            response = client.post(
                address, {name: source.choice([*_ODD, [str(n) for n in range(300)]]) for name in fields}
            )
        assert response.status_code < 500, (address, response.content[:300])
