"""Files of withdrawn programs: the day of the upload counts, unless somebody vouches for the date in the file."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from players.models import User
from replays.models import Appeal, Replay
from replays.trust.judging.appeals import appeal_create
from replays.trust.judging.selectors import judgement_text
from replays.trust.judging.services import replay_judge, replay_trust_date
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.services import analyse_replays
from tests.analysis.evidence.honest import recording
from tests.encoders import native
from tests.replays.again import analyse_all_again
from tests.replays.conftest import Ingest

pytestmark = pytest.mark.django_db

CLONES = ("mvf 0.96", "mvf 0.97", "mvf 2006", "mvf 2007")


def received(form: str, **trust: bool) -> Replay:
    """A file of ``form`` that says a day on which its program was in use."""
    (receipt,) = receive_many(
        [("a", native.write(recording(form)))], uploader=None, enqueue=False, trust=Trust(**trust)
    )
    assert receipt.replay_id is not None
    analyse_replays([receipt.replay_id])
    return Replay.objects.get(pk=receipt.replay_id)


def state(row: Replay) -> tuple[Any, ...]:
    return row.evidence, row.judgement, row.judgement_code, row.ranked


@pytest.mark.parametrize("form", [*CLONES, "evf 3"])
def test_a_file_of_then_that_comes_today_does_not_rank_unseen(form: str) -> None:
    row = received(form)
    assert state(row) == ("open", "unverified", "version_withdrawn", False)
    assert [finding["code"] for finding in row.findings].count("version_withdrawn") == 1


@pytest.mark.parametrize("form", [*CLONES[1:], "evf 3"])
def test_an_archive_whose_dates_staff_vouch_for_ranks(form: str) -> None:
    row = received(form, dates=True)
    assert (row.evidence, row.ranked) == ("sealed", True)
    assert "version_withdrawn" not in {finding["code"] for finding in row.findings}


def test_a_date_that_the_file_does_not_have_cannot_be_vouched_for() -> None:
    assert state(received("mvf 0.96", dates=True)) == ("open", "unverified", "version_withdrawn", False)


@pytest.mark.parametrize("form", ["avf", "rmv 2", "evf 4"])
def test_files_of_programs_in_use_rank(form: str) -> None:
    row = received(form)
    assert (row.evidence, row.ranked) == ("sealed", True)


def test_the_owner_is_told_why_and_finds_the_way_to_staff(
    ingest: Ingest, owner: User, owner_client: Client, staff: User
) -> None:
    row = ingest(native.write(recording("mvf 2007")), uploader=owner)
    page = owner_client.get(row.get_absolute_url()).content.decode()
    reason = "files from Minesweeper Clone 2007 release 1 that arrive after 2013-12-31 count only once a moderator accepts them"
    assert reason in page
    assert f'href="/replays/{row.pk}/appeal/"' in page
    with translation.override("zh-hans"):
        assert reason not in judgement_text(row)
        assert "2013-12-31" in judgement_text(row)
    appeal_create(row, owner, "I played it in 2008; my old page shows it.")
    row = replay_judge(row, "accepted", "", staff)
    assert (row.judgement, row.ranked) == ("accepted", True)
    assert Appeal.objects.get().state == Appeal.State.GRANTED


def test_a_date_that_staff_confirm_counts_when_the_file_is_read_again(ingest: Ingest, staff: User) -> None:
    row = ingest(native.write(recording("mvf 2007")))
    replay_trust_date(row, staff, trusted=True)
    analyse_all_again()
    row.refresh_from_db()
    assert (row.evidence, row.judgement, row.ranked) == ("sealed", "accepted", True)


def test_to_be_read_again_does_not_lift_it(ingest: Ingest) -> None:
    row = ingest(native.write(recording("mvf 2007")))
    analyse_all_again()
    row.refresh_from_db()
    assert state(row) == ("open", "unverified", "version_withdrawn", False)
