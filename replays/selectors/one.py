"""Single replays, and who may see them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import Q

from players.models import User
from replays.models import Replay
from replays.texts import sentence

MAX_STATUSES = 1_000


def visible_to(viewer: User | None) -> Q:
    """Which replays ``viewer`` (None: anyone) may see: those that are done, and one's own uploads in any state."""
    if viewer is not None and viewer.is_staff:
        return Q()
    done = Q(status=Replay.Status.DONE)
    return done if viewer is None else done | Q(uploader=viewer.pk)


def replay_detail(pk: int, viewer: User | None) -> Replay:
    """The replay with its player, uploader and original; ``Replay.DoesNotExist`` if ``viewer`` may not see it."""
    rows = Replay.objects.select_related("player", "uploader", "duplicate_of")
    return rows.get(visible_to(viewer), pk=pk)


def upload_statuses(ids: Sequence[int], viewer: User | None) -> list[Replay]:
    """The rows of ``ids`` that ``viewer`` may see, by id; unknown ones are left out.

    What was uploaded without an account can be followed by anyone who knows its number.
    """
    rows = Replay.objects.select_related("player").defer("board", "findings").filter(pk__in=ids[:MAX_STATUSES])
    condition = visible_to(viewer)
    if condition:  # an empty one means everything, and "everything or this" would mean only this
        rows = rows.filter(condition | Q(uploader=None))
    return list(rows.order_by("pk"))


def unseen_originals(ids: Collection[int], viewer: User | None) -> dict[int, Replay]:
    """Those rows of ``ids`` that ``viewer`` may not open: others' uploads that are not done.  One query, or none."""
    if not ids:
        return {}
    rows = Replay.objects.only("status", "reject_code", "reject_params").filter(pk__in=ids)
    condition = visible_to(viewer)
    return rows.exclude(condition).in_bulk() if condition else {}


def reject_text(replay: Replay) -> str:
    """Why the replay was rejected, in the active language; "" if it was not."""
    return sentence(replay.reject_code, replay.reject_params) if replay.reject_code else ""
