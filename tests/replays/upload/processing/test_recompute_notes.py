"""Notes for accounts whose bests were recomputed."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from analysis.recording import Level
from players.leaderboards.services import rebuild_boards
from players.models import PersonalBest, Player, User
from replays.models import RecomputeNote, Replay
from replays.own.me.notes import notes_of
from replays.upload.processing.recompute import passes, recompute, run
from replays.upload.processing.recompute.recompute_notes import bests_before
from tests.factories import rank_replays, stored_replay
from tests.pages.html import Document

pytestmark = pytest.mark.django_db


def games_of(player: Player, count: int = 3, level: Level = Level.EXPERT) -> list[Replay]:
    """Ranked games with right values, the best first."""
    games = [stored_replay(player, level, time_ms=40_000 + 1_000 * number) for number in range(count)]
    rank_replays(games)
    return games


def spoil(name: str, factor: float = 2.0) -> None:
    """Stored values as an older formula would have made them."""
    for row in Replay.objects.all():
        old = row.statistic(name)
        assert old is not None
        Replay.objects.filter(pk=row.pk).update(**{name: old * factor})
    rebuild_boards()


def recompute_all(*names: str) -> int:
    """Recompute ``names`` in every row; in how many a value changed."""
    return sum(chunk.changed for what in passes(statistics=names, every_row=True) for chunk in recompute(what))


def best(player: Player, name: str = "stnb") -> float:
    return PersonalBest.objects.get(player=player, statistic=name, level="expert", style="all").value


def test_the_page_tells_the_values_before_and_after_and_the_rank_now(owner: User, owner_client: Client) -> None:
    games = games_of(owner.player)
    right = best(owner.player)
    spoil("stnb")
    wrong = best(owner.player)
    assert recompute_all("stnb") == 3
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


def test_one_note_whatever_the_number_of_games_and_chunks(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    games_of(owner.player, 12)
    right = best(owner.player)
    spoil("stnb")
    wrong = best(owner.player)
    monkeypatch.setattr(run, "DERIVED_ROWS", 2)
    recompute_all("stnb")
    (change,) = RecomputeNote.objects.get().changes.values()
    assert (change["before"], change["after"]) == (wrong, right), "the value before the first chunk, after the last"


def test_nothing_changed_is_no_news(owner: User, other_player: User) -> None:
    games_of(owner.player)
    recompute_all("stnb")
    assert not RecomputeNote.objects.exists()
    spoil("stnb")
    Replay.objects.filter(player=owner.player).update(player=other_player.player)
    rebuild_boards()
    recompute_all("stnb")
    assert [note.user for note in RecomputeNote.objects.all()] == [other_player]


def test_players_without_an_account_cost_one_statement_a_chunk(owner: User) -> None:
    nobody = Player.objects.create(name="nobody")
    games_of(nobody)
    with CaptureQueriesContext(connection) as queries:
        recompute_all("stnb")
    assert sum("personalbest" in query["sql"] for query in queries) == 0
    spoil("stnb")
    recompute_all("stnb")
    assert not RecomputeNote.objects.exists()


def test_an_upload_at_the_same_time_is_no_recompute(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes between the look at the bests and the work."""
    games_of(owner.player)
    spoil("ioe", 1.0)

    def late(ids: Any) -> Any:
        found = bests_before(ids)
        rank_replays([stored_replay(owner.player, time_ms=30_000)])
        return found

    monkeypatch.setattr(run, "bests_before", late)
    Replay.objects.filter(time_ms=42_000).update(stnb=1.0)  # something to do
    assert recompute_all("stnb") == 1
    assert not RecomputeNote.objects.exists()


def test_a_run_that_was_stopped_goes_on_with_its_note(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    games_of(owner.player, 4)
    spoil("stnb")
    monkeypatch.setattr(run, "DERIVED_ROWS", 1)
    (what,) = passes(statistics=["stnb"], every_row=True)
    stopped = recompute(what)
    next(stopped)
    del stopped
    for _chunk in recompute(what):
        pass
    assert RecomputeNote.objects.count() == 1
