"""A new version of a known program is provisional until staff accept it; the text of a version gives nothing more."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils import timezone
from pytest_django import Settings

from players.leaderboards.bests.final import final_results
from players.models import LevelChange, PersonalBest, RecordEvent, User
from replays.models import AcceptedVersion, Appeal, Place, Replay
from replays.trust.judging.appeals import appeal_create
from replays.trust.provisional.services import finalise_due
from replays.trust.versions.selectors import new_version_count, seen_versions
from replays.trust.versions.services import judge_accepted, version_accept
from tests.analysis.evidence.honest import recording, with_moments
from tests.encoders import native
from tests.replays.conftest import Ingest
from tests.replays.moderation.conftest import moderator_named

pytestmark = pytest.mark.django_db

NEW = "元3.3.5"


def game_of_version(software: str = NEW, seed: int = 1, form: str = "evf 4", **changes: object) -> bytes:
    began = datetime(2026, 9, 4, 12, tzinfo=UTC)  # after the latest release that is on the list
    game = replace(recording(form, seed=seed), software=software, played_at=began, **changes)  # type: ignore[arg-type]
    return native.write(with_moments(game))


def state(row: Replay) -> tuple[str, str, str, bool]:
    row.refresh_from_db()
    return row.evidence, row.judgement, row.judgement_code, row.ranked


PROVISIONAL = ("sealed", "provisional", "version_new", True)
ACCEPTED = ("sealed", "accepted", "", True)


def test_a_new_version_ranks_provisionally(ingest: Ingest) -> None:
    assert state(ingest(game_of_version("元3.3.4"))) == ACCEPTED  # on the list
    row = ingest(game_of_version(seed=2))
    assert state(row) == PROVISIONAL
    assert row.provisional_until is None


@pytest.mark.parametrize("software", ["Notepad 3.3.5", "元", "元3.1.12", "元9999999", "元3.3.5 by me", "9.9.9"])
def test_any_other_text_is_open(ingest: Ingest, software: str) -> None:
    row = ingest(game_of_version(software))
    assert row.evidence == "open"
    assert not row.ranked


def test_no_time_makes_it_final_and_nothing_final_comes_of_it(ingest: Ingest) -> None:
    row = ingest(game_of_version())
    Replay.objects.update(uploaded_at=timezone.now() - timedelta(days=400))
    assert finalise_due() == 0
    assert state(row) == PROVISIONAL
    assert not RecordEvent.objects.filter(replay=row.pk).exists()
    assert row.player_id is not None
    found = final_results({row.player_id}, ("time",), ("time",), {row.level})
    assert not any(found.values())


def test_no_text_of_a_version_covers_a_finding_or_a_limit(ingest: Ingest) -> None:
    data = bytearray(game_of_version())
    data[1] &= 0xFF ^ 0x60  # Metasweeper did not call it fair
    assert state(ingest(bytes(data)))[1:] == ("suspicious", "not_fair", False)
    stub = game_of_version(seed=3)[:-32] + b"\7" * 32
    assert state(ingest(stub)) == ("open", "unverified", "open", False)


def test_a_copy_under_a_new_version_does_not_rank_beside_its_original(
    ingest: Ingest, django_user_model: type[User]
) -> None:
    one, two = (django_user_model.objects.create_user(name) for name in ("one", "two"))
    original = ingest(game_of_version("元3.3.4"), uploader=one)
    copy = ingest(game_of_version(), uploader=two)
    assert Place.objects.count() == 1
    assert not (state(original)[3] and state(copy)[3])
    assert not state(copy)[3]


def test_a_lost_game_that_is_not_on_boards_any_more_leaves_those_in_memory(ingest: Ingest, settings: Settings) -> None:
    row = ingest(game_of_version())
    Replay.objects.update(win=False, result="lost", ranked=False, corpse=True, completion=0.6)
    settings.MINIMUM_COMPLETION = 90
    LevelChange.objects.all().delete()
    assert version_accept("evf", "v4", NEW, moderator_named("mod")) == 1
    row.refresh_from_db()
    assert not row.corpse
    assert [change.player_number for change in LevelChange.objects.filter(level=row.level)] == [row.player_id]


def test_accepting_a_version_judges_its_games_again(ingest: Ingest) -> None:
    rows = [ingest(game_of_version(seed=seed)) for seed in (1, 2)]
    other = ingest(game_of_version("元3.4.0", seed=3))
    assert version_accept("evf", "v4", NEW, moderator_named("mod")) == 2
    assert [state(row) for row in (*rows, other)] == [ACCEPTED, ACCEPTED, PROVISIONAL]
    assert all("version_new" not in {finding["code"] for finding in row.findings} for row in rows)
    assert RecordEvent.objects.filter(replay__in=[row.pk for row in rows]).exists()
    assert state(ingest(game_of_version(seed=4))) == ACCEPTED


def test_accepting_a_version_accepts_no_other_variant_of_its_format(ingest: Ingest) -> None:
    """The latest versions write EVF 4; a file of version 3 that names one of them is made by something else."""
    waiting, row = ingest(game_of_version(form="evf 3", seed=2)), ingest(game_of_version())
    assert version_accept("evf", "v4", NEW, moderator_named("mod")) == 1
    assert judge_accepted() == 0
    later = ingest(game_of_version(form="evf 3", seed=3))
    assert state(row) == ACCEPTED
    assert state(waiting) == state(later) == ("open", "unverified", "version_unknown", False)
    assert [(one.format_variant, one.is_new, one.files) for one in seen_versions()] == [("v3", False, 2)]


def test_accepting_an_unknown_version_ranks_its_games_and_grants_appeals(ingest: Ingest) -> None:
    player = User.objects.create_user("player")
    row = ingest(game_of_version("元3.1.12"), uploader=player)
    assert state(row) == ("open", "unverified", "version_unknown", False)
    appeal_create(row, player, "My version is from the maker's site.")
    version_accept("evf", "v4", "元3.1.12", moderator_named("mod"))
    assert state(row) == ACCEPTED
    assert Appeal.objects.get().state == Appeal.State.GRANTED


def test_accepting_a_version_lets_no_world_class_game_through(ingest: Ingest, settings: object) -> None:
    settings.PROVISIONAL_LIMITS = [("intermediate", "time", "<", 500.0)]  # type: ignore[attr-defined]
    row = ingest(game_of_version())
    version_accept("evf", "v4", NEW, moderator_named("mod"))
    assert state(row)[1:] == ("provisional", "world_class", True)
    assert row.provisional_until is None


def test_games_beyond_the_first_are_judged_by_the_worker(ingest: Ingest) -> None:
    row = ingest(game_of_version())
    AcceptedVersion.objects.create(format="evf", format_variant="v4", software=NEW, accepted_at=timezone.now())
    assert state(row) == PROVISIONAL
    assert (judge_accepted(), judge_accepted()) == (1, 0)
    assert state(row) == ACCEPTED
    assert PersonalBest.objects.filter(player=row.player_id).exists()


def test_the_page_counts_files_and_uploaders(ingest: Ingest) -> None:
    one, mod = User.objects.create_user("one"), moderator_named("mod")
    for seed, software in enumerate((NEW, "元3.4.0", NEW, "元3.1.12")):
        ingest(game_of_version(software, seed=seed + 1), uploader=one if seed else mod)
    found = [(row.software, row.is_new, row.files, row.uploaders) for row in seen_versions()]
    assert found == [(NEW, True, 2, 2), ("元3.4.0", True, 1, 1), ("元3.1.12", False, 1, 1)]
    assert (new_version_count(mod), new_version_count(one), new_version_count(None)) == (2, 0, 0)


def test_a_version_that_nobody_sent_or_the_moderator_alone_is_not_accepted(ingest: Ingest) -> None:
    mod = moderator_named("mod")
    row = ingest(game_of_version(), uploader=mod)
    for software in ("元3.3.4", "元7.0", NEW):
        with pytest.raises(ValidationError):
            version_accept("evf", "v4", software, mod)
    assert state(row) == PROVISIONAL
    assert version_accept("evf", "v4", NEW, moderator_named("other")) == 1
