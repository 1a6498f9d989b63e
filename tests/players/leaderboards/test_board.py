from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve

from players.leaderboards.board import Board, board_at
from players.leaderboards.boards import CORPSES_ON, OFFERED_N, ON_LEVEL, all_boards, board_key
from players.leaderboards.filters import LOST_GAMES, BoardFilter

FILTERS = BoardFilter(country="PL", min_bv=100, best_of=5, period="2024", as_of="2024-05-06")


def every_board() -> Iterator[Board]:
    yield from (Board(*key) for key in all_boards() if key.style == "all")
    yield from (Board(level, row.name, filters=LOST_GAMES) for level, rows in CORPSES_ON.items() for row in rows)
    yield from (Board(level, f"sub{n}") for level, offered in OFFERED_N.items() for n in offered)


@pytest.mark.parametrize("names", [("path", "board"), ("api_path", "api-board"), ("file", "api-board")])
def test_every_address_leads_back_to_its_board(names: tuple[str, str]) -> None:
    attribute, start = names
    for board in every_board():
        path = board.file_urls(["csv"])[0][1] if attribute == "file" else getattr(board, attribute)
        found = resolve(path)
        kwargs: dict[str, Any] = {"level": "combined", **found.kwargs}
        kwargs.pop("kind", None)
        lost = kwargs.pop("lost", "corpses" in str(found.url_name))
        assert str(found.url_name).startswith(start)
        assert board_at(**kwargs, lost=lost) == board, path


def test_an_address_keeps_style_filters_and_columns() -> None:
    board = Board("expert", "time", "NF", FILTERS)
    query = "?style=NF&period=2024&as_of=2024-05-06&country=PL&min_3bv=100&best_of=5&columns=gap%2Cbv"
    assert board.url("gap,bv") == "/leaderboards/expert/time/" + query
    assert board.file_urls(["csv"], "gap,bv") == [("csv", "/api/v1/leaderboards/expert/time/rows.csv" + query)]
    assert board.unfiltered().url() == "/leaderboards/expert/time/?style=NF"


def test_boards_of_other_levels_keep_what_they_take() -> None:
    by_level = {board.level: board for board in Board("expert", "stnb", "NF", FILTERS).on_levels()}
    assert by_level["expert"] == Board("expert", "stnb", "NF", FILTERS)
    assert by_level["combined"].filters.min_bv == 0
    assert by_level["combined"].filters.country == "PL"
    assert by_level["beginner-9x9"].statistic in {row.name for row in ON_LEVEL["beginner-9x9"]}
    subs = [board.url() for board in Board("expert", "sub40").on_levels()]
    assert all(board_at(**resolve(url).kwargs).n == OFFERED_N[url.split("/")[3]][1] for url in subs)
    lost = Board("expert", "stnb", filters=LOST_GAMES).on_levels()
    assert all(board.row in CORPSES_ON[board.level] for board in lost)
    assert {board.level for board in lost} == set(CORPSES_ON)


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["expert/time", "combined/time", "corpses/expert/stnb"])
@pytest.mark.parametrize("shape", ["/leaderboards/{}/", "/api/v1/leaderboards/{}/", "/api/v1/leaderboards/{}/rows.csv"])
def test_a_request_looks_up_its_board_once(
    client: Client, monkeypatch: pytest.MonkeyPatch, address: str, shape: str
) -> None:
    checked = 0

    def counted(*args: Any, **options: Any) -> Any:
        nonlocal checked
        checked += 1
        return board_key(*args, **options)

    monkeypatch.setattr("players.leaderboards.board.board_key", counted)
    assert client.get(shape.format(address)).status_code == 200
    assert checked == 1
