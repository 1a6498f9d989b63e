"""Disputes as a weapon: what one new account can do to strangers by uploads that anybody can send (findings S1, S2)."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from analysis.formats import rawvf
from players.models import User
from replays.models import Replay
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.services import analyse_replays
from tests.effort import amount
from tests.replays.conftest import Ingest
from tests.replays.games import recording
from tests.replays.trust.places.conftest import GAME

pytestmark = pytest.mark.django_db


def game(seed: int, name: str) -> bytes:
    return rawvf.write(replace(recording(seed, GAME[1]), player=name))


def zipped(user: User, files: Collection[bytes]) -> list[Replay]:
    """The games that ``user`` sends in one zip, analysed."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number, data in enumerate(files):
            archive.writestr(f"{number}.rawvf", data)
    client = Client()
    client.force_login(user)
    before = set(Replay.objects.values_list("pk", flat=True))
    answer = client.post("/api/v1/replays/", {"file": SimpleUploadedFile("games.zip", packed.getvalue())})
    assert answer.status_code == 202
    ids = sorted(set(Replay.objects.values_list("pk", flat=True)) - before)
    analyse_replays(ids)
    return list(Replay.objects.filter(pk__in=ids).order_by("pk"))


def ranked(rows: Collection[Replay]) -> int:
    return Replay.objects.filter(pk__in=[row.pk for row in rows], ranked=True).count()


def test_s1_one_zip_takes_three_of_sixty_fresh_records_off(owner: User, thief: User) -> None:
    """Sixty were off at once, again after each deletion, and by a seal alone."""
    count = amount(long=60, usual=6)
    fresh = zipped(owner, [game(seed, "Ada Bot") for seed in range(1, count + 1)])
    assert ranked(fresh) == count
    copies = zipped(thief, [game(seed, "Thief") for seed in range(1, count + 1)])
    assert (ranked(fresh), ranked(copies)) == (count - 3, 0)
    for row in copies:
        replay_delete(row, by=thief)
    assert ranked(fresh) == count
    zipped(thief, [game(seed, "Thief again") for seed in range(1, count + 1)])
    assert ranked(fresh) == count, "what was taken back cost its stake"


def test_s2_a_squatted_look_alike_gives_no_copy_the_place(ingest: Ingest, owner: User, thief: User) -> None:
    """The honest newcomer was suspicious for the name of a squatter, and the later copy ranked."""
    ingest(game(2, "Tom MiIIer"), uploader=User.objects.create_user("squatter"))
    mine = ingest(game(1, "Tom Miller"), uploader=owner)
    assert (mine.judgement, mine.ranked) == ("accepted", True)
    copy = ingest(game(1, "Thief"), uploader=thief)
    mine.refresh_from_db()
    assert (mine.judgement, copy.ranked) == ("disputed", False)
