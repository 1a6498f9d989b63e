"""Claims of accounts to names inside replays.

The first name that an account claims gives it the player of that name, if the player has no other names; the replays of
every further name are moved to the account's player.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.db.retry import retry_on_conflict
from players.leaderboards.boards import COMBINED
from players.leaderboards.ranked_games import ranked_games
from players.leaderboards.records.sum_events import sum_events
from players.leaderboards.services import lock_players, rebuild_boards
from players.models import Identity, Player, RecordEvent, User
from players.people.services import index_names


class ClaimRefused(ValueError):
    """A claim that is not allowed; the message is shown to the claimant."""


@retry_on_conflict
def claim_name(user: User, name: str) -> Identity:
    """Claim ``name`` for ``user``: effective at once if only they uploaded its replays, else requested from staff.

    A replay without an uploader (of an archive that staff imported, for example) counts as uploaded by somebody else.
    Raises :class:`ClaimRefused`.
    """
    with transaction.atomic():
        identity = Identity.objects.select_for_update(no_key=True).filter(name=name).first()
        if identity is None or not ranked_games().has_uploaded(user.pk, name):
            raise ClaimRefused(_("Upload a replay that carries this name first."))
        if identity.player.is_bot:
            raise ClaimRefused(_("This name belongs to a bot."))
        if identity.state != Identity.State.UNCLAIMED:
            if identity.claimant_id == user.pk:
                return identity
            raise ClaimRefused(_("Another account has claimed this name."))
        identity.claimant = user
        if ranked_games().others_uploaded(user.pk, name, identity.player_id):
            identity.state = Identity.State.REQUESTED
            identity.save(update_fields=["claimant", "state"])
        else:
            _give(identity, user)
        return identity


@retry_on_conflict
def approve_claim(identity: Identity) -> Identity:
    """Make the requested claim on ``identity`` effective; raises :class:`ClaimRefused` if there is none."""
    with transaction.atomic():
        identity = Identity.objects.select_for_update(no_key=True).get(pk=identity.pk)
        if identity.state != Identity.State.REQUESTED or identity.claimant is None:
            raise ClaimRefused(_("No claim waits for approval here."))
        _give(identity, identity.claimant)
        return identity


@retry_on_conflict
def release_name(identity: Identity) -> Identity:
    """Remove the name from its account, or refuse the request; its replays move to a new, unclaimed player."""
    with transaction.atomic():
        identity = Identity.objects.select_for_update(no_key=True).get(pk=identity.pk)
        claimed = identity.state == Identity.State.CLAIMED
        identity.state, identity.claimant, identity.claimed_at = Identity.State.UNCLAIMED, None, None
        identity.save(update_fields=["state", "claimant", "claimed_at"])
        if claimed:
            old = identity.player  # replays of a bot stay those of a bot, and off the boards if they were
            _move(identity, Player.objects.create(name=identity.name, is_bot=old.is_bot, on_boards=old.on_boards))
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
    """Move the name and its replays to ``target``, and rebuild the boards of both players."""
    source = identity.player
    if source.pk == target.pk:
        return
    lock_players({source.pk, target.pk})
    identity.player = target
    identity.save(update_fields=["player"])
    _delete_mixed_sums(source, identity.name)
    ranked_games().move(identity.name, source.pk, target.pk)
    # Records move with their replays.
    source.record_events.filter(replay__player=target).update(player=target)
    rebuild_boards([source.pk, target.pk])
    index_names([source.pk, target.pk])
    _delete_if_empty(source)


def _delete_mixed_sums(source: Player, name: str) -> None:
    """Delete records of sums whose games belong to two players once those under ``name`` have left ``source``."""
    games = ranked_games()
    if not games.has_games(source.pk, other_than=name):
        return  # all games move together
    sums = sum_events([source.pk])
    parts = {replay_id for event in sums for replay_id in event.replay_ids or ()}
    leaving = games.under_name(source.pk, name, parts)
    unmixed_ids = [
        event.id
        for event in sums
        if event.replay_ids is not None and (event.replay_ids <= leaving or event.replay_ids.isdisjoint(leaving))
    ]
    RecordEvent.objects.filter(player=source, level=COMBINED).exclude(id__in=unmixed_ids).delete()


def _delete_if_empty(player: Player) -> None:
    if not player.identities.exists() and not ranked_games().has_games(player.pk):
        player.delete()
