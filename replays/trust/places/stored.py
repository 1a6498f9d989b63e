"""The rules of places with the database: what a change reaches is loaded and locked, and written back with the boards.

One lock for all disputes: only plays that came more than once take it, and what one decision leads to reaches many places.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from django.db.models import Case, F, Q, Value, When
from django.utils import timezone

from players.db.locks import lock_keys
from players.models import User
from replays.models import Contest as ContestRow
from replays.models import Objection, Replay, Sending
from replays.models import Place as PlaceRow
from replays.trust.judging.appeals import appeals_grant
from replays.trust.judging.rules import ACCEPTED, JUDGED, Rules, Verdict, lets_rank, set_judgement, verdict_of
from replays.trust.places.place_rules import OPERATOR, UNFINISHED, Book, Contest, File, Game, Place, State
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
        self._contest_rows: dict[int, tuple[Contest, ContestRow]] = {}
        self._reached: set[int] = set()
        self._were: dict[int, tuple[int, bool, bool]] = {}
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
        files = Replay.objects.filter(place__in=new).order_by("pk")
        for place, number, pk, uploader, ownership, name, at, evidence in files.values_list(*_LIGHT):
            game = self.places[place].games.setdefault(number, Game(number, name))
            senders = {OPERATOR} if ownership == Replay.Ownership.VOUCHED else set()
            game.files[pk] = File(pk, senders if uploader is None else {uploader}, at, flawless=False, counts=False)
            game.is_here |= evidence == Replay.Evidence.HERE
        every = {pk: file for one in new for game in self.places[one].games.values() for pk, file in game.files.items()}
        for pk, user in Sending.objects.filter(replay__place__in=new).values_list("replay", "user"):
            every[pk].senders.add(user)
        senders = {user for file in every.values() for user in file.senders}
        self._load_contests(Q(place__in=new) | Q(user__in=senders, state=State.LOST))
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

    def reach(self, account: int) -> None:
        if account == OPERATOR or account in self._reached:
            return
        self._reached.add(account)
        sent = Q(files__uploader=account) | Q(files__sendings__user=account)
        held = PlaceRow.objects.filter(sent, contests__state__in=UNFINISHED, files__game=F("holder"))
        self._load_contests(Q(user=account))
        mine = {one.place for one in self.contests if one.account == account and one.state in UNFINISHED}
        self.load(mine.union(held.values_list("pk", flat=True)))

    def _load_contests(self, wanted: Q) -> None:
        for row in ContestRow.objects.filter(wanted).order_by("pk"):
            if row.pk not in self._contest_rows:
                place = row.place_id or 0
                one = Contest(row.user_id or OPERATOR, place, row.game, State(row.state), row.takes, row.lost_to)
                self._contest_rows[row.pk] = one, row
                self.contests.append(one)

    def _state(self, place: Place) -> tuple[int, bool, bool]:
        return place.holder, place.is_decided, self.taken(place)

    # --- writing ---

    def save(self, reason: str = "", by: User | None = None) -> None:
        """Write what has changed, and let the boards follow.  ``reason``, ``by``: of staff who have just decided."""
        self._save_contests()
        for number, place in self.places.items():
            if place.games and (number in self.changed or self._state(place) != self._were[number]):
                self._save_place(place, reason, by)
                self._settle(place, reason)

    def _save_contests(self) -> None:
        kept = {id(one) for one in self.contests}
        ContestRow.objects.filter(pk__in=[pk for pk, (one, _row) in self._contest_rows.items() if id(one) not in kept]).delete()  # fmt: skip
        for one, row in self._contest_rows.values():
            if id(one) in kept and (one.state, one.takes, one.lost_to) != (row.state, row.takes, row.lost_to):
                row.state, row.takes, row.lost_to = one.state, one.takes, one.lost_to
                row.save(update_fields=["state", "takes", "lost_to"])
        known = {id(one) for one, _row in self._contest_rows.values()}
        ContestRow.objects.bulk_create(
            ContestRow(
                place_id=one.place, user_id=one.account or None, game=one.game, takes=one.takes, state=one.state,
                lost_to=one.lost_to, made_at=self.now,
            )
            for one in self.contests
            if id(one) not in known
        )  # fmt: skip

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
        if place.holder != self._were[place.number][0]:
            self.look_at(place.held_by.files)
        self.look_at(self._takers(place))
        files = {pk for game in place.games.values() for pk in game.files}
        rows = [row for pk, row in sorted(self.rows.items()) if pk in files]
        shown = self.best(place) or place.held_by.files[min(place.held_by.files)]
        before = {row.pk: (row.judgement, row.judgement_code, row.judgement_params) for row in rows}
        for row in rows:
            self._judge(row, place, shown)
        changed = [row for row in rows if before[row.pk] != (row.judgement, row.judgement_code, row.judgement_params)]
        Replay.objects.bulk_update(changed, _JUDGED)
        update_ranked_and_marks(rows)
        self._tell_the_others(place, shown.number)
        objected = Objection.objects.filter(replay__in=[row.pk for row in changed], closed_at=None)
        Replay.objects.filter(pk__in=objected.values("replay")).update(provisional_until=None)
        appeals_grant([row.pk for row in changed if row.judgement in Replay.RANKED_JUDGEMENTS], answer)

    def _judge(self, row: Replay, place: Place, shown: File) -> None:
        verdict, game = verdict_of(row, self._rules), place.games[row.game or 0]
        displaced = game is not place.held_by and row.judgement == Replay.Judgement.ACCEPTED
        if row.judgement_code == Replay.DECIDED and not displaced:
            return
        if self.refused(place, game):
            self._decide(row, place, Replay.Judgement.LINKED, {"replay": shown.number})
        elif row.pk == shown.number and self.best(place) is not None:
            if self.taken(place):
                set_judgement(
                    row, Verdict(Replay.Judgement.DISPUTED.value, CONTESTED, {"replay": self._takers(place)[0]})
                )
            elif not lets_rank(verdict):
                self._decide(row, place, Replay.Judgement.ACCEPTED, {})
            elif verdict is not ACCEPTED or row.judgement not in Replay.RANKED_JUDGEMENTS:
                set_judgement(row, verdict)
        elif lets_rank(verdict) and game is not place.held_by and row.pk in self._takers(place):
            set_judgement(row, Verdict(Replay.Judgement.DISPUTED.value, CONTESTED, {"replay": shown.number}))
        elif lets_rank(verdict) and (game is not place.held_by or row.ownership not in Replay.NOT_OWNED):
            code = SAME_GAME if game is place.held_by else WAITS
            set_judgement(row, Verdict(Replay.Judgement.LINKED.value, code, {"replay": shown.number}))
        elif verdict is not ACCEPTED or row.judgement not in Replay.RANKED_JUDGEMENTS:
            set_judgement(row, verdict)

    def _decide(self, row: Replay, place: Place, judgement: Replay.Judgement, params: dict[str, object]) -> None:
        """Let what staff said of the game hold for each of its files."""
        decision = self._place_rows[place.number]
        set_judgement(row, Verdict(judgement.value, Replay.DECIDED, params))
        row.judgement_reason, row.judged_by, row.judged_at = decision.reason, decision.decided_by, decision.decided_at

    def _takers(self, place: Place) -> list[int]:
        """The first files of the games for whose sake nothing of the place counts."""
        games = (place.games[one.game] for one in self._at(place) if one.state is State.OPEN and one.takes)
        return [min(game.files) for game in games]

    def _tell_the_others(self, place: Place, shown: int) -> None:
        """The files that nobody looked at do not count as before; they name the one that does."""
        others = Replay.objects.filter(place=place.number, judgement_code__in=(SAME_GAME, WAITS))
        code = Case(When(game=place.holder, then=Value(SAME_GAME)), default=Value(WAITS))
        others.exclude(judgement_params={"replay": shown}).update(
            judgement_params={"replay": shown}, judgement_code=code
        )
