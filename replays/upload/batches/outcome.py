from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from django.db.models import Count, F, Min, Q, QuerySet

from analysis.names import shown_name
from analysis.statistics import BY_NAME, Statistic
from analysis.time_convention import difference_text
from players.leaderboards.boards import COMBINED, HARDEST_FIRST
from players.models import ALL_STYLES, Identity, RecordEvent
from players.people.player_refs import PLAYER_COLUMNS, PlayerRef, with_player_ref
from replays.models import BatchFile, Replay, UploadBatch
from replays.upload.batches.selectors import STATE_COLUMNS, State, reason_of

#: The statistics of which new bests are listed; those of the other ``LOGGED_STATISTICS`` are counted.
STATISTICS: Final = ("time", "bvs", "stnb", "ioe")
#: At most so many bests, reasons and names are listed, and so many events are read for it.
MOST_BESTS: Final = 40
MOST_REASONS: Final = 20
MOST_NAMES: Final = 50
_MOST_EVENTS: Final = 4_000
_LEVELS: Final = (COMBINED, *HARDEST_FIRST)


@dataclass(frozen=True, slots=True)
class NewBest:
    """A personal best, or a site record, at the end of the batch.

    ``is_own``: of the player of the account that uploaded the batch.
    ``old_value`` and ``rank_before``: before the batch; None for the first.
    """

    player: PlayerRef
    level: str
    row: Statistic
    old_value: float | None
    value: float
    rank_before: int | None
    rank: int
    replay_id: int
    precision_ms: int | None
    is_own: bool

    @property
    def difference(self) -> str:
        """Signed; "" without an old value."""
        if self.old_value is None:
            return ""
        return difference_text(self.row, self.value - self.old_value, self.precision_ms)


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why files were refused, rejected or not accepted, how many, and one of them.

    ``example``: its name; ``replay_id``: None if the file was not stored.
    """

    text: str
    files: int
    example: str
    replay_id: int | None = None


@dataclass(frozen=True, slots=True)
class NameFound:
    """``owner``: "you", "somebody", "bot" or "nobody"."""

    name: str
    games: int
    owner: str

    @property
    def shown_name(self) -> str:
        """The name with hidden characters made visible."""
        return shown_name(self.name)

    @property
    def may_claim(self) -> bool:
        return self.owner == "nobody"


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """``counts``: files by state (of ``State``, and "refused", "known"); ``more_bests``: bests that are not listed.

    ``reasons``: why files are not here; ``judged``: why games are here but not accepted, or not final.
    """

    batch: UploadBatch
    counts: dict[str, int]
    bests: list[NewBest]
    more_bests: int
    records: list[NewBest]
    reasons: list[Reason]
    judged: list[Reason]
    names: list[NameFound]

    @property
    def is_settled(self) -> bool:
        return not self.counts[State.WAITING]

    @property
    def has_files(self) -> bool:
        """Whether any file came, though it may have been deleted since."""
        return self.total > 0 or BatchFile.objects.filter(batch=self.batch).exists()

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def settled(self) -> int:
        return self.total - self.counts[State.WAITING]

    @property
    def claimable(self) -> list[NameFound]:
        return [name for name in self.names if name.may_claim]


def outcome_of(batch: UploadBatch) -> BatchOutcome:
    """Compute the outcome of ``batch`` up to now in ten statements."""
    counts = _counts(batch)  # first: what is settled now has its records, and the page that hears it asks no more
    events = _events(batch)
    bests = _collapsed(row for row in events if row.kind == RecordEvent.Kind.PERSONAL)
    more = _of_batch(batch).exclude(statistic__in=STATISTICS).filter(kind=RecordEvent.Kind.PERSONAL)
    boards = more.values("player", "level", "statistic").distinct().count()
    return BatchOutcome(
        batch,
        counts,
        bests[:MOST_BESTS],
        boards + max(0, len(bests) - MOST_BESTS),
        _collapsed(row for row in events if row.kind == RecordEvent.Kind.SITE)[:MOST_BESTS],
        _refusals(batch) + _rejections(batch),
        _judged(batch),
        _names(batch),
    )


def _own(batch: UploadBatch) -> QuerySet[BatchFile]:
    """The files that became replays."""
    return BatchFile.objects.filter(batch=batch, outcome=BatchFile.Outcome.STORED, replay__isnull=False).order_by()


def _counts(batch: UploadBatch) -> dict[str, int]:
    stored, status = Q(outcome=BatchFile.Outcome.STORED), Replay.Status
    accepted = Q(replay__judgement=Replay.Judgement.ACCEPTED)
    done = stored & Q(replay__status=status.DONE)
    conditions = {
        State.WAITING.value: stored & Q(replay__status__in=[status.QUEUED, status.RUNNING]),
        State.DONE.value: done & accepted,
        State.JUDGED.value: done & ~accepted,
        State.REJECTED.value: stored & Q(replay__status=status.REJECTED),
        BatchFile.Outcome.DUPLICATE.value: Q(outcome=BatchFile.Outcome.DUPLICATE),
        "refused": Q(outcome=BatchFile.Outcome.REFUSED),
    }
    counts = {name: Count("id", filter=condition) for name, condition in conditions.items()}
    return {**BatchFile.objects.filter(batch=batch).aggregate(**counts), "known": batch.known}


# --- bests and records ------------------------------------------------------------------------------------------------


class _Event(NamedTuple):
    kind: str
    level: str
    statistic: str
    old_value: float | None
    new_value: float
    rank_before: int | None
    rank_after: int
    replay_id: int
    precision_ms: int | None
    is_own: bool | None
    player: PlayerRef


def _of_batch(batch: UploadBatch) -> QuerySet[RecordEvent]:
    """The records of all styles that the games of the batch set."""
    return RecordEvent.objects.filter(replay__in=_own(batch).values("replay"), style=ALL_STYLES)


def _events(batch: UploadBatch) -> list[_Event]:
    rows = _of_batch(batch).filter(statistic__in=STATISTICS)
    rows = rows.annotate(precision_ms=F("replay__time_precision_ms"), is_own=Q(player__user=batch.user_id))
    read = rows.order_by("-id").values_list(*_Event._fields[:-1], *PLAYER_COLUMNS)[:_MOST_EVENTS]
    return [_Event._make(with_player_ref(row)) for row in reversed(read)]


def _collapsed(events: Iterable[_Event]) -> list[NewBest]:
    """Return one row for each player and board, from before the first event to the last one; own players first."""
    first: dict[tuple[int, str, str], _Event] = {}
    last: dict[tuple[int, str, str], _Event] = {}
    for event in events:
        key = (event.player.pk, event.level, event.statistic)
        first.setdefault(key, event)
        last[key] = event
    found = [_best(first[key], event) for key, event in last.items()]
    order = {row: place for place, row in enumerate(STATISTICS)}
    return sorted(
        found,
        key=lambda best: (
            not best.is_own, best.player.name, best.player.pk, order[best.row.name], _LEVELS.index(best.level)
        ),
    )  # fmt: skip


def _best(first: _Event, last: _Event) -> NewBest:
    return NewBest(
        last.player, last.level, BY_NAME[last.statistic], first.old_value, last.new_value, first.rank_before,
        last.rank_after, last.replay_id, last.precision_ms, bool(last.is_own),
    )  # fmt: skip


# --- refusals ---------------------------------------------------------------------------------------------------------


def _refusals(batch: UploadBatch) -> list[Reason]:
    """Sort by number of files, most first."""
    rows = BatchFile.objects.filter(batch=batch, outcome=BatchFile.Outcome.REFUSED).order_by()
    grouped = rows.values_list("message").annotate(files=Count("id"), example=Min("name")).order_by("-files")
    return [Reason(text, files, example) for text, files, example in grouped[:MOST_REASONS]]


def _rejections(batch: UploadBatch) -> list[Reason]:
    rejected = Q(replay__status=Replay.Status.REJECTED)
    return _by_code(batch, rejected, "replay__reject_code")


def _judged(batch: UploadBatch) -> list[Reason]:
    judged = Q(replay__status=Replay.Status.DONE) & ~Q(replay__judgement=Replay.Judgement.ACCEPTED)
    return _by_code(batch, judged, "replay__judgement_code")


def _by_code(batch: UploadBatch, condition: Q, column: str) -> list[Reason]:
    """Group the files under ``condition`` by the code in ``column``; the text is that of the first replay with it."""
    grouped = _own(batch).filter(condition).values_list(column).annotate(files=Count("id"), first=Min("id"))
    counts = {first: files for _code, files, first in grouped.order_by("-files")[:MOST_REASONS]}
    columns = ("name", *(f"replay__{name}" for name in STATE_COLUMNS))
    files = BatchFile.objects.filter(pk__in=counts).select_related("replay").only(*columns).order_by("pk")
    return [
        Reason(reason_of(file.replay), counts[file.pk], file.name, file.replay.pk)
        for file in files
        if file.replay is not None
    ]


# --- names ------------------------------------------------------------------------------------------------------------


def _names(batch: UploadBatch) -> list[NameFound]:
    """Sort own names first, then by number of games, most first."""
    done = _own(batch).filter(replay__status=Replay.Status.DONE).exclude(replay__identifier="")
    grouped = (
        done.values_list("replay__identifier").annotate(games=Count("id")).order_by("-games", "replay__identifier")
    )
    games = dict(grouped[:MOST_NAMES])
    identities = Identity.objects.select_related("player").filter(name__in=games)
    owners = {identity.name: _owner(identity, batch.user_id) for identity in identities}
    found = [NameFound(name, count, owners.get(name, "nobody")) for name, count in games.items()]
    return sorted(found, key=lambda name: name.owner != "you")


def _owner(identity: Identity, user_id: int) -> str:
    if identity.player.is_bot:
        return "bot"
    if identity.state == Identity.State.CLAIMED:
        return "you" if identity.claimant_id == user_id else "somebody"
    return "nobody"
