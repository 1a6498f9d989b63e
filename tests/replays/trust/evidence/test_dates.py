"""Tests of which date counts: a date in a file is only what somebody wrote there."""

from __future__ import annotations

import datetime
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from players.db.change_log import log_player_changes
from players.decision_log import Decision
from players.leaderboards.board import Board
from players.leaderboards.boards import BoardKey
from players.leaderboards.history.selectors import board_progression
from players.leaderboards.ranks import page_at
from players.models import PersonalBest, RecordEvent, User
from replays.models import Replay
from replays.trust.evidence.dates import counted_from
from replays.trust.judging.services import replay_trust_date
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.services import analyse_replays
from tests.players.queries import filter_in
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db

PLAYED = datetime.datetime(2008, 5, 1, 12, 0, tzinfo=datetime.UTC)
UPLOADED = datetime.datetime(2024, 5, 4, 12, 0, tzinfo=datetime.UTC)
TIME_BOARD = BoardKey("beginner", "time", "all")


@pytest.mark.parametrize(("evidence", "trusted"), list(product(["here", "sealed", "open", ""], [False, True])))
def test_only_trusted_dates_count(evidence: str, trusted: bool) -> None:
    found = counted_from(played_at=PLAYED, uploaded_at=UPLOADED, evidence=evidence, date_trusted=trusted)
    assert found == (PLAYED if trusted or evidence == "here" else UPLOADED)


def test_without_a_date_in_the_file_or_after_the_upload_the_upload_counts() -> None:
    later = UPLOADED + datetime.timedelta(hours=3)
    for played_at in (None, later):
        found = counted_from(played_at=played_at, uploaded_at=UPLOADED, evidence="here", date_trusted=True)
        assert found == UPLOADED


def dated(seed: int, year: int) -> bytes:
    return game_file(seed, played_at=datetime.datetime(year, 1, 1, tzinfo=datetime.UTC))


def receive(data: bytes, **trust: bool) -> Replay:
    (receipt,) = receive_many([("game", data)], uploader=None, enqueue=False, trust=Trust(**trust))
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    return Replay.objects.get(pk=receipt.replay_id)


def best_and_others() -> list[int]:
    """Seeds of the bot's games from the slowest to the fastest."""
    from tests.replays.games import recording

    return sorted(range(1, 6), key=lambda seed: -int(recording(seed).events["time_ms"].max()))


def test_a_file_of_2008_does_not_rewrite_the_record_history(ingest: Ingest) -> None:
    """Finding U3: one upload with an old date turned the history into one step."""
    seeds = best_and_others()
    for seed in seeds[:-1]:
        ingest(game_file(seed))
    before = [step.replay_id for step in board_progression(TIME_BOARD)]
    fastest = ingest(dated(seeds[-1], 2008))
    steps = [step.replay_id for step in board_progression(TIME_BOARD)]
    assert steps == [*before, fastest.pk]
    assert fastest.played_at == datetime.datetime(2008, 1, 1, tzinfo=datetime.UTC)
    assert fastest.achieved_at == fastest.uploaded_at
    event = RecordEvent.objects.get(kind="site", statistic="time", level="beginner", style="all", replay=fastest)
    assert event.happened_at == fastest.uploaded_at


def test_archives_with_trusted_dates_count_from_what_they_say() -> None:
    row = receive(dated(1, 2008), dates=True)
    assert (row.date_trusted, row.achieved_at) == (True, row.played_at)
    assert receive(dated(2, 2009)).achieved_at == Replay.objects.latest("pk").uploaded_at


def test_games_played_here_count_from_when_they_were_played() -> None:
    row = receive(dated(1, 2008), played_here=True)
    assert (row.evidence, row.achieved_at) == ("here", row.played_at)


def test_staff_confirm_a_date(ingest: Ingest, staff: User) -> None:
    row = ingest(dated(1, 2008))
    replay_trust_date(row, staff, trusted=True)
    row.refresh_from_db()
    assert row.achieved_at == row.played_at
    assert set(PersonalBest.objects.values_list("achieved_at", flat=True)) == {row.played_at}
    assert set(RecordEvent.objects.values_list("happened_at", flat=True)) == {row.played_at}
    assert Decision.objects.get().after == "date trusted"
    replay_trust_date(row, staff, trusted=False)
    row.refresh_from_db()
    assert row.achieved_at == row.uploaded_at
    assert set(RecordEvent.objects.values_list("happened_at", flat=True)) == {row.uploaded_at}


def test_only_staff_confirm_dates(
    ingest: Ingest, anonymous: Client, other_client: Client, staff_client: Client
) -> None:
    row = ingest(dated(1, 2008))
    address = f"/replays/{row.pk}/date/"
    assert anonymous.post(address, {"trusted": "yes"}).status_code == 302
    assert other_client.post(address, {"trusted": "yes"}).status_code == 403
    assert not Replay.objects.get().date_trusted
    assert staff_client.post(address, {"trusted": "yes"}).status_code == 302
    assert Replay.objects.get().date_trusted


def test_recompute_brings_stored_rows_over(ingest: Ingest) -> None:
    """Rows that an edited rule would date otherwise follow it."""
    row = ingest(dated(1, 2008))
    old: dict[str, Any] = {"achieved_at": row.played_at, "evidence": ""}
    Replay.objects.filter(pk=row.pk).update(**old)
    PersonalBest.objects.update(achieved_at=row.played_at)
    RecordEvent.objects.update(happened_at=row.played_at)
    analyse_all_again()
    row.refresh_from_db()
    assert (row.achieved_at, row.evidence) == (row.uploaded_at, "open")
    assert set(PersonalBest.objects.values_list("achieved_at", flat=True)) == {row.uploaded_at}
    assert set(RecordEvent.objects.values_list("happened_at", flat=True)) == {row.uploaded_at}


def test_a_stated_date_that_is_read_anew_moves_boards_of_periods(ingest: Ingest) -> None:
    row, active = ingest(dated(1, 2008)), filter_in({"period": "active"})
    assert page_at(Board(*TIME_BOARD, active), size=9).board_size == 0
    Replay.objects.filter(pk=row.pk).update(played_at=None)
    log_player_changes([row.player_id or 0])
    assert page_at(Board(*TIME_BOARD, active), size=9).board_size == 1
    analyse_all_again()
    assert page_at(Board(*TIME_BOARD, active), size=9).board_size == 0


def test_an_import_vouches_for_dates_only_if_asked(tmp_path: Any) -> None:
    from django.core.management import call_command

    (tmp_path / "a.rawvf").write_bytes(dated(1, 2008))
    (tmp_path / "b.rawvf").write_bytes(dated(2, 2008))
    call_command("import_replays", str(tmp_path / "a.rawvf"), "--inline", "--trust-dates")
    call_command("import_replays", str(tmp_path / "b.rawvf"), "--inline")
    first, second = Replay.objects.order_by("pk")
    assert first.achieved_at == first.played_at
    assert second.achieved_at == second.uploaded_at
    assert timezone.now() - second.uploaded_at < datetime.timedelta(minutes=10)
