"""The REST interface of jumps: sizes of boards, shares, and pages that open at a player or a value."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoDbBlocker

from analysis.statistics import CLASSIC_LEVELS
from players.models import Player, User
from tests.cases import check_each_on_site
from tests.factories import rank_replays, stored_replay
from tests.transactions import rows_of_a_module

pytestmark = pytest.mark.django_db

EXPERT = "leaderboards/expert/time/"
COMBINED = "leaderboards/combined/time/"


@pytest.fixture(scope="module", autouse=True)
def ten(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[Player]]:
    """Ten players; number n takes 40 + n s on each classic level."""
    with rows_of_a_module(django_db_blocker, _ten) as players:
        yield players


def _ten() -> list[Player]:
    players = [Player.objects.create(name=f"p{number}") for number in range(10)]
    rank_replays(
        [
            stored_replay(player, level, time_ms=40_000 + 1_000 * number)
            for number, player in enumerate(players)
            for level in CLASSIC_LEVELS
        ]
    )
    return players


def get(path: str, status: int = 200, client: Client | None = None, **query: Any) -> Any:
    response = (client or Client()).get(f"/api/v1/{path}", query)
    assert response.status_code == status, response.content
    return response.json()


@pytest.mark.parametrize("path", [EXPERT, COMBINED])
def test_boards_tell_their_size_and_shares(ten: list[Player], path: str) -> None:
    board = get(path, size=3)
    assert board["players"] == 10
    assert board["jump"] is None
    assert [row["percentile"] for row in board["rows"]] == [10.0, 20.0, 30.0]


@pytest.mark.parametrize("path", [EXPERT, COMBINED])
def test_a_page_opens_at_a_player(ten: list[Player], path: str) -> None:
    board = get(path, size=3, player=ten[7].pk)
    assert [row["player"]["name"] for row in board["rows"]] == ["p6", "p7", "p8"]
    assert (board["jump"]["player"]["name"], board["jump"]["rank"], board["jump"]["percentile"]) == ("p7", 8, 80.0)
    assert board["jump"]["value"] is None
    further = get(path, size=3, player=ten[7].pk, cursor=board["next_cursor"])
    assert [row["player"]["name"] for row in further["rows"]] == ["p9"]
    assert further["jump"] == board["jump"]


def test_a_page_begins_where_a_value_would_stand(ten: list[Player]) -> None:
    board = get(EXPERT, size=2, value="43.5")
    assert [row["player"]["name"] for row in board["rows"]] == ["p4", "p5"]
    assert board["jump"] == {"player": None, "value": 43.5, "rank": 5, "percentile": 50.0}
    back = get(EXPERT, size=2, cursor=board["previous_cursor"])
    assert [row["player"]["name"] for row in back["rows"]] == ["p2", "p3"]
    assert get(COMBINED, value="129")["jump"]["rank"] == 4
    last = get(EXPERT, value="99")
    assert (last["rows"], last["jump"]["rank"], last["jump"]["percentile"]) == ([], 11, 100.0)
    assert len(get(EXPERT, cursor=last["previous_cursor"])["rows"]) == 10


def test_values_of_the_interface_count_from_0_for_everybody(
    ten: list[Player], owner: User, owner_client: Client
) -> None:
    owner.clock = User.Clock.ONE
    owner.save()
    assert get(EXPERT, client=owner_client, value="43.5")["jump"]["rank"] == 5


def test_the_own_place_has_a_share(ten: list[Player], owner: User, owner_client: Client) -> None:
    rank_replays([stored_replay(owner.player, time_ms=99_000)])
    assert get(EXPERT, client=owner_client, size=1)["own_row"]["percentile"] == 100.0


def test_a_player_without_a_place(ten: list[Player]) -> None:
    idle = Player.objects.create(name="idle")
    board = get(EXPERT, size=2, player=idle.pk)
    assert [row["rank"] for row in board["rows"]] == [1, 2]
    assert (board["jump"]["rank"], board["jump"]["percentile"]) == (None, None)
    assert get(EXPERT, status=404, player=idle.pk + 1)["code"] == "not_found"


def test_what_cannot_be_looked_for_is_400() -> None:
    def is_refused(path: str, query: dict[str, Any]) -> None:
        response = get(path, status=400, **query)
        assert (response["code"], bool(response["detail"])) == ("bad_parameter", True)

    queries = [{"value": "x"}, {"value": "4,5"}, {"value": "nan"}, {"value": "1e400"}, {"value": "9" * 99}, {"player": "x"},
              {"player": "9" * 30}, {"player": "\x00"}]  # fmt: skip
    check_each_on_site(is_refused, product([EXPERT, COMBINED], queries))


def test_one_jump_at_a_time(ten: list[Player]) -> None:
    assert get(EXPERT, status=400, player=ten[0].pk, value="4")["code"] == "bad_parameter"
