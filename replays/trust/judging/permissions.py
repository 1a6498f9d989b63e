from __future__ import annotations

from django.db.models import Q
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from rest_framework.request import Request

from players.models import User
from players.web.users import signed_in_user
from replays.models import Replay


def visible_to(viewer: User | None) -> Q:
    """The condition of the replays that ``viewer`` (None: anyone) may see: done ones, and own uploads of any status."""
    if viewer is not None and viewer.acts_as_moderator:
        return Q()
    done = Q(status=Replay.Status.DONE)
    return done if viewer is None else done | Q(uploader=viewer.pk)


def replay_detail(pk: int, viewer: User | None) -> Replay:
    """Load player and uploader; ``Replay.DoesNotExist`` if ``viewer`` may not see the replay."""
    rows = Replay.objects.select_related("player", "uploader")
    return rows.get(visible_to(viewer), pk=pk)


def replay_or_404(request: HttpRequest | Request, pk: int) -> Replay:
    try:
        return replay_detail(pk, signed_in_user(request))
    except Replay.DoesNotExist as error:
        raise Http404(_("This replay doesn't exist.")) from error


def owns(replay: Replay, viewer: User | None) -> bool:
    """Return whether ``viewer`` is the uploader of ``replay`` or the account of its player."""
    if viewer is None:
        return False
    return replay.uploader_id == viewer.pk or (replay.player is not None and replay.player.user_id == viewer.pk)


def may_judge(viewer: User | None) -> bool:
    """Return whether ``viewer`` is a moderator, or staff with the permission that the admin also requires."""
    return viewer is not None and viewer.may_moderate("replays.change_replay")


def may_delete(replay: Replay, viewer: User | None) -> bool:
    """Return whether ``viewer`` may delete ``replay``: moderators may, and who sent it, who takes that back.

    The uploader, a moderator too, may not delete a replay that staff decided not to accept: uploaded again, it would be ranked again.
    """
    if viewer is None:
        return False
    refused = replay.judgement_code == Replay.DECIDED and replay.judgement != Replay.Judgement.ACCEPTED
    if replay.uploader_id == viewer.pk and not viewer.is_superuser:
        return not refused
    return viewer.acts_as_moderator or (not refused and replay.sendings.filter(user=viewer).exists())


def deletion_refusal(replay: Replay, viewer: User | None) -> str:
    """Return why ``viewer`` may not delete ``replay``."""
    if viewer is not None and replay.uploader_id == viewer.pk:
        return _(
            "A moderator has ruled on this replay, so only moderators can delete it now. You can appeal the decision."
        )
    return _("Only the uploader or a moderator can delete a replay.")


def encoding_refusal(replay: Replay, viewer: User | None) -> str:
    """Return why ``viewer`` may not choose in which encoding the name inside ``replay`` is read; "" if they may.

    Its uploader and the account of its player may until somebody decides about it: the decision was about that name.
    """
    if replay.status != Replay.Status.DONE or not replay.name_encoding:
        return _("The name in this replay is certain, so there's nothing to choose.")
    if owns(replay, viewer):
        decided = replay.judgement_code == Replay.DECIDED or replay.judgement in Replay.FOR_OTHERS
        said = replay.ownership in (Replay.Ownership.DISOWNED, Replay.Ownership.REPORTED, Replay.Ownership.VOUCHED)
        if decided or said:
            return _(
                "This replay is in dispute or has been ruled on, so only moderators can change how its name is read."
            )
        return ""
    return "" if may_judge(viewer) else _("Only the uploader, the owner of the name or a moderator can change this.")


def may_keep(replay: Replay, viewer: User | None) -> bool:
    """Return whether ``viewer`` may have a rejected replay's file kept: uploader and staff may, while it is there."""
    if viewer is None or replay.status != Replay.Status.REJECTED or replay.file_deleted_at is not None:
        return False
    return viewer.acts_as_moderator or replay.uploader_id == viewer.pk
