"""Names from before names had one spelling (``players.db.text.storable_name``): they become one player's.

Where accounts are concerned staff decide, since whoever claimed one spelling has not shown that the games under the other
are theirs.
"""

from __future__ import annotations

from collections.abc import Collection

from django.db import transaction

from players.accounts.claims.merging import merge_refusal
from players.accounts.claims.numbers import bring_together
from players.db import bulk
from players.db.retry import retry_on_conflict
from players.db.text import storable_name
from players.leaderboards.ranked_games import ranked_games
from players.models import Claim, Identity, Player
from players.people.services import index_names
from replays.models import Replay
from replays.trust.ownership.asking import ask_owner
from replays.upload.processing.columns import add_name_findings
from replays.upload.processing.recompute.rejudge import judge_again, remove_from_boards

#: Names that may have another spelling: all but ASCII with single spaces.
_SUSPECT = r"[^ -~]|  |^ | $"
_Pair = tuple[Player, Player]


def join_spellings() -> list[_Pair]:
    """Give every name its one spelling, and what was under two to one player; return the players that staff must merge."""
    for claim in Claim.objects.filter(name__regex=_SUSPECT).only("name"):
        if (name := storable_name(claim.name)) != claim.name:
            Claim.objects.filter(pk=claim.pk).update(name=name)
    names = Identity.objects.filter(name__regex=_SUSPECT).order_by("state", "pk").values_list("pk", "name")
    odd = [pk for pk, name in names if storable_name(name) not in ("", name)]  # the claimed ones come first
    return [pair for pk in odd if (pair := _join(pk)) is not None]


@retry_on_conflict
def _join(pk: int) -> _Pair | None:
    with transaction.atomic():
        odd = Identity.objects.select_related("player").get(pk=pk)
        name = storable_name(odd.name)
        ranked_games().lock(odd.player_id, [odd.name])
        locked = Identity.objects.select_for_update(of=("self",), no_key=True).select_related("player")
        twin = locked.filter(name=name).first()
        if twin is None:
            _respell(odd, name)
            return None
        is_claimed, apart = odd.state == Identity.State.CLAIMED, odd.player_id != twin.player_id
        if apart and (is_claimed or odd.player.user_id is not None or merge_refusal(odd.player, twin.player)):
            return odd.player, twin.player
        if apart:
            bring_together([odd], twin.player)
        games = list(Replay.objects.filter(player=twin.player_id, identifier=odd.name).values_list("pk", flat=True))
        (twin if is_claimed and twin.state == Identity.State.UNCLAIMED else odd).delete()
        _respell(odd, name)
        if apart:
            _ask_again(games)
        return None


def _respell(identity: Identity, name: str) -> None:
    """Write ``name`` wherever the spelling of ``identity`` is; the row itself may be gone."""
    Replay.objects.filter(player=identity.player_id, identifier=identity.name).update(identifier=name)
    Player.objects.filter(pk=identity.player_id, name=identity.name).update(name=name)
    Identity.objects.filter(pk=identity.pk).update(name=name)
    index_names([identity.player_id])


def _ask_again(ids: Collection[int]) -> None:
    """Let games that came to another player wait for its account, and drop that its name looked like their own."""
    rows = list(Replay.objects.select_related("player").filter(pk__in=ids).order_by("pk"))
    before = {row.pk: (row.findings, row.ownership) for row in rows}
    for row in rows:
        row.findings = [finding for finding in row.findings if not finding["code"].startswith("name_")]
        ask_owner(row)
    add_name_findings(rows)
    changed = [(row.pk, row.findings, row.ownership) for row in rows if before[row.pk] != (row.findings, row.ownership)]
    remove_from_boards([pk for pk, *_columns in changed])
    bulk.update(Replay, ("findings", "ownership"), changed)
    judge_again([pk for pk, *_columns in changed])
