"""Tests that what a file proves decides whether it ranks (finding S2)."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from players.models import PersonalBest, User
from replays.models import Replay
from replays.trust.judging.services import replay_judge
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.services import analyse_replays
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _as_on_a_site(settings: Any) -> None:
    settings.RANK_OPEN_FORMATS = []


def test_a_text_editor_makes_no_records(ingest: Ingest, other_player: User, staff: User) -> None:
    """S2: an export with another name and other times; without the lines that could contradict it."""
    forged = b"\n".join(
        line for line in game_file(1, player="Nobody").split(b"\n") if not line.startswith((b"Timestamp", b"Ended"))
    )
    row = ingest(forged, uploader=other_player)
    assert (row.evidence, row.judgement, row.judgement_code, row.ranked) == ("open", "unverified", "open", False)
    assert not PersonalBest.objects.exists()
    assert row.statistic("time") is not None  # it is computed and shown all the same
    accepted = replay_judge(row, "accepted", "", staff)
    assert accepted.ranked


def test_a_site_may_rank_a_format_that_proves_nothing(ingest: Ingest, settings: Any) -> None:
    row = ingest(game_file(1))
    assert not row.ranked
    settings.RANK_OPEN_FORMATS = ["rawvf"]
    analyse_all_again()
    row.refresh_from_db()
    assert (row.judgement, row.ranked) == ("accepted", True)


def test_lost_games_need_no_decision(ingest: Ingest) -> None:
    from dataclasses import replace

    from analysis.formats import rawvf
    from tests.replays.games import recording

    game = recording(1)
    row = ingest(rawvf.write(replace(game, events=game.events[: len(game.events) // 2].copy())))
    assert (row.result, row.evidence, row.judgement) == ("unfinished", "open", "accepted")


def test_games_handed_in_by_our_own_code_rank_at_once() -> None:
    (receipt,) = receive_many([("a", game_file(1))], uploader=None, enqueue=False, trust=Trust(played_here=True))
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    row = Replay.objects.get()
    assert (row.evidence, row.ranked) == ("here", True)
    analyse_all_again()
    row.refresh_from_db()
    assert (row.evidence, row.ranked) == ("here", True)


def test_no_request_can_say_that_a_game_was_played_here(owner_client: Client) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    fields = {"evidence": "here", "trust": "1", "played_here": "1", "date_trusted": "1"}
    answer = owner_client.post("/api/v1/replays/", {**fields, "files": SimpleUploadedFile("a.rawvf", game_file(1))})
    assert answer.status_code == 400
    assert all(name in answer.content.decode() for name in fields)
    assert not Replay.objects.exists()


def test_evidence_is_shown_and_filtered(ingest: Ingest, client: Client) -> None:
    row = ingest(game_file(1))
    assert f'href="/help/evidence/#{row.evidence}"' in client.get(f"/replays/{row.pk}/").content.decode()
    assert client.get(f"/api/v1/replays/{row.pk}/").json()["evidence"] == "open"
    for kind, count in (("open", 1), ("sealed", 0), ("here", 0)):
        assert len(client.get(f"/api/v1/replays/?evidence={kind}").json()["rows"]) == count
        assert client.get(f"/replays/?evidence={kind}").status_code == 200
    assert len(client.get("/api/v1/replays/?judgement=unverified").json()["rows"]) == 1
    assert client.get("/api/v1/replays/?evidence=signed").status_code == 400


def test_the_help_page_explains_every_mark(client: Client) -> None:
    page = client.get("/help/evidence/").content.decode()
    for anchor in ("here", "sealed", "open", "provisional", "same", "dates", "findings"):
        assert f'id="{anchor}"' in page
