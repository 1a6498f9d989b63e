"""Random changes of a site, each through the service that a visitor, staff or a command would use."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import F
from django.utils import timezone

from analysis.recording import digest
from analysis.statistics import RANKED_LEVELS
from players.accounts.claims.merging import player_merge
from players.accounts.claims.services import (
    claim_approve,
    claim_ask_staff,
    claim_make,
    claim_refuse,
    release_name,
)
from players.db.retry import retry_on_conflict
from players.leaderboards.boards import all_boards
from players.leaderboards.ranks.checkpoints import count_boards
from players.leaderboards.services import rebuild_boards
from players.models import Claim, Identity, PersonalBest, Player, User
from replays.models import Place, Replay
from replays.trust.judging import rules
from replays.trust.judging.services import DECISIONS, replay_judge
from replays.trust.ownership import services as ownership
from replays.trust.ownership.services import ANSWERS, NotYours, games_answer, ownership_decide
from replays.trust.places.services import place_decide
from replays.trust.provisional.services import finalise_due
from replays.upload.intake.services import Trust, receive_many
from replays.upload.processing.deletion import replay_delete
from replays.upload.processing.services import analyse_replays
from replays.upload.processing.stale import replays_requeue
from tests.factories import EPOCH
from tests.players.made_games import FINDING, NAMES, MadeGame, Shelf, random_game, read_otherwise
from tests.replays.again import analyse_all_again, analyse_outdated

ACCOUNTS = 6
#: How :meth:`World.claim_with_game` adds a code to a name.
_CODE = re.compile(r" SB\w{6}$")
#: The number of replays up to which a site grows; from then on as many are deleted as uploaded.
FULL = 1_500
_LIMITS = [("expert", "time", "<", 2.0), ("beginner", "bvs", ">", 15.0), ("intermediate", "ioe", ">", 0.9)]


class World:
    """A site, its files, and a random source.

    Several worlds may share one site and shelf, each in a thread of its own (``friends_of``: the first of them); then
    no change may rely on what it has just read, since another thread may have deleted the replay.
    """

    users: list[User]
    staff: User
    names: tuple[str, ...]

    def __init__(
        self, seed: int, shelf: Shelf, patch: pytest.MonkeyPatch, *, full: int = FULL, friends_of: World | None = None
    ) -> None:
        self.seed = seed
        self.patch = patch
        self.source = random.Random(seed)
        self.shelf = shelf
        self.full = full
        self.names = NAMES if friends_of is None else friends_of.names
        self.done: Counter[str] = Counter()
        self._numbers = 0
        self._alone = friends_of is None
        self.kinds: list[tuple[Callable[[], int], float]] = [
            (self.upload, 22), (self.upload_copy, 2), (self.delete, 14), (self.judge, 22), (self.read_again, 4),
            (self.finalise, 2),
            (self.claim, 3), (self.claim_with_game, 3), (self.decide_claim, 3), (self.release, 2), (self.merge, 0.5),
            (self.answer, 5), (self.decide_ownership, 2), (self.requeue, 0.5), (self.measure, 1), (self.rebuild, 0.3),
        ]  # fmt: skip
        if friends_of is not None:
            self.users, self.staff = friends_of.users, friends_of.staff
            return
        self.kinds += [(self.change_rules, 0.15), (self.change_minimum, 0.08)]
        self.users = [User.objects.create_user(f"account {number}") for number in range(ACCOUNTS)]
        self.staff = User.objects.create_superuser("staff of the world")
        self._set(MINIMUM_3BV={level.value: 20 for level in RANKED_LEVELS}, JUDGE_FINDINGS=[], JUDGE_LIMITS=[])
        patch.setattr(rules, "LEAST_PLAYERS", 8)
        patch.setattr(rules, "TOP_PLACES", 3)

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            self.patch.setattr(settings, name, value)

    def change(self) -> int:
        """One random kind of change; returns how many changes it was."""
        kinds, weights = zip(*self.kinds, strict=True)
        return self.apply(self.source.choices(kinds, weights)[0])

    def apply(self, kind: Callable[[], int]) -> int:
        """One change of this kind, if the site has what it takes; returns how many changes it was."""
        count = kind()
        self.done[getattr(kind, "__name__", "change")] += count
        return count

    # --- uploads ---

    def upload(self) -> int:
        size = self.source.choice([1, 1, 1, 2, 5, 20]) if Replay.objects.count() < self.full else 1
        self.hand_in([random_game(self.source, self.names) for _ in range(size)])
        return size

    def upload_copy(self) -> int:
        """Upload the game of another file in another wrapper."""
        games = [game for _, game in sorted(self.shelf.games.items())]
        if not games:
            return 0
        self.hand_in([self.source.choice(games)])
        return 1

    def hand_in(self, games: list[MadeGame], uploader: User | None = None) -> list[int]:
        """Let one account upload ``games``; returns the ids of their replays, which are analysed."""
        files = []
        for game in games:
            self._numbers += 1
            data = b"made up %d of %d" % (self._numbers, self.seed)
            self.shelf.games[digest_of_file(data)] = game
            files.append((f"{self.seed}-{self._numbers}.avf", data))
        # Each name is mostly used by one account, so that a code is enough or staff must decide.
        if uploader is None and self.source.random() < 0.9:
            uploader = self.users[hash_of(games[0].name) % ACCOUNTS]
        trust = Trust(played_here=self.source.random() < 0.2, dates=self.source.random() < 0.6)
        receipts = receive_many(files, uploader=uploader, enqueue=False, trust=trust)
        ids = [receipt.replay_id for receipt in receipts if receipt.replay_id is not None]
        analyse_replays(ids)
        return ids

    # --- judgements and deletions ---

    def delete(self) -> int:
        is_small = Replay.objects.count() < self.full and self.source.random() < 0.5
        row = None if is_small else self._some_replay(Replay.objects.all())
        if row is None:
            return 0
        replay_delete(row, self.staff)
        return 1

    def judge(self) -> int:
        row = self._some_replay(Replay.objects.filter(status=Replay.Status.DONE))
        if row is None:
            return 0
        others = [value for value in DECISIONS if value != row.judgement]
        try:
            replay_judge(row, self.source.choice(["accepted", *others]), "a reason", self.staff)
        except ValidationError:  # other files have the game
            place_decide(row.place_id or 0, self.source.choice([row.pk, None]), "a reason", self.staff)
        except (Replay.DoesNotExist, Place.DoesNotExist):
            assert not self._alone
            return 0
        return 1

    def finalise(self) -> int:
        """The time of some provisional games has passed."""
        rows = Replay.objects.filter(provisional_until__isnull=False).order_by("pk")
        ids = [pk for pk in rows.values_list("pk", flat=True) if self.source.random() < 0.5]
        for pk in ids:
            Replay.objects.filter(pk=pk, provisional_until__isnull=False).update(provisional_until=timezone.now())
        return finalise_due()

    def change_rules(self) -> int:
        """Other findings and limits, and ``manage.py recompute``."""
        self._set(
            JUDGE_FINDINGS=[FINDING] if self.source.random() < 0.5 else [],
            JUDGE_LIMITS=[limit for limit in _LIMITS if self.source.random() < 0.4],
            RANK_OPEN_FORMATS=self.source.choice([[], ["avf"]]),
        )
        analyse_all_again()
        return 1

    def change_minimum(self) -> int:
        """Another smallest 3BV of one level or completion of lost games, and ``manage.py recompute``."""
        level = self.source.choice(RANKED_LEVELS).value
        self._set(
            MINIMUM_3BV={**settings.MINIMUM_3BV, level: self.source.choice([0, 20, 22, 24])},
            MINIMUM_COMPLETION=self.source.choice([25, 50, 70, 90]),
        )
        analyse_all_again()
        return 1

    # --- analysis again ---

    def read_again(self) -> int:
        """Change the analysis of some files, and analyse them again."""
        rows = [
            row
            for _ in range(self.source.choice([1, 3, 10, 30]))
            if (row := self._some_replay(Replay.objects.filter(status=Replay.Status.DONE)))
        ]
        for row in rows:
            if (game := self.shelf.games.get(row.sha256)) is not None:
                self.shelf.games[row.sha256] = read_otherwise(self.source, game, self.names)
        for row in rows:  # one at a time: in one statement, two processes may wait for each other's rows
            retry_on_conflict(Replay.objects.filter(pk=row.pk).update)(statistics_version=0)
        left = analyse_outdated(self.source.choice([1, 7, 1_000]))
        assert not left or not self._alone
        return len({row.pk for row in rows})

    def requeue(self) -> int:
        """Rejected copies are tried again, and rejected again."""
        ids = list(Replay.objects.filter(status=Replay.Status.REJECTED).order_by("pk").values_list("pk", flat=True))
        count = replays_requeue(self.source.sample(ids, min(3, len(ids))))
        self._analyse_what_waits()
        return count

    def _analyse_what_waits(self) -> None:
        analyse_replays(list(Replay.objects.filter(status=Replay.Status.QUEUED).values_list("pk", flat=True)))

    def finish_what_others_left(self) -> None:
        """Analyse queued rows, and all rows again."""
        self._analyse_what_waits()
        analyse_all_again()

    # --- names ---

    def claim(self) -> int:
        """Ask staff for a name, be it free or another account's."""
        with suppress(ValidationError):
            claim = self._make_claim(self.source.choice(self.users), self.source.choice(self.names))
            claim_ask_staff(claim, "mine")
        return 0

    def _make_claim(self, user: User, name: str) -> Claim:
        claim = claim_make(user, name)
        Claim.objects.filter(pk=claim.pk).update(made_at=EPOCH)  # or the account would make too many for a day
        return claim

    def claim_with_game(self) -> int:
        """Upload a game with the code of a claim, mostly under a name that the account uploads anyway."""
        game = random_game(self.source, self.names, plain_win=True)
        claimant = self.users[hash_of(game.name) % ACCOUNTS]
        try:
            claim = self._make_claim(claimant, game.name)
        except ValidationError:
            return 0
        self.hand_in([replace(game, name=f"{game.name} {claim.code}")], claimant)
        return 1

    def decide_claim(self) -> int:
        """The first name of an account takes its player over; further ones merge players."""
        waiting = list(Claim.objects.filter(state=Claim.State.REQUESTED).order_by("pk"))
        if not waiting:
            return 0
        claim = self.source.choice(waiting)
        with suppress(ValidationError):
            if self.source.random() < 0.8:
                claim_approve(claim, self.staff)
            else:
                claim_refuse(claim, self.staff, "a reason")
            return 1
        return 0

    def release(self) -> int:
        """A claimed name, or one of a player whom staff merged, gets its own number back."""
        found = list(Identity.objects.exclude(first_player=F("player")).order_by("pk"))
        found += list(Identity.objects.filter(state=Identity.State.CLAIMED).order_by("pk"))
        if not found:
            return 0
        release_name(self.source.choice(found))
        return 1

    def merge(self) -> int:
        players = list(Player.objects.filter(merged_into=None).order_by("pk"))
        if len(players) < 2:
            return 0
        source, target = self.source.sample(players, 2)
        with suppress(ValidationError):
            player_merge(source, target, self.staff, "a reason")
            return 1
        return 0

    # --- whose game ---

    def answer(self) -> int:
        """The owner of a name answers for some games under it, most of which wait."""
        owners = list(Player.objects.exclude(user=None).order_by("pk"))
        if not owners:
            return 0
        player = self.source.choice(owners)
        games = Replay.objects.filter(player=player, status=Replay.Status.DONE)
        waiting = list(games.filter(ownership=Replay.Ownership.WAITING).values_list("pk", flat=True)[:5])
        some = list(games.order_by("pk").values_list("pk", flat=True))
        ids = [*waiting, *self.source.sample(some, min(2, len(some)))]
        assert player.user is not None
        try:
            return games_answer(player.user, ids, self.source.choice(ANSWERS))
        except NotYours:
            assert not self._alone
            return 0

    def decide_ownership(self) -> int:
        row = self._some_replay(Replay.objects.filter(status=Replay.Status.DONE))
        if row is None:
            return 0
        try:
            ownership_decide(row, self.source.choice(ownership.DECISIONS), "a reason", self.staff)
        except Replay.DoesNotExist:
            assert not self._alone
            return 0
        return 1

    # --- changes without effect ---

    def measure(self) -> int:
        boards = all_boards()
        count_boards(self.source.sample(boards, self.source.choice([1, 10, len(boards) // 4])))
        return 0

    def rebuild(self) -> int:
        ids = list(Player.objects.order_by("pk").values_list("pk", flat=True))
        rebuild_boards(self.source.sample(ids, min(3, len(ids))))
        return 0

    # --- random choices ---

    def _some_replay(self, rows: Any) -> Replay | None:
        """Mostly one that holds bests, since the others change little."""
        holders = PersonalBest.objects.order_by("pk").values_list("replay_id", flat=True)
        for pool in (holders, rows.order_by("pk").values_list("pk", flat=True)):
            if pool is holders and self.source.random() < 0.4:
                continue
            ids = list(pool.filter(pk__gte=self._random_id(pool))[:1])
            found: Replay | None = rows.filter(pk=ids[0]).first() if ids else None
            if found is not None:
                return found
        return None

    def _random_id(self, pool: Any) -> int:
        first = pool.order_by("pk").values_list("pk", flat=True)[:1]
        last = pool.order_by("-pk").values_list("pk", flat=True)[:1]
        return self.source.randint(*sorted((*first, *last))) if first and last else 0


def digest_of_file(data: bytes) -> str:
    """The name under which the site stores ``data``."""
    from replays.models.file_store import sha256_of

    return sha256_of(data)


def hash_of(name: str) -> int:
    """A number of ``name`` that is the same in every process."""
    return int(digest(name.encode())[:8], 16)


def assert_copies_took_the_place(shelf: Shelf) -> None:
    """No game is held by a file that is gone, and of no game two files rank unless staff said so."""
    shown = set(Replay.objects.filter(status=Replay.Status.DONE).values_list("game_hash", flat=True))
    files = set(Replay.objects.values_list("sha256", flat=True))
    assert shown == {shelf.games[sha256].game_hash for sha256 in files}
    held = Replay.objects.filter(judgement__in=Replay.FOR_OTHERS).exclude(judgement_code=Replay.DECIDED)
    for row in held:
        assert Replay.objects.filter(pk=row.judgement_params["replay"], game_hash=row.game_hash).exists()
    ranked = Replay.objects.filter(ranked=True).exclude(judgement_code=Replay.DECIDED)
    hashes = list(ranked.values_list("game_hash", flat=True))
    assert len(hashes) == len(set(hashes))


def assert_numbers_are_those_of_the_files(shelf: Shelf) -> None:
    """Every row has the values of its file's current analysis."""
    for row in Replay.objects.filter(status=Replay.Status.DONE):
        game = shelf.games[row.sha256]
        assert {name: row.statistic(name) for name in game.values} == game.values, row.pk
        assert (row.identifier, row.level, row.style, row.mode, row.result) == (
            _CODE.sub("", game.name), game.level.value, game.style, game.mode.value, game.result.value,
        ), row.pk  # fmt: skip
        trusted = row.evidence == "here" or row.date_trusted
        assert row.achieved_at == (game.played_at if trusted and game.played_at else row.uploaded_at), row.pk
