from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.db.text import storable_text
from players.models import User
from players.web.staff import own_matter_refusal
from replays.models import Contest, Replay, Sending
from replays.models import Place as PlaceRow
from replays.trust.evidence.traces import same_clicks
from replays.trust.judging.services import check_not_own, decision_tell, judge_row
from replays.trust.places.place_rules import Place
from replays.trust.places.stored import STAFFS_CHOICE, StoredBook
from replays.trust.provisional.marking import update_ranked_and_marks

#: Games of one name and result that are compared with a new file, the oldest first.
_MOST_GAMES: Final = 20


# --- files come -------------------------------------------------------------------------------------------------------


def places_enter(holders: Mapping[int, int]) -> None:
    """Put stored games whose plays are here already into their places; ``holders``: by game a file that holds the place.

    Of two the one that arrived first holds it, also if it was analysed later.  Call it in the transaction that stores them.
    """
    if not holders:
        return
    book = StoredBook()
    locked = Replay.objects.select_for_update(of=("self",), no_key=True).select_related("player").defer("board")
    rows = {row.pk: row for row in locked.filter(pk__in={*holders, *holders.values()}).order_by("pk")}
    update_ranked_and_marks([rows[pk] for pk, holder in holders.items() if pk in rows and holder not in rows])
    entering: list[Replay] = []
    for pk, holder_id in sorted(holders.items()):
        row, holder = rows.get(pk), rows.get(holder_id)
        if row is None or holder is None or row.place_id is not None:
            continue
        if holder.place_id is None:
            row, holder = sorted((row, holder), key=lambda one: one.pk, reverse=True)
            own = PlaceRow.objects.create(holder=holder.pk, held_at=holder.uploaded_at)
            _join(holder, own.pk, holder.pk)
        place_id = holder.place_id or 0
        _join(row, place_id, _game_of(row, place_id))
        entering.append(row)
    book.load({row.place_id for row in entering if row.place_id is not None})
    book.look_at({*holders, *(row.pk for row in entering)})
    book.changed.update(row.place_id for row in entering if row.place_id is not None)
    for row in entering:
        place = book.places[row.place_id or 0]
        game = place.games[row.game or 0]
        book.says_mine(place, game, game.files[row.pk].senders)
    book.save()


def _join(row: Replay, place: int, game: int) -> None:
    row.place_id, row.game = place, game
    Replay.objects.filter(pk=row.pk).update(place=place, game=game)


def _game_of(row: Replay, place: int) -> int:
    """The number of the game of the place that ``row`` has: the same clicks, name and result."""
    result = {name: getattr(row, name) for name in ("identifier", "win", "result", "lcl", "rcl", "dcl")}
    found = Replay.objects.filter(place=place, **result).exclude(pk=row.pk).order_by("pk")
    times = {pk: (game, time, precision) for pk, game, time, precision in found.values_list("pk", "game", "time_ms", "time_precision_ms")[:_MOST_GAMES]}  # fmt: skip
    own = row.statistic("time_ms") or 0
    near = [pk for pk, (_game, time, precision) in times.items() if abs((time or 0) - own) <= max(precision or 1, row.time_precision_ms or 1)]  # fmt: skip
    equal = same_clicks(row.pk, near) if near else []
    return (times[equal[0]][0] if equal else None) or row.pk


@retry_on_conflict
def send_again(user: User, ids: Collection[int]) -> None:
    """``user`` sent the bytes of files that are here already: that is remembered, and says that the games are theirs."""
    now = timezone.now()
    with transaction.atomic():
        locked = Replay.objects.select_for_update(no_key=True).only("place", "game", "uploader")
        rows = list(locked.filter(pk__in=ids).order_by("pk"))
        Sending.objects.bulk_create(
            [Sending(replay=row, user=user, sent_at=now) for row in rows if row.uploader_id != user.pk],
            ignore_conflicts=True,
        )
        placed = [row for row in rows if row.place_id is not None]
        if placed:
            book = StoredBook()
            book.load(row.place_id for row in placed if row.place_id is not None)
            for row in placed:
                place = book.places[row.place_id or 0]
                book.says_mine(place, place.games[row.game or 0], [user.pk])
            book.save()


@retry_on_conflict
def places_merge(similar: Mapping[int, Sequence[int]]) -> None:
    """Let the later of games that were found to be similar, after both were stored, wait behind the first."""
    with transaction.atomic():
        alone = set(Replay.objects.filter(pk__in=similar, place=None).values_list("pk", flat=True))
        places_enter({pk: others[0] for pk, others in similar.items() if pk in alone})


# --- something changes ------------------------------------------------------------------------------------------------


def settle(ids: Collection[int], answer: str = "", **_signal: object) -> None:
    """Decide again which files count in the places of these replays, of which something has changed.

    ``answer``: to appeals that are granted by that.
    """
    if ids and Replay.objects.filter(pk__in=ids, place__isnull=False).exists():
        book = StoredBook()
        book.open(ids)
        book.save(answer)


def update_boards(rows: Collection[Replay]) -> None:
    """Store whether each of ``rows``, locked and with their players, counts on boards, by itself or by its place."""
    update_ranked_and_marks([row for row in rows if row.place_id is None])
    settle([row.pk for row in rows if row.place_id is not None])


def places_leave(gone: Collection[Replay], taken_back: Collection[Replay], by: int | None) -> None:
    """Let files go that are about to be deleted, and ``taken_back``, of which ``by`` is a sender no more but others are."""
    rows = [row for row in (*gone, *taken_back) if row.place_id is not None]
    if not rows:
        return
    book = StoredBook()
    book.open([row.pk for row in rows])
    for row in rows:
        place = book.places[row.place_id or 0]
        game = place.games[row.game or 0]
        file = game.files[row.pk]
        before = set(game.senders)
        if row in taken_back:
            file.senders.discard(row.uploader_id if by is None else by)
        else:
            del game.files[row.pk]
            book.rows.pop(row.pk, None)
        book.takes_back(place, game, before - game.senders, by)
    book.save()
    PlaceRow.objects.filter(pk__in=[number for number, place in book.places.items() if not place.games]).delete()


def contests_end(user_id: int) -> None:
    """Let what an account contests count again, before the account is deleted."""
    if Contest.objects.filter(user=user_id, state=Contest.State.OPEN).exists():
        book = StoredBook()
        book.leaves(user_id)
        book.save()


# --- staff decide -----------------------------------------------------------------------------------------------------


@retry_on_conflict
def place_decide(pk: int, winner_id: int | None, reason: str, by: User, no_fault: Collection[int] = ()) -> None:
    """Decide a place, once for all its files: the game of the file ``winner_id`` counts, the others never do.

    Whoever sent another one loses its stakes, but for ``no_fault``: accounts that made an honest mistake.  None: the games
    are not one play, and each gets a place of its own.  Raises ``ValidationError`` without a reason, on a file that is not
    in the place or on a game of their own, and ``Place.DoesNotExist``.
    """
    reason = storable_text(reason)
    if not reason:
        raise ValidationError(_("Give a reason."))
    with transaction.atomic():
        book = StoredBook()
        PlaceRow.objects.get(pk=pk)
        book.load([pk])
        place = book.places[pk]
        book.look_at(number for game in place.games.values() for number in game.files)
        rows = dict(book.rows)
        _check_not_own(place, rows.values(), by)
        before = {number: row.judgement for number, row in rows.items()}
        _forget_decisions(book, place, rows.values())
        if winner_id is None:
            _split(book, place, reason)
        elif winner_id in rows:
            _choose(book, place, rows[winner_id], reason, by, no_fault)
        else:
            raise ValidationError(_("This file isn't in this dispute."))
        for number, row in rows.items():
            if number != winner_id:
                row.refresh_from_db(fields=["judgement"])
                decision_tell(row, before[number], reason, by)


def _check_not_own(place: Place, rows: Iterable[Replay], by: User) -> None:
    for row in rows:
        check_not_own(row, by)
    sent = any(by.pk in game.senders for game in place.games.values())
    if sent and (refusal := own_matter_refusal(by, by.pk)):
        raise ValidationError(refusal)


def _forget_decisions(book: StoredBook, place: Place, rows: Collection[Replay]) -> None:
    """Forget what staff said of the place before; what they said against a file alone stays."""
    place.is_decided = False
    said = [
        row
        for row in rows
        if row.judgement_code == Replay.DECIDED
        and row.judgement in (Replay.Judgement.LINKED, Replay.Judgement.ACCEPTED)
    ]
    for row in said:
        row.judgement_code, row.judgement_reason, row.judged_by, row.judged_at = "", "", None, None
        book.weigh(row)
    Replay.objects.bulk_update(said, ("judgement_code", "judgement_reason", "judged_by", "judged_at"))


def _choose(
    book: StoredBook, place: Place, chosen: Replay, reason: str, by: User, no_fault: Collection[int]
) -> None:  # fmt: skip
    """Take off the boards what leaves them first, since the chosen file may take its place."""
    game = place.games[chosen.game or 0]
    book.decide(place, game, no_fault)
    file = game.files[chosen.pk]
    file.flawless, file.strength = True, file.strength + STAFFS_CHOICE
    book.save(reason, by)
    judge_row(chosen, Replay.Judgement.ACCEPTED, reason, by)


def _split(book: StoredBook, place: Place, reason: str) -> None:
    files = {game.number: list(game.files) for game in book.split(place)}
    book.changed.add(place.number)
    book.save(reason)
    for number, ids in files.items():
        own = PlaceRow.objects.create(holder=number, held_at=timezone.now())
        Replay.objects.filter(pk__in=ids).update(place=own)
    settle([pk for ids in files.values() for pk in ids], reason)
