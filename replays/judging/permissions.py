"""Who may see, own, judge and delete a replay."""

from __future__ import annotations

from django.db.models import Q
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from players.models import User
from players.web.users import signed_in_user
from replays.models import Replay


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


def replay_or_404(request: HttpRequest | Request, pk: int) -> Replay:
    """The replay ``pk``, if the visitor may see it; others are as good as absent."""
    try:
        return replay_detail(pk, signed_in_user(request))
    except Replay.DoesNotExist as error:
        raise Http404(_("There is no such replay.")) from error


def owns(replay: Replay, viewer: User | None) -> bool:
    """Whether ``viewer`` may speak for ``replay``: who uploaded it, or whose player it counts for."""
    if viewer is None:
        return False
    return replay.uploader_id == viewer.pk or (replay.player is not None and replay.player.user_id == viewer.pk)


def may_judge(viewer: User | None) -> bool:
    """Staff with the permission that the admin asks for, too."""
    return viewer is not None and viewer.is_staff and viewer.has_perm("replays.change_replay")


def may_delete(replay: Replay, viewer: User | None) -> bool:
    """Staff, or who uploaded it.

    What staff do not accept stays for its uploader: uploaded again after a deletion, it would rank again.
    """
    if viewer is None:
        return False
    held = replay.judgement_code == Replay.DECIDED and replay.judgement != Replay.Judgement.ACCEPTED
    return viewer.is_staff or (replay.uploader_id == viewer.pk and not held)
