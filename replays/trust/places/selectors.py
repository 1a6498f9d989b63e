from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from players.db.keyset import Page, page_of
from players.models import User
from replays.models import Appeal, Contest, Place, Replay
from replays.trust.evidence.traces import SEAL_REUSED
from replays.trust.judging.findings import finding_sentences

#: Other files that the page of a replay shows.
MOST_SHOWN: Final = 10
#: Files of a place that staff are shown, those of the holder first.
MOST_FILES: Final = 20
PAGE_SIZE: Final = 20


@dataclass(frozen=True, slots=True)
class FileShown:
    """Another file of a play.  ``same_game``: with the same name and result; ``holds``: its game holds the place."""

    replay: Replay
    same_game: bool
    holds: bool


def other_files(replay: Replay) -> list[FileShown]:
    """Return the oldest first; no query if the play came in one file alone."""
    if replay.place_id is None:
        return []
    rows = Replay.objects.filter(place=replay.place_id, status=Replay.Status.DONE).exclude(pk=replay.pk)
    found = rows.select_related("place").defer("board", "findings").order_by("pk")[:MOST_SHOWN]
    return [FileShown(row, row.game == replay.game, row.place is not None and row.game == row.place.holder) for row in found]  # fmt: skip


def contest_of(replay: Replay, viewer: User | None) -> Contest | None:
    """The unfinished contest in which ``viewer`` says that the game is theirs."""
    if viewer is None or replay.place_id is None or replay.game is None:
        return None
    own = Contest.objects.filter(place=replay.place_id, game=replay.game, user=viewer)
    return own.filter(state__in=Contest.UNFINISHED).first()


def seal_in_doubt(replay: Replay) -> bool:
    """Return whether a file that was here before has the seal of ``replay``, so that one of them was edited."""
    codes = {finding["code"] for finding in replay.findings}
    return replay.evidence == Replay.Evidence.SEALED and SEAL_REUSED in codes


# --- staff ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlaceFile:
    """``senders``: all accounts that sent it, its uploader first."""

    replay: Replay
    holds: bool
    senders: list[User]
    contests: list[Contest]

    @property
    def findings(self) -> list[str]:
        return finding_sentences(self.replay.findings)

    @property
    def seal_in_doubt(self) -> bool:
        return seal_in_doubt(self.replay)

    @property
    def appeals(self) -> list[Appeal]:
        found: list[Appeal] = self.replay.open_appeals  # type: ignore[attr-defined]  # prefetched
        return found


@dataclass(frozen=True, slots=True)
class PlaceShown:
    """``more``: the number of files that are not shown."""

    place: Place
    files: list[PlaceFile]
    more: int


def places_page(cursor: str | None = None, size: int = PAGE_SIZE) -> Page[PlaceShown]:
    """The places that wait for staff, newest first: those that are contested, and those about which somebody appeals.

    Raises ``players.db.keyset.BadCursor``.
    """
    contested = Contest.objects.filter(place=OuterRef("pk"), state=Contest.State.OPEN)
    appealed = Appeal.objects.filter(state=Appeal.State.OPEN, replay__place=OuterRef("pk"))
    page = page_of(Place.objects.filter(Q(Exists(contested)) | Q(Exists(appealed))), ("-id",), cursor, size)
    return Page([_shown(place) for place in page.rows], page.next_cursor, page.previous_cursor)


def place_shown(pk: int) -> PlaceShown:
    """Raise ``Place.DoesNotExist``."""
    return _shown(Place.objects.select_related("decided_by").get(pk=pk))


def _shown(place: Place) -> PlaceShown:
    rows = _with_matters(Replay.objects.filter(place=place, status=Replay.Status.DONE))
    first = list(rows.filter(game=place.holder).order_by("pk")[:MOST_FILES])
    others = list(rows.exclude(game=place.holder).order_by("pk")[:MOST_FILES])
    shown = (first + others)[:MOST_FILES] if len(first) < MOST_FILES // 2 else first[: MOST_FILES // 2] + others
    contests: dict[int, list[Contest]] = defaultdict(list)
    for one in Contest.objects.filter(place=place).select_related("user").order_by("pk"):
        contests[one.game].append(one)
    files = [PlaceFile(row, row.game == place.holder, _senders(row), contests[row.game or 0]) for row in shown]
    return PlaceShown(place, files, Replay.objects.filter(place=place).count() - len(files))


def _senders(row: Replay) -> list[User]:
    uploader = [] if row.uploader is None else [row.uploader]
    return uploader + [one.user for one in row.sendings.all()]


def _with_matters(rows: QuerySet[Replay]) -> QuerySet[Replay]:
    appeals = Appeal.objects.filter(state=Appeal.State.OPEN).select_related("user")
    return rows.select_related("player", "uploader").defer("board").prefetch_related(
        Prefetch("appeals", appeals, to_attr="open_appeals"),
        "sendings__user",
    )  # fmt: skip


# --- accounts ---------------------------------------------------------------------------------------------------------


def disputes_of(user: User, limit: int) -> Iterable[tuple[datetime, Replay]]:
    """The latest games of ``user``, by upload or by name, that do not count for the sake of others; with since when."""
    held = Replay.objects.filter(judgement__in=Replay.FOR_OTHERS, status=Replay.Status.DONE)
    held = held.exclude(judgement_code=Replay.DECIDED).defer("board")
    for mine in (Q(uploader=user), Q(player__user=user)):
        for row in held.filter(mine).order_by("-id")[:limit]:
            yield row.analysed_at or row.uploaded_at, row
