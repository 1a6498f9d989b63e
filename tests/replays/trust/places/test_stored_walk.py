"""The sequences of the walk against the database: after each step it has what the rules alone have."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from analysis.recording import Level
from players.models import User
from players.people.services import players_for_names
from replays.models import Contest, PlayTrace, Replay
from replays.models import Place as PlaceRow
from replays.trust.places.place_rules import Place
from replays.trust.places.services import place_decide, places_enter, send_again, update_boards
from replays.trust.places.stored import STAFFS_CHOICE
from replays.upload.processing.deletion import replay_delete
from tests.effort import amount
from tests.factories import replay_of
from tests.players.naive_boards import expected_boards, stored_boards
from tests.replays.trust.places.watch import MOODS, Watch, step
from tests.replays.trust.places.world import BAD, CLASSES, NAME, Bytes, Site, original

pytestmark = pytest.mark.django_db

STEPS = 14
#: Without claims, which have tests of their own.
STORED_MOODS = [(*mood[:2], 0, *mood[3:]) for mood in MOODS]


class StoredSite(Site):
    """Does everything on the real site as well, and compares."""

    def __init__(self, staff: User) -> None:
        super().__init__()
        self.staff = staff
        self.users = {who: User.objects.create_user(who) for who in NAME}
        self.numbers: dict[int, int] = {}
        self.found: list[str] = []

    def waits_for_name(self, data: Bytes) -> bool:
        return False

    def send(self, who: str, data: Bytes) -> int:
        known = next((pk for pk, (one, _file) in self.files.items() if one == data), None)
        pk = super().send(who, data)
        if known is None:
            self.numbers[pk] = self._stored(data, self.users[who])
        else:
            send_again(self.users[who], [self.numbers[pk]])
        self.compare(f"{who} sends {data}")
        return pk

    def _stored(self, data: Bytes, user: User) -> int:
        player = players_for_names([data.name])[data.name]
        seconds = {"true": 100, "alt": 90}[data.numbers] + (0 if data.won else 7)
        row = replay_of(
            player, Level.EXPERT, time_ms=seconds * 1000, identifier=data.name, game_hash=data.clicks.encode().hex().zfill(64),
            uploader=user, evidence=data.cls, findings=[{"code": "time_differs", "params": {"claimed": 1, "actual": 2}}] if data.finding or not data.won else [],
            uploaded_at=timezone.now(), ranked=False, judgement="accepted",
        )  # fmt: skip
        row.save()
        PlayTrace.objects.create(replay=row)
        with transaction.atomic():
            same = Replay.objects.filter(game_hash=row.game_hash).exclude(pk=row.pk)
            holder = same.filter(place=None).first() or same.filter(game=F("place__holder")).first()
            if holder is None:
                _judge_alone(row)
            else:
                places_enter({row.pk: holder.pk})
        return row.pk

    def delete(self, who: str, pk: int) -> None:
        there = pk in self.files and self.account(who) in self.senders(pk) and not self.refused(pk)
        super().delete(who, pk)
        if there:
            assert replay_delete(Replay.objects.get(pk=self.numbers[pk]), by=self.users[who])
        self.compare(f"{who} deletes {pk}")

    def wait(self, days: int) -> None:
        super().wait(days)
        past = timedelta(days=days)
        Replay.objects.update(uploaded_at=F("uploaded_at") - past)
        PlaceRow.objects.update(held_at=F("held_at") - past)

    def claim(self, who: str, name: str) -> None:
        """Claims have tests of their own."""

    def choose(self, place: Place, pk: int) -> None:
        super().choose(place, pk)
        for game in place.games.values():
            for file in game.files.values():
                data = self.files[file.number][0]
                file.strength = CLASSES.index(data.cls) + STAFFS_CHOICE * (file.number == pk)
                file.flawless = file.number == pk or (not data.finding and data.cls != "open" and data.won)
        self.note_ranks()
        row = Replay.objects.get(pk=self.numbers[pk])
        assert row.place_id is not None
        place_decide(row.place_id, row.pk, "Seen.", self.staff)
        self.compare(f"staff choose {pk}")

    def compare(self, action: str) -> None:
        names = {self.account(who): who for who in NAME}
        numbers = {pk: self.numbers.get(pk, 0) for pk in self.files}
        ranked = {numbers[pk] for pk in self.ranked()}
        contests = sorted(
            (names[one.user_id], self.numbers[one.game], str(one.state), one.takes) for one in self.book.contests
        )
        stored = sorted(Contest.objects.values_list("user__username", "game", "state", "takes"))
        assert stored == contests, action
        assert set(Replay.objects.filter(ranked=True).values_list("pk", flat=True)) == ranked, action
        holders = {self.numbers[place.holder] for place in self.plays.values()}
        assert set(PlaceRow.objects.values_list("holder", flat=True)) <= holders, action


def _judge_alone(row: Replay) -> None:
    from replays.trust.judging.rules import Rules, judge_by_rules

    judge_by_rules(row, Rules.of_site())
    row.save()
    update_boards([row])


@pytest.fixture(autouse=True)
def plain_rules(settings: Any) -> None:
    settings.PROVISIONAL_DAYS, settings.RANK_OPEN_FORMATS = 0, []


@pytest.mark.parametrize("part", range(amount(long=20, usual=4, short=2)))
def test_the_database_has_what_the_rules_have(staff: User, part: int) -> None:
    random = Random(370 + part)
    for _number in range(amount(long=10, usual=5)):
        with transaction.atomic():
            opens = {play: original(play, "open" if random.random() < 0.2 else "sealed") for play in "pq"}
            watch, mood = Watch(StoredSite(staff)), random.choice(STORED_MOODS)
            for _step in range(STEPS):
                step(random, watch, opens, BAD, mood)
            assert stored_boards() == expected_boards()
            transaction.set_rollback(True)
