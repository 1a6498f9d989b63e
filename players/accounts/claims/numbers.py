"""Moving names between players; the number of a player is for ever.

A name keeps the player that it had first (``Identity.first_player``) for itself.  When an account or staff bring several
names together, the other numbers become *merged*: rows that only say where their names are now (``merged_into``).  When
a name leaves again, it goes back to its own number.  No row is ever deleted, and no merged row refers to a merged one.
Call everything here in a transaction that has locked the names.  Replays are locked before players, as everywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.db.models import F

from players.leaderboards.boards import COMBINED
from players.leaderboards.file_countries import follow_files
from players.leaderboards.services import lock_players, rebuild_boards
from players.models import Identity, Player, RecordEvent
from players.people.services import index_names
from replays.models import Replay

#: The name of games that were played here, which belong to an account.
NAMELESS: Final = ""


def bring_together(identities: Sequence[Identity], target: Player) -> None:
    """Move names with their replays to ``target``; players who are left without a name are merged into it."""
    sources = {identity.player_id: identity.player for identity in identities if identity.player_id != target.pk}
    for identity in identities:
        lock_games(identity.player_id, [identity.name])
    for identity in identities:
        _move(identity, target)
    for source in sources.values():
        if source.user_id is None and not source.identities.exists() and not has_nameless_games(source):
            mark_merged(source, target)


def lock_games(player_id: int, names: Collection[str]) -> None:
    """Lock the replays of the player under ``names`` until the transaction ends, in the order of ids."""
    games = Replay.objects.select_for_update(no_key=True).filter(player=player_id, identifier__in=names)
    for _pk in games.order_by("pk").values_list("pk").iterator(chunk_size=2_000):
        pass  # a lock needs the row to be read


def mark_merged(source: Player, target: Player) -> None:
    """Make the number of ``source``, who has no names and no account any more, refer to ``target``."""
    Player.objects.filter(merged_into=source).update(merged_into=target)
    Player.objects.filter(pk=source.pk).update(merged_into=target)
    index_names([source.pk])


def give_own_number(identity: Identity) -> Player:
    """Let the name be the only one of its first player, and return that player, who has no account then.

    Names that shared the player stay together, and with the account of the player, under the number of one of them.
    """
    old = identity.player
    number = identity.first_player
    others = list(old.identities.select_for_update(no_key=True).exclude(pk=identity.pk).order_by("id"))
    leaving = [identity.name] if number.pk != old.pk else [NAMELESS, *(name.name for name in others)]
    lock_games(old.pk, leaving)
    lock_players({old.pk, number.pk})
    old.refresh_from_db()
    if number.pk != old.pk:
        _revive(number, like=old)
        _move(identity, number)
        return number
    if others:
        _leave_together(others, old)
    elif old.user_id is not None and has_nameless_games(old):
        _leave_without_name(old)
    Player.objects.filter(pk=old.pk).update(
        user=None, **({"country": "", "country_from_files": False} if old.user_id else {})
    )
    follow_files([old.pk])
    old.refresh_from_db()
    return old


def _leave_together(names: Sequence[Identity], old: Player) -> None:
    """Move ``names`` away from ``old``, whose number belongs to another name, with the account of ``old``."""
    heir = names[0].first_player
    Player.objects.filter(pk=old.pk).update(user=None)
    _revive(heir, like=old)
    Player.objects.filter(pk=heir.pk).update(
        user=old.user_id, country=old.country, country_from_files=old.country_from_files
    )
    for name in names:
        _move(name, heir)
    move_nameless_games(old, heir)
    Player.objects.filter(merged_into=old).update(merged_into=heir)


def _leave_without_name(old: Player) -> None:
    """Let the account of ``old``, whose number belongs to a name, go with the games that it played here."""
    heir = Player.objects.create(
        name=old.name, is_bot=old.is_bot, on_boards=old.on_boards, country=old.country,
        country_from_files=old.country_from_files,
    )  # fmt: skip
    Player.objects.filter(pk=old.pk).update(user=None)
    Player.objects.filter(pk=heir.pk).update(user=old.user_id)
    index_names([heir.pk])
    move_nameless_games(old, heir)


def has_nameless_games(player: Player) -> bool:
    return player.replays.filter(identifier=NAMELESS).exists()


def move_nameless_games(source: Player, target: Player) -> None:
    """Move the games that were played here, with their records; they follow the account."""
    if has_nameless_games(source):
        lock_players({source.pk, target.pk})
        _move_games(NAMELESS, source, target)


def _revive(player: Player, *, like: Player) -> None:
    """Make ``player`` refer to itself again, as a bot or on boards if ``like`` is, since its replays are that."""
    player.merged_into, player.is_bot, player.on_boards = None, like.is_bot, like.on_boards
    player.save(update_fields=["merged_into", "is_bot", "on_boards"])


def _move(identity: Identity, target: Player) -> None:
    """Move the name and its replays to ``target``, and rebuild the boards of both players."""
    source = identity.player
    if source.pk == target.pk:
        return
    lock_players({source.pk, target.pk})
    identity.player = target
    identity.save(update_fields=["player"])
    _move_games(identity.name, source, target)


def _move_games(name: str, source: Player, target: Player) -> None:
    source.replays.filter(identifier=name).update(player=target)
    _delete_mixed_sums(source)
    # Records move with their replays.
    source.record_events.filter(replay__player=target).update(player=target)
    rebuild_boards([source.pk, target.pk])
    index_names([source.pk, target.pk])
    follow_files([source.pk, target.pk])


def _delete_mixed_sums(source: Player) -> None:
    """Delete the records of ``source`` that are sums of games of two players now."""
    of_one_player = {"second_replay__player": F("replay__player"), "third_replay__player": F("replay__player")}
    sums = RecordEvent.objects.filter(player=source, level=COMBINED)
    sums.exclude(id__in=sums.filter(**of_one_player).values("id")).delete()
