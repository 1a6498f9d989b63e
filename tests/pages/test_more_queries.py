"""Pages and API of players, rankings, uploads and comments take as many statements for thirty rows as for three."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from players.models import Player, User
from replays.models import BatchFile, Comment
from replays.upload.batches.services import batch_add, batch_start
from tests.caches import clear_caches
from tests.factories import EPOCH, comment_report, rank_replays, stored_replay
from tests.pages.conftest import MakePlayers
from tests.replays.conftest import store  # noqa: F401 - a fixture

pytestmark = pytest.mark.django_db

LIVE = ("live_clock", "live_guest", "live_unknown")


def fill(count: int, owner: User, others: User, make_players: MakePlayers) -> None:
    """``count`` rows of everything that lists show."""
    players = make_players(count, name=f"P{count}")
    Player.objects.filter(pk__in=[player.pk for player in players]).update(country="DE")
    own = Player.objects.get_or_create(user=owner, defaults={"name": "Own"})[0]
    for player in (*players, own):
        for days, time_ms in ((40, 90_000), (2, 80_000 + player.pk)):
            rank_replays([stored_replay(player, time_ms=time_ms, achieved_at=timezone.now() - timedelta(days=days))])
    batch = batch_start(owner)
    games = [
        stored_replay(players[number % len(players)], uploader=owner, time_ms=30_000 - number)
        for number in range(count)
    ]
    rank_replays(games)
    rejected = [
        stored_replay(
            None,
            uploader=owner,
            status="rejected",
            reject_code=f"code_{number}",
            reject_params={"message": "No."},
            ranked=False,
            game_hash=None,
        )
        for number in range(count)
    ]
    judged = [
        stored_replay(
            None,
            uploader=owner,
            judgement="suspicious",
            judgement_code=LIVE[number % len(LIVE)],
            identifier=f"name {count} {number}",
        )
        for number in range(count)
    ]
    batch_add(
        batch, [BatchFile(name="a", outcome="stored", message="", replay=game) for game in (*games, *rejected, *judged)]
    )
    batch_add(batch, [BatchFile(name="b", outcome="refused", message=f"Because {number}") for number in range(count)])
    replay = games[0] if not Comment.objects.exists() else Comment.objects.earliest("pk").replay
    for number in range(count):
        comment = Comment.objects.create(replay=replay, user=owner, text=f"{count} {number}", created_at=EPOCH)
        comment_report(comment, others, "spam", f"203.0.113.{count}")


GUEST = (
    "/leaderboards/countries/expert/time/", "/leaderboards/improvements/expert/", "/leaderboards/improvements/combined/",
    "/leaderboards/expert/time/?best_of=5",
    "/leaderboards/combined/time/?columns=trend,age", "/leaderboards/sub/expert/100/?columns=date,gap", "/search/?q=p",
    "/api/v1/search/?q=p", "/replays/{replay}/comments/", "/players/?q=p",
    "/players/{player}/versus/{other}/",
    "/players/{player}/by-3bv/expert/time/",
)  # fmt: skip
OWNER = (
    "/upload/batches/{batch}/", "/api/v1/me/batches/{batch}/", "/api/v1/me/batches/{batch}/files/", "/account/uploads/",
    "/api/v1/me/uploads/", "/account/comments/", "/", "/api/v1/me/",
)  # fmt: skip
STAFF = ("/staff/reports/", "/replays/{replay}/comments/")


@pytest.mark.long(beside="tests/pages/test_queries.py::test_lists_take_a_fixed_number_of_statements")
def test_statements_are_the_same_for_thirty_rows(
    make_players: MakePlayers, owner: User, other_player: User, owner_client: Client, staff_client: Client, client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("replays.browse.search.selectors.SEARCH_LIMIT._rate", "100000/hour")

    def statements() -> dict[str, int]:
        first, second = Player.objects.order_by("pk")[:2]
        places = {
            "replay": Comment.objects.earliest("pk").replay_id, "player": first.pk, "other": second.pk,
            "batch": BatchFile.objects.latest("pk").batch_id,
        }  # fmt: skip
        found = {}
        for visitor, addresses in ((client, GUEST), (owner_client, OWNER), (staff_client, STAFF)):
            for address in addresses:
                path = address.format(**places)
                visitor.get(path)  # the second visit notes nothing
                clear_caches()
                with CaptureQueriesContext(connection) as queries:
                    assert visitor.get(path).status_code == 200, path
                found[address] = len(queries)
        return found

    fill(3, owner, other_player, make_players)
    few = statements()
    fill(15, owner, other_player, make_players)
    many = statements()
    # A player in the middle of a board has a neighbour more than one at an end.
    grown = {address: (few[address], many[address]) for address in few if many[address] > few[address] + 1}
    assert not grown
