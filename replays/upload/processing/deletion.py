from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from players.db.retry import retry_on_conflict
from players.decision_log import Kind
from players.leaderboards.file_countries import follow_files
from players.leaderboards.ranked_games import game_of
from players.leaderboards.services import remove_games
from players.models import User
from replays.models import DeletedGame, Replay, Sending, file_store, store_mark
from replays.trust.judging.audit import log_deletions
from replays.trust.judging.permissions import may_delete
from replays.trust.judging.ranking import log_corpses
from replays.trust.ownership.asking import ask_owner
from replays.trust.places.services import places_leave, update_boards
from replays.trust.places.stored import lock_disputes
from replays.trust.reports.services import case_close, reported_plays, reports_follow


def replay_delete(replay: Replay, by: User, rule: str = "", reason: str = "") -> bool:
    """Delete one replay, as :func:`replays_delete` does; returns whether it was deleted."""
    return replays_delete(Replay.objects.filter(pk=replay.pk), by, 1, rule, reason) == 1


#: Columns of a decision of staff.
_DECISION = ("judgement", "judgement_reason", "judgement_code", "judgement_params", "judged_by", "judged_at")


@retry_on_conflict
def replays_delete(replays: QuerySet[Replay], by: User | None, most: int, rule: str = "", reason: str = "") -> int:
    """Delete up to ``most`` rows with the highest numbers, take their games off the boards, and delete their files.

    Returns how many were deleted: rows of ``by``, their uploader, that they may not delete stay.  All of it is one
    transaction, which locks the boards of their players.  The newest go first, since the first game of each second and
    most bests are older: to find what takes the place of one of these, all games of the player are read.

    ``by``: for the log of decisions; the uploaders of rows that are not theirs are told on their start pages.  None: an account
    is being deleted, which is logged once (``replays.own.account_deletion``).  ``rule``, ``reason``: why a moderator does it.

    Of a file that others sent as well, ``by`` (or the account) only takes its own sending back.  Raises
    ``StoreUnreachableError``, with nothing deleted, where the files are not seen: they would stay.
    """
    store_mark.require_visible()
    with transaction.atomic():
        newest = list(replays.order_by("-pk").values_list("pk", flat=True)[:most])
        if Replay.objects.filter(pk__in=newest, place__isnull=False).exists():
            lock_disputes()  # before the rows, as everywhere
        found = replays.select_for_update(of=("self",), no_key=True).filter(pk__in=newest).order_by("pk")
        # Staff may have decided since the page of an uploader was made.
        allowed = [row for row in found if by is None or row.uploader_id != by.pk or may_delete(row, by)]
        shared = _shared(allowed, by)
        rows = [row for row in allowed if row.pk not in shared]
        ids = [row.pk for row in rows]
        games = [game_of(row) for row in rows if row.ranked]
        Replay.objects.filter(pk__in=ids, ranked=True).update(ranked=False)
        remove_games(games)
        log_corpses(row for row in rows if row.corpse)
        _pass_on_refusals(rows)
        places_leave(rows, [row for row in allowed if row.pk in shared], None if by is None else by.pk)
        _take_back([row for row in allowed if row.pk in shared], shared, by)
        if by is not None:
            log_deletions(rows, by, rule, reason)
            _tell_uploaders(rows, by)
            for row in rows:
                if row.uploader_id != by.pk:
                    case_close(Kind.REPLAY, row.pk)
        reported = reported_plays(ids)
        Replay.objects.filter(pk__in=ids).delete()
        reports_follow(reported)
        follow_files({row.player_id for row in rows if row.file_country})
        transaction.on_commit(partial(_delete_files, [row.sha256 for row in rows]))
    return len(allowed)


def _shared(rows: Sequence[Replay], by: User | None) -> dict[int, list[Sending]]:
    """Return the further senders of those files that others sent as well as ``by``, or as an uploader who is going."""
    senders: dict[int, list[Sending]] = defaultdict(list)
    for one in Sending.objects.filter(replay__in=[row.pk for row in rows]).order_by("pk"):
        senders[one.replay_id].append(one)
    sent = {
        row.pk for row in rows if by is None or by.pk in (row.uploader_id, *(one.user_id for one in senders[row.pk]))
    }
    return {pk: found for pk, found in senders.items() if pk in sent and found}


def _take_back(rows: Sequence[Replay], shared: Mapping[int, Sequence[Sending]], by: User | None) -> None:
    """The next sender becomes the uploader of what its uploader takes back; the name of the file was the former one's."""
    for row in rows:
        mine = next((one for one in shared[row.pk] if by is not None and one.user_id == by.pk), None)
        if mine is None:
            mine = shared[row.pk][0]
            row.uploader_id, row.original_name = mine.user_id, ""
            ask_owner(row)
            row.save(update_fields=["uploader", "original_name", "ownership"])
        mine.delete()
    update_boards(rows)


def _pass_on_refusals(rows: Sequence[Replay]) -> None:
    """Other files of what staff refused, of the same uploader, keep the refusal: else the game would come back as its copy."""
    for row in rows:
        refused = row.judgement not in (Replay.Judgement.ACCEPTED, Replay.Judgement.LINKED)
        if refused and row.judgement_code == Replay.DECIDED and None not in (row.place_id, row.uploader_id):
            copies = Replay.objects.filter(
                place=row.place_id, uploader=row.uploader_id, judgement=Replay.Judgement.LINKED
            )
            copies.update(**{name: getattr(row, name) for name in _DECISION})


def _tell_uploaders(rows: Sequence[Replay], by: User) -> None:
    now = timezone.now()
    DeletedGame.objects.bulk_create(
        DeletedGame(user_id=row.uploader_id, replay_number=row.pk, original_name=row.original_name, deleted_at=now)
        for row in rows
        if row.uploader_id is not None and row.uploader_id != by.pk
    )


def _delete_files(hashes: Sequence[str]) -> None:
    for sha256 in hashes:
        _delete_file(sha256)


def _delete_file(sha256: str) -> None:
    """Delete the file, unless the same bytes were uploaded again.

    An upload between this query and the deletion loses its file; it is rejected as ``file_missing``, until the file is
    uploaded again.
    """
    if not Replay.objects.filter(sha256=sha256).exists():
        file_store.delete(sha256)


def delete_orphans(hashes: Sequence[str]) -> None:
    """Delete the files of ``hashes`` that have no row, after their rows could not be inserted."""
    known = set(Replay.objects.filter(sha256__in=hashes).values_list("sha256", flat=True))
    for sha256 in hashes:
        if sha256 not in known:
            file_store.delete(sha256)
