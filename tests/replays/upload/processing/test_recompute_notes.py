"""Notes for accounts whose bests were recomputed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.click_machine import Result
from analysis.recording import Level, Mode
from analysis.statistics import ANALYSED, VERSION
from players.leaderboards.services import rebuild_boards
from players.models import PersonalBest, Player, User
from replays.models import RecomputeNote, Replay
from replays.own.me.notes import notes_of
from replays.upload.processing.settling import settled_rows
from replays.upload.processing.settling.best_notes import bests_before
from tests.factories import rank_replays, stored_replay
from tests.pages.html import Document
from tests.players.made_games import MadeGame, Shelf, on_shelf
from tests.replays.again import analyse_outdated

pytestmark = pytest.mark.django_db

NAMES = tuple(row.name for row in ANALYSED)


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    made = Shelf()
    with on_shelf(made):
        yield made


def games_of(shelf: Shelf, player: Player, count: int = 3, level: Level = Level.EXPERT) -> list[Replay]:
    """Ranked games with right values, the best first."""
    games = [stored_replay(player, level, time_ms=40_000 + 1_000 * number) for number in range(count)]
    rank_replays(games)
    for row in games:
        values = {name: row.statistic(name) for name in NAMES}
        shelf.games[row.sha256] = MadeGame(
            row.game_hash or "", row.identifier, level, row.style, Mode.STANDARD, Result.WON, row.played_at, (), values
        )
    return games


def spoil(name: str, factor: float = 2.0) -> None:
    """Stored values as an older formula would have made them."""
    for row in Replay.objects.all():
        old = row.statistic(name)
        assert old is not None
        Replay.objects.filter(pk=row.pk).update(**{name: old * factor})
    rebuild_boards()


def analyse_all(chunk: int = 1_000) -> None:
    """Analyse every file again, which has the right values."""
    Replay.objects.update(statistics_version=0)
    assert analyse_outdated(chunk) == []


def best(player: Player, name: str = "stnb") -> float:
    return PersonalBest.objects.get(player=player, statistic=name, level="expert", style="all").value


def test_the_page_tells_the_values_before_and_after_and_the_rank_now(
    shelf: Shelf, owner: User, owner_client: Client
) -> None:
    games = games_of(shelf, owner.player)
    right = best(owner.player)
    spoil("stnb")
    wrong = best(owner.player)
    analyse_all()
    stored = RecomputeNote.objects.get()
    assert stored.changes["expert stnb"] == {"before": wrong, "after": right, "replay": games[0].pk}
    assert set(stored.changes) == {"expert stnb"}
    (note,) = notes_of(owner, owner.player, None)
    assert (note.kind.value, note.replay_number) == ("recomputed", games[0].pk)
    shown = f"Expert STNB: {wrong:.3f} → {right:.3f} (now rank 1)"
    assert shown in note.text
    assert shown in Document(owner_client.get("/").content.decode()).text
    (answered,) = owner_client.get("/api/v1/me/").json()["notes"]
    assert (answered["kind"], answered["text"]) == ("recomputed", note.text)


def test_one_note_whatever_the_number_of_games_and_chunks(shelf: Shelf, owner: User) -> None:
    games_of(shelf, owner.player, 12)
    right = best(owner.player)
    spoil("stnb")
    wrong = best(owner.player)
    analyse_all(chunk=2)
    (change,) = RecomputeNote.objects.get().changes.values()
    assert (change["before"], change["after"]) == (wrong, right), "the value before the first chunk, after the last"


def test_nothing_changed_is_no_news(shelf: Shelf, owner: User, other_player: User) -> None:
    games_of(shelf, owner.player)
    analyse_all()
    assert not RecomputeNote.objects.exists()
    spoil("stnb")
    Replay.objects.filter(player=owner.player).update(player=other_player.player)
    rebuild_boards()
    analyse_all()
    assert [note.user for note in RecomputeNote.objects.all()] == [other_player]


def test_players_without_an_account_cost_one_statement_a_chunk(shelf: Shelf, owner: User) -> None:
    nobody = Player.objects.create(name="nobody")
    games_of(shelf, nobody)
    analyse_all()  # by which they get the dates of their files
    with CaptureQueriesContext(connection) as queries:
        analyse_all()
    assert sum('FROM "players_personalbest" WHERE' in query["sql"] for query in queries) == 0
    spoil("stnb")
    analyse_all()
    assert not RecomputeNote.objects.exists()


def test_an_upload_at_the_same_time_is_no_recompute(shelf: Shelf, owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes between the look at the bests and the work."""
    games_of(shelf, owner.player)
    spoil("ioe", 1.0)

    def late(ids: Any) -> Any:
        found = bests_before(ids)
        rank_replays([stored_replay(owner.player, time_ms=30_000, statistics_version=VERSION)])
        return found

    monkeypatch.setattr(settled_rows, "bests_before", late)
    Replay.objects.filter(time_ms=42_000).update(stnb=1.0)  # something to do
    analyse_all()
    assert not RecomputeNote.objects.exists()
