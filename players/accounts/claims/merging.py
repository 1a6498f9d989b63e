from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from players.accounts.claims.numbers import NAMELESS, bring_together, lock_games, mark_merged, move_nameless_games
from players.db.retry import Conflict, retry_on_conflict
from players.db.text import storable_name, storable_text
from players.decision_log import Action, Kind, log_decision
from players.leaderboards.services import lock_players
from players.models import Identity, Player, User
from players.people.services import index_names


@retry_on_conflict
def player_rename(player: Player, name: str, by: User, rule: str = "", reason: str = "") -> Player:
    """Store the shown name of ``player``; the names inside replays stay.  Raises ``ValidationError``."""
    clean = storable_name(name)
    if not clean:
        raise ValidationError(_("Enter a player name."))
    with transaction.atomic():
        row = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        before, row.name = row.name, clean
        row.save(update_fields=["name"])
        index_names([row.pk])
        log_decision(
            by, Action.RENAMED, Kind.NAME, row.pk, about=row.user_id, rule=rule, reason=reason,
            before=f"name of {len(before)} characters", after=clean,
        )  # fmt: skip
        return row


@retry_on_conflict
def player_merge(source: Player, target: Player, by: User, reason: str) -> Player:
    """Give the names, replays and account of ``source`` to ``target``; the address of ``source`` redirects there.

    If either has an account, names that nobody has claimed become that account's.  :func:`release_name` takes a name out
    again.  Raises ``ValidationError``.
    """
    reason = storable_text(reason)
    if not reason:
        raise ValidationError(_("Give a reason."))
    with transaction.atomic():
        names = list(source.identities.select_for_update(no_key=True).order_by("id"))
        lock_games(source.pk, [NAMELESS, *(name.name for name in names)])
        lock_players({source.pk, target.pk})
        rows = Player.objects.in_bulk([source.pk, target.pk])
        source, target = rows[source.pk], rows[target.pk]
        refusal = merge_refusal(source, target)
        if refusal:
            raise ValidationError(refusal)
        if {name.pk for name in names} != set(source.identities.values_list("pk", flat=True)):
            raise Conflict("a name has just come to the player")
        if source.user_id is not None:
            Player.objects.filter(pk=source.pk).update(user=None)
            Player.objects.filter(pk=target.pk).update(user=source.user_id)
            target.user_id, source.user = source.user_id, None
        for name in names:
            name.player = source
        bring_together(names, target)
        move_nameless_games(source, target)
        mark_merged(source, target)  # also one that never had a name
        if target.user_id is not None:
            target.identities.filter(state=Identity.State.UNCLAIMED).update(
                state=Identity.State.CLAIMED, claimant=target.user_id, claimed_at=timezone.now(),
                proof=Identity.Proof.STAFF,
            )  # fmt: skip
        log_decision(
            by, Action.MERGED, Kind.NAME, source.pk, about=target.user_id, reason=reason, before=f"player {source.pk}",
            after=f"player {target.pk}",
        )  # fmt: skip
        target.refresh_from_db()
        return target


def merge_refusal(source: Player, target: Player) -> str:
    """Return "" if they may be merged, else the reason."""
    if source.pk == target.pk:
        return _("Choose two players.")
    if source.merged_into_id or target.merged_into_id:
        return _("One of these players has already been merged.")
    if source.user_id and target.user_id:
        return _("Both players belong to accounts. Release the names of one of them first.")
    if (source.is_bot, source.on_boards) != (target.is_bot, target.on_boards):
        return _("A bot can't be merged with a person.")
    return ""
