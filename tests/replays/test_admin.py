from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from players.decision_log import Decision
from players.models import PersonalBest
from replays.models import Replay, file_store
from replays.trust.reasons import reject_text
from tests.replays.conftest import Ingest
from tests.replays.games import game_file

pytestmark = pytest.mark.django_db
LIST = "/admin/replays/replay/"


def act(client: Client, action: str, *replays: Replay, **fields: str) -> Any:
    chosen = {"action": action, "_selected_action": [replay.pk for replay in replays]}
    return client.post(LIST, chosen | fields, follow=True)


def test_the_list_and_a_replay_are_shown_and_nothing_is_edited(ingest: Ingest, staff_client: Client) -> None:
    row, rejected = ingest(game_file()), ingest(b"bad")
    page = staff_client.get(LIST)
    assert page.status_code == 200
    assert escape(reject_text(rejected)) in page.content.decode()
    for replay in (row, rejected):
        page = staff_client.get(reverse("admin:replays_replay_change", args=[replay.pk]))
        assert page.status_code == 200
        assert b'name="sha256"' not in page.content
    assert staff_client.get(reverse("admin:replays_replay_add")).status_code == 403


def test_the_list_takes_a_fixed_number_of_queries(
    ingest: Ingest, staff_client: Client, django_assert_max_num_queries: Any
) -> None:
    for seed in range(1, 9):
        ingest(game_file(seed))
    with django_assert_max_num_queries(12):
        staff_client.get(LIST)


def test_judging_needs_a_reason_and_moves_the_boards(ingest: Ingest, staff_client: Client) -> None:
    row = ingest(game_file())
    assert 'class="error"' in act(staff_client, "freeze", row).content.decode()
    assert Replay.objects.get().judgement == "accepted"
    act(staff_client, "freeze", row, reason="edited")
    frozen = Replay.objects.get()
    assert (frozen.judgement, frozen.judgement_reason, frozen.ranked) == ("frozen", "edited", False)
    assert not PersonalBest.objects.exists()
    act(staff_client, "accept", row)
    assert Replay.objects.get().ranked
    act(staff_client, "mark_suspicious", row, reason="odd")
    assert Replay.objects.get().judgement == "suspicious"


def test_deleting_many_goes_through_the_service(
    ingest: Ingest, staff_client: Client, django_capture_on_commit_callbacks: Any
) -> None:
    rows = [ingest(game_file(1)), ingest(game_file(2))]
    with django_capture_on_commit_callbacks(execute=True):
        act(staff_client, "delete_selected", *rows, post="yes")
    assert not Replay.objects.exists()
    assert not PersonalBest.objects.exists()
    assert not any(file_store.exists(row.sha256) for row in rows)
    assert Decision.objects.filter(action="deleted").count() == 2


def test_deleting_one_goes_through_the_service(ingest: Ingest, staff_client: Client) -> None:
    row = ingest(game_file())
    staff_client.post(reverse("admin:replays_replay_delete", args=[row.pk]), {"post": "yes"})
    assert not Replay.objects.exists()
    assert not PersonalBest.objects.exists()


def test_rejected_replays_are_analysed_again(ingest: Ingest, staff_client: Client) -> None:
    row = ingest(b"bad")
    assert act(staff_client, "analyse_again", row).status_code == 200
    assert Replay.objects.get().status == Replay.Status.QUEUED


def test_the_admin_is_for_staff_alone(owner_client: Client) -> None:
    assert owner_client.get(LIST).status_code == 302
