"""The page of versions: seen by moderators alone, who are told of new ones in their tabs."""

from __future__ import annotations

import pytest
from django.test import Client

from players.models import User
from replays.models import AcceptedVersion, Replay
from tests.replays.conftest import Ingest
from tests.replays.moderation.conftest import signed_in
from tests.replays.trust.versions.test_versions import NEW, game_of_version

pytestmark = pytest.mark.django_db


def test_moderators_are_told_of_a_new_version_and_accept_it(ingest: Ingest, moderator_client: Client) -> None:
    assert "Versions (" not in moderator_client.get("/staff/reports/").content.decode()
    row = ingest(game_of_version())
    assert "Versions (1)" in moderator_client.get("/staff/reports/").content.decode()
    page = moderator_client.get("/staff/versions/").content.decode()
    assert NEW in page
    assert 'value="evf"' in page
    answer = moderator_client.post("/staff/versions/", {"format": "evf", "format_variant": "v4", "software": NEW})
    assert answer.status_code == 302
    assert Replay.objects.get(pk=row.pk).judgement == "accepted"
    page = moderator_client.get("/staff/versions/").content.decode()
    assert "Versions (" not in page
    assert AcceptedVersion.objects.get().accepted_by is not None


def test_nobody_else_sees_or_accepts(ingest: Ingest) -> None:
    ingest(game_of_version())
    user = signed_in(User.objects.create_user("somebody"))
    assert user.get("/staff/versions/").status_code == 403
    assert user.post("/staff/versions/", {"format": "evf", "format_variant": "v4", "software": NEW}).status_code == 403
    assert Client().get("/staff/versions/").status_code == 302
    assert not AcceptedVersion.objects.exists()


def test_what_a_file_calls_itself_is_escaped(ingest: Ingest, moderator_client: Client) -> None:
    ingest(game_of_version("元<script>"))
    page = moderator_client.get("/staff/versions/").content.decode()
    assert "元<script>" not in page
    assert "元&lt;script&gt;" in page


def test_its_game_says_what_it_waits_for(ingest: Ingest) -> None:
    row = ingest(game_of_version())
    page = Client().get(row.get_absolute_url()).content.decode()
    assert "until a moderator decides on this version" in page
