"""Names inside replays, and who they belong to.

A name is stored exactly as it stands in the file: case, spaces and Unicode form are part of it.  An unclaimed name has
a player of its own.  An account that claims its first name takes over that player, page and all; every further name
brings its replays to the account's player.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.boards import COMBINED
from players.games import replays
from players.models import MAX_NAME_CHARS, Identity, Player, RecordEvent, User
from players.patience import patient
from players.services.bests import bests_rebuild, lock_players
from players.services.sum_events import sum_events


class ClaimRefused(ValueError):
    """The claim cannot be; the text says why, for the person who asked."""


def player_for_identifier(name: str) -> Player | None:
    """The player behind the name ``name``, made if new; None for an empty name."""
    return players_for_identifiers([name]).get(name)


def players_for_identifiers(names: Collection[str]) -> dict[str, Player]:
    """The players behind ``names``, made where new; empty names are left out.

    Call it inside the transaction that stores the replays: the identities stay locked until its end, so that no claim
    moves a player away in between.  Names longer than the column are a programming error of the reader of the file.
    """
    wanted = sorted({name for name in names if name})
    if not wanted:
        return {}
    if any(len(name) > MAX_NAME_CHARS for name in wanted):
        raise ValueError(f"a name in a replay has more than {MAX_NAME_CHARS} characters")
    with transaction.atomic(savepoint=False):
        found = _locked(wanted)
        missing = [name for name in wanted if name not in found]
        if missing:
            _create(missing)
            found = _locked(wanted)
    return found


def _locked(names: list[str]) -> dict[str, Player]:
    identities = Identity.objects.select_for_update(of=("self",), no_key=True).select_related("player")
    return {identity.name: identity.player for identity in identities.filter(name__in=names).order_by("id")}


def _create(names: list[str]) -> None:
    """Make ``names``, unless another transaction was faster; then its players stay and ours go again."""
    players = Player.objects.bulk_create(Player(name=name) for name in names)
    Identity.objects.bulk_create(
        (Identity(name=player.name, player=player) for player in players), ignore_conflicts=True
    )
    Player.objects.filter(id__in=[player.pk for player in players], identities=None).delete()


# --- claims -----------------------------------------------------------------------------------------------------------


@patient
def identity_claim(user: User, name: str) -> Identity:
    """Let ``user`` have the name ``name``, at once if only they ever uploaded under it, else after staff approves.

    A replay that nobody's account uploaded (an archive that staff imported, say) counts as somebody else's.  Raises
    :class:`ClaimRefused`.
    """
    with transaction.atomic():
        identity = Identity.objects.select_for_update(no_key=True).filter(name=name).first()
        if identity is None or not _replays(identifier=name, uploader=user).exists():
            raise ClaimRefused(_("Upload a replay that carries this name first."))
        if identity.player.is_bot:
            raise ClaimRefused(_("This name belongs to a bot."))
        if identity.state != Identity.State.UNCLAIMED:
            if identity.claimant_id == user.pk:
                return identity
            raise ClaimRefused(_("Another account has claimed this name."))
        identity.claimant = user
        if _replays(player_id=identity.player_id, identifier=name).exclude(uploader=user).exists():
            identity.state = Identity.State.REQUESTED
            identity.save(update_fields=["claimant", "state"])
        else:
            _give(identity, user)
        return identity


@patient
def identity_approve(identity: Identity) -> Identity:
    """Make the claim that waits on ``identity`` effective; raises :class:`ClaimRefused` if none does."""
    with transaction.atomic():
        identity = Identity.objects.select_for_update(no_key=True).get(pk=identity.pk)
        if identity.state != Identity.State.REQUESTED or identity.claimant is None:
            raise ClaimRefused(_("No claim waits for approval here."))
        _give(identity, identity.claimant)
        return identity


@patient
def identity_release(identity: Identity) -> Identity:
    """Take the name from its account, or turn its request down; its replays go back to an unclaimed player."""
    with transaction.atomic():
        identity = Identity.objects.select_for_update(no_key=True).get(pk=identity.pk)
        claimed = identity.state == Identity.State.CLAIMED
        identity.state, identity.claimant, identity.claimed_at = Identity.State.UNCLAIMED, None, None
        identity.save(update_fields=["state", "claimant", "claimed_at"])
        if claimed:
            bot = identity.player  # what was a bot's stays a bot's, and off the boards if it was
            _move(identity, Player.objects.create(name=identity.name, is_bot=bot.is_bot, on_boards=bot.on_boards))
        return identity


def _give(identity: Identity, user: User) -> None:
    identity.claimant, identity.state, identity.claimed_at = user, Identity.State.CLAIMED, timezone.now()
    identity.save(update_fields=["claimant", "state", "claimed_at"])
    own = Player.objects.select_for_update(no_key=True).filter(user=user).first()
    if own is None and not identity.player.identities.exclude(pk=identity.pk).exists():
        Player.objects.filter(pk=identity.player_id).update(user=user)
        return
    _move(identity, own or Player.objects.create(name=identity.name, user=user))


def _move(identity: Identity, target: Player) -> None:
    """Bring the name and its replays to ``target``; the bests of both players follow."""
    source = identity.player
    if source.pk == target.pk:
        return
    lock_players({source.pk, target.pk})
    identity.player = target
    identity.save(update_fields=["player"])
    _part_sums(source, identity.name)
    _replays(player_id=source.pk, identifier=identity.name).update(player=target)
    _follow(source, target)
    bests_rebuild([source.pk, target.pk])
    _delete_if_empty(source)


def _part_sums(source: Player, name: str) -> None:
    """Forget the sums whose games will not all be of one player any more when those under ``name`` leave ``source``."""
    own = _replays(player_id=source.pk)
    if not own.exclude(identifier=name).exists():
        return  # the player moves as a whole
    sums = sum_events([source.pk])
    parts = {replay_id for event in sums for replay_id in event.replay_ids or ()}
    leaving = set(own.filter(pk__in=parts, identifier=name).values_list("pk", flat=True))
    stay_whole = [
        event.id
        for event in sums
        if event.replay_ids is not None and (event.replay_ids <= leaving or event.replay_ids.isdisjoint(leaving))
    ]
    RecordEvent.objects.filter(player=source, level=COMBINED).exclude(id__in=stay_whole).delete()


def _follow(source: Player, target: Player) -> None:
    """The record history goes where its replays went."""
    moved = _replays(player_id=target.pk).values("pk")
    source.record_events.filter(replay__in=moved).update(player=target)


def _delete_if_empty(player: Player) -> None:
    if not player.identities.exists() and not _replays(player_id=player.pk).exists():
        player.delete()


def _replays(**conditions: Any) -> Any:
    return replays().filter(**conditions)
