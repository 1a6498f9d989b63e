from __future__ import annotations

from players.accounts.claims.numbers import mark_merged
from players.models import Claim, Identity, Player
from replays.models import Replay


def merge_if_empty(name: str, player: Player, target: Player) -> None:
    """Forget ``name``, which a file was misread as, if it has no game any more; its player's address leads to ``target``.

    Names that somebody has or claims, and players with anything else, stay.
    """
    if player.pk == target.pk or player.user_id is not None or player.is_bot:
        return
    identity = Identity.objects.select_for_update().filter(name=name, player=player).first()
    if identity is None or identity.state != Identity.State.UNCLAIMED:
        return
    others = player.identities.exclude(pk=identity.pk)
    waiting = Claim.objects.filter(name=name, state__in=Claim.WAITING)
    if others.exists() or waiting.exists() or Replay.objects.filter(player=player).exists():
        return
    identity.delete()
    mark_merged(player, target)
