"""The rules of places with the database: what a change reaches is loaded and locked, and written back with the boards.

One lock for all disputes: only plays that came more than once take it, and what one decision leads to reaches many places.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import attrgetter
from typing import Final

from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

from players.db.locks import lock_keys
from players.models import MAX_ID, User
from replays.models import Contest, Replay, Sending
from replays.models import Place as PlaceRow
from replays.trust.judging.appeals import appeals_grant
from replays.trust.judging.rules import ACCEPTED, JUDGED, Rules, Verdict, lets_rank, set_judgement, verdict_of
from replays.trust.places.place_rules import OPERATOR, STAKES, Account, Book, File, Game, Place, State
from replays.trust.provisional.marking import update_ranked_and_marks

#: The codes of judgements for the sake of other files: another file of the game counts, another game holds the place, somebody
#: contests it.
SAME_GAME: Final = "same_game"
WAITS: Final = "waits"
CONTESTED: Final = "contested"
STRENGTH: Final = {"": 0, Replay.Evidence.OPEN: 0, Replay.Evidence.SEALED: 1, Replay.Evidence.HERE: 2}
_LOCK: Final = b"disputes"
STAFFS_CHOICE: Final = len(STRENGTH)
_LIGHT: Final = ("place_id", "game", "pk", "uploader_id", "ownership", "identifier", "uploaded_at", "evidence")
#: Files that decide what becomes of a new one: those on boards or in dispute, and those that staff judged for themselves.
_TELLING: Final = Q(ranked=True) | Q(corpse=True) | Q(judgement=Replay.Judgement.DISPUTED) | (
    Q(judgement_code=Replay.DECIDED) & ~Q(judgement=Replay.Judgement.LINKED)
)  # fmt: skip
_JUDGED: Final = (*JUDGED, "judged_by", "judged_at")
_WRITTEN: Final = ("state", "takes", "lost_to")
_written = attrgetter(*_WRITTEN)


def lock_disputes() -> None:
    lock_keys([_LOCK])


class StoredBook(Book):
    """Make it inside a transaction, and :meth:`save` it.

    ``rows``: the replays that are looked at closely.  Of a place that something comes to, these are the new file and the one
    on the boards, so that a flood of files costs little; :meth:`open` looks at all files of the holder.
    """

    def __init__(self) -> None:
        lock_disputes()
        super().__init__(timezone.now())
        self.rows: dict[int, Replay] = {}
        self.changed: set[int] = set()
        self._place_rows: dict[int, PlaceRow] = {}
        self._contests_were: dict[int, tuple[object, ...]] = {}
        self._were: dict[int, tuple[object, ...]] = {}
        self._rules = Rules.of_site()

    # --- loading ---

    def open(self, ids: Collection[int]) -> None:
        """Load the places of these replays, look at all files that may count there, and decide about them again."""
        places = set(Replay.objects.filter(pk__in=ids, place__isnull=False).values_list("place", flat=True))
        self.load(places)
        self.look_at({*ids, *(pk for number in places for pk in self.places[number].held_by.files)})
        self.changed |= places

    def load(self, numbers: Iterable[int]) -> None:
        new = set(numbers) - self.places.keys()
        if not new:
            return
        for row in PlaceRow.objects.filter(pk__in=new):
            self._place_rows[row.pk] = row
            self.places[row.pk] = Place(row.pk, row.holder, row.held_at, row.decided_at is not None)
        every: dict[int, File] = {}
        files = Replay.objects.filter(place__in=new).order_by("pk")
        for place, number, pk, uploader, ownership, name, at, evidence in files.values_list(*_LIGHT):
            game = self.places[place].games.setdefault(number, Game(number, name))
            is_sent = uploader is not None or ownership == Replay.Ownership.VOUCHED
            every[pk] = game.files[pk] = File(pk, {uploader} if is_sent else set(), at, flawless=False, counts=False)
            game.is_here |= evidence == Replay.Evidence.HERE
        for pk, user in Sending.objects.filter(replay__place__in=new).values_list("replay", "user"):
            every[pk].senders.add(user)
        senders = {user for file in every.values() for user in file.senders}
        self._load_contests(Q(place__in=new) | Q(user__in=senders - {OPERATOR}, state=State.LOST))
        self.look_at(Replay.objects.filter(_TELLING, place__in=new).values_list("pk", flat=True))
        self._were |= {number: self._state(self.places[number]) for number in new}

    def look_at(self, ids: Iterable[int]) -> None:
        """Lock these replays, and find out what they are worth."""
        wanted = set(ids) - self.rows.keys()
        locked = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player").defer("board")
        found = locked.filter(pk__in=wanted, place__in=self.places, status=Replay.Status.DONE).order_by("pk")
        for row in found if wanted else ():
            self.rows[row.pk] = row
            self.weigh(row)

    def weigh(self, row: Replay) -> None:
        """Find out what a file is worth, by its row."""
        place = self.places[row.place_id or 0]
        file = place.games[row.game or 0].files[row.pk]
        decided, accepted = row.judgement_code == Replay.DECIDED, row.judgement == Replay.Judgement.ACCEPTED
        chosen = decided and accepted
        file.flawless = chosen or lets_rank(verdict_of(row, self._rules))
        file.refused = decided and row.judgement not in (Replay.Judgement.ACCEPTED, Replay.Judgement.LINKED)
        file.counts = row.ownership not in Replay.NOT_OWNED
        file.strength = STRENGTH[row.evidence] + (STAFFS_CHOICE if chosen else 0)
        file.is_final = (row.ranked or row.corpse) and accepted
        place.is_decided |= chosen and row.game == place.holder

    def reach(self, account: Account) -> None:
        """Load of the line as many as may have a stake now, the oldest: thousands may wait there."""
        if account is OPERATOR:
            return
        own = Contest.objects.filter(user=account)
        line = own.filter(state=State.LINE).exclude(pk__in=self._contests_were).order_by("pk")[:STAKES]
        used = Q(user=account, state__in=(State.OPEN, State.LOST, State.CONCEDED))
        self._load_contests(used | Q(pk__in=[one.pk for one in line]))
        mine = [one for one in self.contests if one.user_id == account]
        wanted = {one.place_id or 0 for one in mine if one.state in Contest.UNFINISHED}
        if any(one.lost_to for one in mine):
            sent = Q(files__uploader=account) | Q(files__sendings__user=account)
            held = PlaceRow.objects.filter(sent, contests__state__in=Contest.UNFINISHED, files__game=F("holder"))
            wanted.update(held.values_list("pk", flat=True))
        self.load(wanted)

    def _load_contests(self, wanted: Q) -> None:
        new = Contest.objects.filter(wanted).exclude(pk__in=self._contests_were)
        self.contests = sorted([*self.contests, *new], key=lambda one: one.pk or MAX_ID)
        self._contests_were |= {one.pk: _written(one) for one in new}

    def _state(self, place: Place) -> tuple[object, ...]:
        return place.holder, place.is_decided, bool(self.takers(place))

    # --- writing ---

    def save(self, reason: str = "", by: User | None = None) -> None:
        """Write what has changed, and let the boards follow.  ``reason``, ``by``: of staff who have just decided."""
        self._save_contests()
        for number, place in self.places.items():
            if place.games and (number in self.changed or self._state(place) != self._were[number]):
                self._save_place(place, reason, by)
                self._settle(place, reason)

    def _save_contests(self) -> None:
        kept = {one.pk for one in self.contests}
        Contest.objects.filter(pk__in=self._contests_were.keys() - kept).delete()
        changed = [one for one in self.contests if one.pk and self._contests_were[one.pk] != _written(one)]
        Contest.objects.bulk_update(changed, _WRITTEN)
        Contest.objects.bulk_create(one for one in self.contests if one.pk is None)

    def _save_place(self, place: Place, reason: str, by: User | None) -> None:
        row = self._place_rows[place.number]
        if row.holder != place.holder or by is not None:
            row.decided_at, row.decided_by, row.reason = None, None, ""
        if by is not None and place.is_decided:
            row.decided_at, row.decided_by, row.reason = self.now, by, reason
        row.holder, row.held_at = place.holder, place.held_at
        row.save()

    def _settle(self, place: Place, answer: str) -> None:
        """Judge the files of a place that are looked at, and update the boards."""
        takers = [min(place.games[one.game].files) for one in self.takers(place)]
        if place.holder != self._were[place.number][0]:
            self.look_at(place.held_by.files)
        self.look_at(takers)
        files = {pk for game in place.games.values() for pk in game.files}
        rows = [row for pk, row in sorted(self.rows.items()) if pk in files]
        best = self.best(place)
        shown = min(place.held_by.files) if best is None else best.number
        changed = [row for row in rows if self._judge(row, place, shown, takers)]
        Replay.objects.bulk_update(changed, _JUDGED)
        update_ranked_and_marks(rows)
        self._tell_the_others(place, shown)
        appeals_grant([row.pk for row in changed if row.judgement in Replay.RANKED_JUDGEMENTS], answer)

    def _judge(self, row: Replay, place: Place, shown: int, takers: Sequence[int]) -> bool:
        """Set the judgement of a file; returns whether it is another one."""
        displaced = row.game != place.holder and row.judgement == Replay.Judgement.ACCEPTED
        if row.judgement_code == Replay.DECIDED and not displaced:
            return False
        verdict = self._verdict(row, place, shown, takers)
        if verdict is ACCEPTED and row.judgement in Replay.RANKED_JUDGEMENTS:
            return False  # it may be provisional
        before = row.judgement, row.judgement_code, row.judgement_params
        set_judgement(row, verdict)
        if verdict.code == Replay.DECIDED:  # what staff said of the game holds for each of its files
            said = self._place_rows[place.number]
            row.judgement_reason, row.judged_by, row.judged_at = said.reason, said.decided_by, said.decided_at
        return before != (row.judgement, row.judgement_code, row.judgement_params)

    def _verdict(self, row: Replay, place: Place, shown: int, takers: Sequence[int]) -> Verdict:
        verdict, game = verdict_of(row, self._rules), place.games[row.game or 0]
        holds = game is place.held_by
        if self.refused(place, game):
            return Verdict(Replay.Judgement.LINKED.value, Replay.DECIDED, {"replay": shown})
        if row.pk == shown and self.best(place) is not None:
            if takers:
                return Verdict(Replay.Judgement.DISPUTED.value, CONTESTED, {"replay": takers[0]})
            return verdict if lets_rank(verdict) else Verdict(code=Replay.DECIDED)
        if not lets_rank(verdict) or (holds and row.ownership in Replay.NOT_OWNED):
            return verdict
        if not holds and row.pk in takers:
            return Verdict(Replay.Judgement.DISPUTED.value, CONTESTED, {"replay": shown})
        return Verdict(Replay.Judgement.LINKED.value, SAME_GAME if holds else WAITS, {"replay": shown})

    def _tell_the_others(self, place: Place, shown: int) -> None:
        """The files that nobody looked at do not count as before; they name the one that does."""
        others = Replay.objects.filter(place=place.number, judgement_code__in=(SAME_GAME, WAITS))
        code = Case(When(game=place.holder, then=Value(SAME_GAME)), default=Value(WAITS))
        others.exclude(judgement_params={"replay": shown}).update(
            judgement_params={"replay": shown}, judgement_code=code
        )
